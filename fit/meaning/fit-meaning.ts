/**
 * `npm run fit -- meaning` trains vectors for words, letter n-grams and pairs of words on the whole
 * corpus, and writes them to `server/src/language/meaning.bin`. `--hold 08` trains without one
 * author's part, measures on that part and writes nothing. `--measure` measures the current
 * `meaning.bin` on the parts in `new/`, which were written after its training. Training takes about
 * twenty minutes of processor time.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { meaningOf } from "../../server/src/language/meaning.ts";
import { meaningDimensions as dimensions } from "../../server/src/language/meaning-features.ts";
import { mulberry32 } from "../random.ts";
import { type Concept, readConcepts, readNewConcepts } from "./corpus.ts";
import { evaluate, measured } from "./evaluate.ts";
import type { MeaningTable } from "./table.ts";
import { train } from "./train.ts";

export function fitMeaning(args: readonly string[]): void {
  const { values } = parseArgs({
    args: [...args],
    options: {
      hold: { type: "string" },
      measure: { type: "boolean", default: false },
      steps: { type: "string", default: "12000" },
    },
  });
  if (values.measure) {
    for (const [part, own] of Map.groupBy(readNewConcepts(), (concept) => concept.part))
      report(part, own, (text) => meaningOf(text) ?? new Float32Array(dimensions));
    return;
  }
  const concepts = readConcepts();
  const held = concepts.filter(({ part }) => part === values.hold);
  if (values.hold !== undefined && held.length === 0) throw new Error("No part has this number.");
  const others = concepts.filter(({ part }) => part !== values.hold);
  const random = mulberry32(1);
  const table = train(others, Number(values.steps), random, (step, loss) => console.error(step, loss.toFixed(3)));
  if (values.hold === undefined) {
    writeFileSync(join(import.meta.dirname, "../../server/src/language/meaning.bin"), table.toBytes());
    return;
  }
  report(values.hold, held, vectorsOf(table));
}

const vectorsOf =
  (table: MeaningTable) =>
  (text: string): Float32Array => {
    const vector = new Float32Array(dimensions);
    table.embed(text, vector);
    return vector;
  };

function report(part: string, concepts: readonly Concept[], vectorOf: (text: string) => Float32Array): void {
  console.log(`part ${part}: ${concepts.length} concepts`);
  console.table(
    measured.map((pair) => {
      const { asks, first, reciprocalRank } = evaluate(vectorOf, concepts, pair, mulberry32(2));
      return {
        asked: pair[0],
        printed: pair[1],
        asks,
        first: first.toFixed(3),
        "reciprocal rank": reciprocalRank.toFixed(3),
      };
    }),
  );
}
