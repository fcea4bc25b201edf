/**
 * Computes what the words of a field mean (as vectors), and the type of value that they ask for.
 */
import { type AskTypes, askParties, askTypes, askTypesOf } from "../../../language/ask-types.ts";
import { spellOut } from "../../../language/label-tokens.ts";
import { meaningOf } from "../../../language/meaning.ts";

/** Unit vectors from `meaningOf`. Undefined for a text without words. */
export interface FieldMeaning {
  description: Float32Array | undefined;
  name: Float32Array | undefined;
  /** The name and the description as one text. */
  both: Float32Array | undefined;
}

/** @param name name of the field as an identifier or as words: `invoice_no`, "Invoice no." */
export function fieldMeaningOf(name: string, description: string): FieldMeaning {
  const words = spellOut(name);
  return {
    description: meaningOf(description),
    name: meaningOf(words),
    both: meaningOf(`${words} ${description}`),
  };
}

const noTypes: AskTypes = { types: new Float32Array(askTypes.length), parties: new Float32Array(askParties.length) };

/**
 * Returns the type of value that the field asks for. All entries are 0 if the words of the field
 * have no vector.
 */
export const typesAskedBy = ({ both }: FieldMeaning): AskTypes => (both ? askTypesOf(both) : noTypes);
