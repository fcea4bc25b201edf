/**
 * `npm run fit -- WHAT`: fits numbers of the engine to data, and measures them on held-out data.
 */
import { fitMeaning } from "./meaning/fit-meaning.ts";

const fits: Record<string, (args: readonly string[]) => void> = { meaning: fitMeaning };

const fit = fits[process.argv[2] ?? ""];
if (!fit) throw new Error(`Name what to fit: ${Object.keys(fits).join(", ")}.`);
fit(process.argv.slice(3));
