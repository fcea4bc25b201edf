/**
 * Fails if a regular expression takes more than linear time for some text, because untrusted text
 * could then block the service.
 *
 * Uses two tests. The first analyses the expression, and is exact for texts that repeat one
 * character. The second times trial texts, and thus also covers repeated groups of characters, and
 * lookaheads. Slow expressions that get only short text are listed in `expressions/bounded.ts`,
 * with the reason why the text is short.
 */
import { resolve } from "node:path";
import { analyse } from "scslre";
import { slowTextFor } from "./expressions/attack.ts";
import { bounded } from "./expressions/bounded.ts";
import { collectExpressions, type Expression } from "./expressions/collect.ts";

const root = resolve(import.meta.dirname, "..");

const { expressions, problems } = await collectExpressions(root);
const used = new Set<(typeof bounded)[number]>();
for (const expression of expressions) {
  const entry = bounded.find((each) => each.file === expression.file && each.source === expression.source);
  if (entry) used.add(entry);
  const slow = entry ? undefined : whySlow(expression);
  if (slow !== undefined) problems.push(`${expression.place} /${expression.source}/${expression.flags}\n    ${slow}`);
}
for (const entry of bounded.filter((each) => !used.has(each)))
  problems.push(`scripts/expressions/bounded.ts: ${entry.file} /${entry.source}/ does not exist any more`);

function whySlow({ source, flags }: Expression): string | undefined {
  const { reports } = analyse({ source, flags });
  const [report] = reports;
  if (report) return `${report.exponential ? "exponential" : "polynomial"} when ${report.character.pick} is repeated`;
  const text = slowTextFor(new RegExp(source, flags));
  if (!text) return undefined;
  const { pump, prefix, suffix, growth } = text;
  const shown = [prefix, pump, suffix].map((each) => JSON.stringify(each));
  return `four times the text takes ${growth.toFixed(1)} times as long: ${shown[1]} repeated between ${shown[0]} and ${shown[2]}`;
}

for (const problem of problems) console.error(problem);
console.log(
  `${expressions.length} expressions checked, ${bounded.length} of them only for short text, ${problems.length} problems`,
);
process.exitCode = problems.length > 0 ? 1 : 0;
