/**
 * `npm run fit -- WHAT`: fits weights of the engine to data, and measures them on held-out data.
 * `npm run fit -- check` repeats the fits that are quick, and compares their results with the
 * committed ones.
 */
import { fitAnswers } from "./answers/fit-answers.ts";
import { fitBoundaries } from "./boundaries/fit-boundaries.ts";
import { checkFits } from "./check.ts";
import { fitConfidence } from "./confidence/fit-confidence.ts";
import { fitKinds } from "./kinds/fit-kinds.ts";
import { fitLists } from "./lists/fit-lists.ts";
import { fitAskTypes } from "./meaning/fit-ask-types.ts";
import { fitConcepts } from "./meaning/fit-concepts.ts";
import { fitMeaning } from "./meaning/fit-meaning.ts";
import { fitParties } from "./parties/fit-parties.ts";
import { fitRanking } from "./ranking/fit-ranking.ts";
import { fitValueTypes } from "./value-types/fit-value-types.ts";

const fits: Record<string, (args: readonly string[]) => void | Promise<void>> = {
  meaning: fitMeaning,
  concepts: fitConcepts,
  "ask-types": fitAskTypes,
  "value-types": fitValueTypes,
  ranking: fitRanking,
  answers: fitAnswers,
  lists: fitLists,
  boundaries: fitBoundaries,
  parties: fitParties,
  kinds: fitKinds,
  confidence: fitConfidence,
  check: checkFits,
};

const fit = fits[process.argv[2] ?? ""];
if (!fit) throw new Error(`Name what to fit: ${Object.keys(fits).join(", ")}.`);
await fit(process.argv.slice(3));
