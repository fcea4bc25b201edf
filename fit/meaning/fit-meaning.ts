/**
 * `npm run fit -- meaning` trains vectors for words and letter n-grams on the whole corpus, and
 * writes them to `server/src/language/meaning.bin`. `--hold 08` trains without one author's part,
 * measures on that part and writes nothing. Takes about twenty minutes of processor time.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { mulberry32 } from "../random.ts";
import { readConcepts } from "./corpus.ts";
import { evaluate, measured } from "./evaluate.ts";
import { train } from "./train.ts";

export function fitMeaning(args: readonly string[]): void {
  const { values } = parseArgs({
    args: [...args],
    options: { hold: { type: "string" }, steps: { type: "string", default: "12000" } },
  });
  const concepts = readConcepts();
  const held = concepts.filter(({ part }) => part === values.hold);
  if (values.hold !== undefined && held.length === 0) throw new Error("There are parts 01 to 27.");
  const others = concepts.filter(({ part }) => part !== values.hold);
  const random = mulberry32(1);
  const table = train(others, Number(values.steps), random, (step, loss) => console.error(step, loss.toFixed(3)));
  if (values.hold === undefined) {
    writeFileSync(join(import.meta.dirname, "../../server/src/language/meaning.bin"), table.toBytes());
    return;
  }
  console.table(
    measured.map((pair) => {
      const { asks, first, reciprocalRank } = evaluate(table, held, pair, mulberry32(2));
      return {
        asked: pair[0],
        printed: pair[1],
        asks,
        first: first.toFixed(2),
        "reciprocal rank": reciprocalRank.toFixed(2),
      };
    }),
  );
}
