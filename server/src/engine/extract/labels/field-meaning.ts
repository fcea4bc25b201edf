/** Computes the meaning of a field's words and the type of value that they ask for. */
import { type AskTypes, askParties, askTypes, askTypesOf } from "../../../language/ask-types.ts";
import { spellOut } from "../../../language/label-tokens.ts";
import { meaningOf } from "../../../language/meaning.ts";

/** Unit vectors from `meaningOf`. Undefined for a text without a word. */
export interface FieldMeaning {
  description: Float32Array | undefined;
  name: Float32Array | undefined;
  /** The name and the description as one text. */
  both: Float32Array | undefined;
}

/** @param name name of the field, in code style or as words */
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
 * Returns the type of value that the field asks for. All entries are 0 if the field's words have no
 * meaning vector.
 */
export const typesAskedBy = ({ both }: FieldMeaning): AskTypes => (both ? askTypesOf(both) : noTypes);
