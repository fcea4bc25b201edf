/**
 * `npm run fit -- concepts` writes, for each concept, the mean vector of its questions and the mean
 * vector of its labels to `server/src/language/concepts.bin`. Takes a few seconds. Run it after
 * `npm run fit -- meaning`.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { meaningOf } from "../../server/src/language/meaning.ts";
import { meaningDimensions as dimensions } from "../../server/src/language/meaning-features.ts";
import { languages, type Phrases, readConcepts } from "./corpus.ts";

export function fitConcepts(): void {
  const concepts = readConcepts();
  const rows = [...concepts.map(({ asks }) => bytesOf(asks)), ...concepts.map(({ labels }) => bytesOf(labels))];
  writeFileSync(join(import.meta.dirname, "../../server/src/language/concepts.bin"), Buffer.concat(rows));
}

/** Returns the mean vector of the phrases as signed bytes. Only its direction matters. */
function bytesOf(phrases: Phrases): Buffer {
  const sum = new Float32Array(dimensions);
  for (const language of languages)
    for (const phrase of phrases[language]) {
      const vector = meaningOf(phrase);
      for (let d = 0; d < dimensions; d++) sum[d] = (sum[d] ?? 0) + (vector?.[d] ?? 0);
    }
  const greatest = sum.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9);
  return Buffer.from(Int8Array.from(sum, (value) => Math.round((127 * value) / greatest)).buffer);
}
