/**
 * `npm run fit -- lists` fits two kinds of weights: those that choose the tables of a list, and
 * those that assign columns to item fields. Writes `section-weights.ts` and `column-weights.ts` of
 * `server/src/engine/extract/lists/`. `--leave-out` fits without each author in turn, measures on
 * the documents of that author, and writes nothing; `--show` also lists the errors. `--sections`
 * keeps the weights of columns. Takes about two minutes.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bestAssignment } from "../../server/src/engine/extract/lists/best-assignment.ts";
import { columnFeatures } from "../../server/src/engine/extract/lists/column-features.ts";
import { columnWeights as writtenWeights } from "../../server/src/engine/extract/lists/column-weights.ts";
import { logitOf } from "../../server/src/engine/extract/lists/logit.ts";
import { sectionFeatures } from "../../server/src/engine/extract/lists/section-features.ts";
import { type Choice, fitChoices } from "../choices.ts";
import { type Example, readExamples, type SectionExample } from "./examples.ts";
import { columnSigns, sectionSigns } from "./signs.ts";

/**
 * Authors to whose documents the column weights are fitted. There are fewer than for the section
 * weights. When the column weights were also fitted to authors 04 to 06 and 11 to 17, the list rows
 * of authors 19 to 22 did not improve (F1 0.508 and 0.507), and the F1 of the list rows of papers-a
 * fell by 0.018. The documents of authors who are neither here nor in `sectionAuthors` are for
 * checks.
 */
const columnAuthors: ReadonlySet<string> = new Set(["01", "02", "03", "papers-a"]);
const sectionAuthors: ReadonlySet<string> = new Set([
  ...columnAuthors,
  ...["04", "05", "06", "11", "12", "13", "14", "15", "16", "17", "19", "20", "21", "22"],
]);
/**
 * Regularization: factor of the squared weights in the loss. The best of values from 0.0001 to
 * 0.003, measured on left-out authors.
 */
const columnDecay = 0.001;
const sectionDecay = 0.0005;

export async function fitLists(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { "leave-out": { type: "boolean" }, sections: { type: "boolean" }, show: { type: "boolean" } },
  });
  const examples = await readExamples(sectionAuthors);
  const columns = examples.columns.filter(({ author }) => columnAuthors.has(author));
  const { sections } = examples;
  const show = values.show === true;
  if (values["leave-out"]) {
    for (const shuffled of [false, true])
      leaveOut(columns, (own, others) =>
        reportColumns(
          own.filter((example) => example.shuffled === shuffled),
          fitColumns(others),
          show,
        ),
      );
    leaveOut(sections, (own, others) => {
      const authors = new Set(others.map(({ author }) => author));
      const columnWeights = fitColumns(columns.filter(({ author }) => authors.has(author)));
      return reportSections(own, fitSections(others, columnWeights), columnWeights, show);
    });
    return;
  }
  const columnWeights = values.sections ? columnFeatures.map((name) => writtenWeights[name]) : fitColumns(columns);
  if (!values.sections) write("column", columnFeatures, columnWeights, `${columns.length} item fields`);
  write("section", sectionFeatures, fitSections(sections, columnWeights), `${sections.length} lists`);
}

function leaveOut<T extends { author: string }>(
  examples: readonly T[],
  measure: (own: T[], others: T[]) => number[],
): void {
  const sums: number[] = [];
  for (const [author, own] of Map.groupBy(examples, (example) => example.author)) {
    const counts = measure(
      own,
      examples.filter((example) => example.author !== author),
    );
    console.log(author, counts.join(" of "));
    for (const [at, count] of counts.entries()) sums[at] = (sums[at] ?? 0) + count;
  }
  console.log("all", sums.join(" of "));
}

const fitColumns = (examples: readonly Example[]): number[] =>
  fitChoices(
    examples.map(({ columns, right }): Choice => ({ options: columns, right: right < 0 ? [] : [right] })),
    columnFeatures.map((name) => columnSigns[name]),
    columnDecay,
  );

const fitSections = (examples: readonly SectionExample[], columnWeights: readonly number[]): number[] =>
  fitChoices(
    examples.map(
      ({ sections }): Choice => ({
        options: sections.map(({ features }) => features(columnWeights)),
        right: sections.flatMap(({ right }, at) => (right ? [at] : [])),
      }),
    ),
    sectionFeatures.map((name) => sectionSigns[name]),
    sectionDecay,
  );

function write(name: string, features: readonly string[], weights: readonly number[], what: string): void {
  const keyOf = (feature: string): string => (/^\w+$/.test(feature) ? feature : JSON.stringify(feature));
  const lines = features.map((feature, at) => `  ${keyOf(feature)}: ${weights[at] ?? 0},`);
  writeFileSync(
    join(import.meta.dirname, `../../server/src/engine/extract/lists/${name}-weights.ts`),
    `/**\n * Weights of the features of a ${name}, in logits.\n * Made by \`npm run fit -- lists\` from ${what}.\n */\n` +
      `import type { ${name}Features } from "./${name}-features.ts";\n\n` +
      `export const ${name}Weights: Record<(typeof ${name}Features)[number], number> = {\n${lines.join("\n")}\n};\n`,
  );
}

/**
 * Returns the numbers of correct columns, all columns, completely correct lists, and all lists. If
 * `show` is true, also prints the errors.
 */
function reportColumns(examples: readonly Example[], weights: readonly number[], show: boolean): number[] {
  let [right, whole, lists] = [0, 0, 0];
  for (const [list, items] of Map.groupBy(examples, (example) => example.list)) {
    const assigned = bestAssignment(items.map(({ columns }) => columns.map((row) => logitOf(row, weights))));
    const hits = items.filter((item, at) => (assigned[at] ?? -1) === item.right).length;
    right += hits;
    lists++;
    if (hits === items.length) whole++;
    else if (show) {
      console.log(`${list}: ${(items[0]?.headings ?? []).join(" | ").slice(0, 300)}`);
      for (const [at, item] of items.entries())
        if ((assigned[at] ?? -1) !== item.right)
          console.log(
            `   ${item.item} "${item.description}": ${assigned[at]} instead of ${item.right}, ${item.headings[item.right]}`,
          );
    }
  }
  return [right, examples.length, whole, lists];
}

/**
 * Returns the number of correct choices and the number of lists. If `show` is true, also prints the
 * errors.
 */
function reportSections(
  examples: readonly SectionExample[],
  weights: readonly number[],
  columnWeights: readonly number[],
  show: boolean,
): number[] {
  const right = examples.filter(({ list, sections }) => {
    const logits = sections.map(({ features }) => logitOf(features(columnWeights), weights));
    const best = logits.indexOf(Math.max(0, ...logits));
    const isRight = best < 0 ? !sections.some((section) => section.right) : sections[best]?.right === true;
    if (!isRight && show)
      console.log(`${list}: ${sections[best]?.text}\n   instead of ${sections.find((section) => section.right)?.text}`);
    return isRight;
  });
  return [right.length, examples.length];
}
