/**
 * Predicts, from the words of a field, which type of value the field asks for and which party the
 * value belongs to. The classifier is linear over meaning vectors. `npm run fit -- ask-types`
 * computes its weights, which are in `ask-types.bin`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { meaningDimensions as dimensions } from "./meaning-features.ts";

export const askTypes = [
  "amount",
  "date",
  "text",
  "quantity",
  "code",
  "person",
  "duration",
  "boolean",
  "percent",
  "number",
  "organisation",
  "list_item",
  "place",
  "phone",
  "address",
  "account",
] as const;
export type AskType = (typeof askTypes)[number];
/** Parties that a value may belong to; `other` is a third party. */
export const askParties = ["nobody", "sender", "recipient", "other"] as const;

export interface AskTypes {
  /** Probabilities in the order of `askTypes`. */
  types: Float32Array;
  /** Probabilities in the order of `askParties`. */
  parties: Float32Array;
}

let loaded: Float32Array | undefined;

function weights(): Float32Array {
  if (loaded === undefined) {
    const bytes = readFileSync(join(import.meta.dirname, "ask-types.bin"));
    loaded = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  }
  return loaded;
}

/** @param vector meaning of a text, as `meaningOf` returns it */
export const askTypesOf = (vector: Float32Array): AskTypes => ({
  types: typesOf(vector),
  parties: softmax(vector, askTypes.length, askParties.length),
});

/** Like `askTypesOf`, but computes and returns only `types`. */
export const typesOf = (vector: Float32Array): Float32Array => softmax(vector, 0, askTypes.length);

function softmax(vector: Float32Array, first: number, count: number): Float32Array {
  const all = weights();
  const shares = new Float32Array(count);
  let highest = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < count; at++) {
    const from = (first + at) * (dimensions + 1);
    let sum = all[from + dimensions] as number;
    for (let d = 0; d < dimensions; d++) sum += (all[from + d] as number) * (vector[d] as number);
    shares[at] = sum;
    highest = Math.max(highest, shares[at] as number);
  }
  let total = 0;
  for (let at = 0; at < count; at++) {
    shares[at] = Math.exp((shares[at] as number) - highest);
    total += shares[at] as number;
  }
  for (let at = 0; at < count; at++) shares[at] = (shares[at] as number) / total;
  return shares;
}
