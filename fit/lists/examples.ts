/**
 * Creates the training examples for the weights of columns and sections, from lists whose rows are
 * known.
 */
import type { LeafValue } from "../../server/src/engine/engine.ts";
import { documentViewOf } from "../../server/src/engine/extract/candidates/document-view.ts";
import { type AskedField, readAskedFields } from "../../server/src/engine/extract/labels/asked-fields.ts";
import { assignmentOf, describedColumns } from "../../server/src/engine/extract/lists/assign-columns.ts";
import { sectionsOf } from "../../server/src/engine/extract/lists/choose-sections.ts";
import { featuresOf } from "../../server/src/engine/extract/lists/column-features.ts";
import { isMark } from "../../server/src/engine/extract/lists/column-profile.ts";
import type { Column } from "../../server/src/engine/extract/lists/list-heads.ts";
import { sectionFeaturesOf } from "../../server/src/engine/extract/lists/section-features.ts";
import type { Section } from "../../server/src/engine/extract/lists/table-sections.ts";
import { findValues } from "../../server/src/engine/values/find-values.ts";
import type { Locale } from "../../server/src/engine/values/locale.ts";
import type { Document } from "../../server/src/reading/document.ts";
import { type FittedPaper, readFittedPapers, type TrueRow, withDocuments } from "../papers/fitted-papers.ts";
import { isSame, textKey } from "../papers/same-value.ts";
import { inRandomOrder, mulberry32 } from "../random.ts";

/** An item field of a list, such as `amount`, with the table that contains the list. */
export interface Example {
  paper: string;
  author: string;
  item: string;
  description: string;
  headings: readonly string[];
  /** Features of each column of the table. */
  columns: readonly (readonly number[])[];
  /** Index of the correct column; -1 if there is none. */
  right: number;
  /** Name of the list. All item fields of a list have the same list name. */
  list: string;
  /** True if the item fields were put into random order. */
  shuffled: boolean;
}

/** The sections of a document, each of which could be the list. */
export interface SectionExample {
  list: string;
  author: string;
  sections: readonly {
    /** Returns the features of the section if its columns are assigned with these weights. */
    features(columnWeights: readonly number[]): number[];
    right: boolean;
    text: string;
  }[];
}

export interface Examples {
  columns: Example[];
  sections: SectionExample[];
}

export async function readExamples(authors: ReadonlySet<string>): Promise<Examples> {
  const papers = readFittedPapers().filter(({ author, lists }) => authors.has(author) && Object.keys(lists).length > 0);
  const examples: Examples = { columns: [], sections: [] };
  for await (const [paper, document] of withDocuments(papers)) {
    const own = examplesOf(paper, document);
    examples.columns.push(...own.flatMap(({ columns }) => columns));
    examples.sections.push(...own.map(({ sections }) => sections));
  }
  return examples;
}

/** Minimum share (0–1) of a list's rows that a section must contain to count as the list. */
const minShare = 0.5;
/** Minimum share (0–1) of an item field's values that a column must contain to count as correct. */
const minValues = 0.6;

function examplesOf(
  { name: paper, author, params, lists }: FittedPaper,
  document: Document,
): { columns: Example[]; sections: SectionExample }[] {
  const fields = readAskedFields(params);
  const view = documentViewOf(document, fields);
  return Object.entries(lists).flatMap(([name, rows]) => {
    const query = fields.find((field) => field.name === name);
    if (!query || rows.length === 0) return [];
    const list = `${paper} ${name}`;
    const judged = sectionsOf(query, view)
      .flat()
      .map((section) => {
        const match = matchOf(section, rows, query.items, view.locale);
        const enough = match.rows >= minShare * Math.min(rows.length, section.rows.length) && match.rows > 1;
        const own = !enough ? -1 : match.cells - 0.2 * query.items.length * section.rows.length;
        return { section, right: match.right, found: own };
      });
    const best = judged.reduce((a, b) => (b.found > a.found ? b : a), {
      found: 0,
      section: undefined,
      right: [] as number[],
    } as { found: number; section: undefined; right: number[] } | (typeof judged)[number]);
    const sections: SectionExample = {
      list,
      author,
      sections: judged.map(({ section, found }) => ({
        features: (columnWeights) =>
          sectionFeaturesOf(query, section, assignmentOf(section, view.locale, columnWeights), view.locale),
        right: best.section !== undefined && found >= best.found,
        text: `${section.head.columns.map((column) => column.text).join(" | ")} // ${[...(section.rows[0]?.cells.values() ?? [])].map((cell) => cell.text).join(" | ")}`.slice(
          0,
          200,
        ),
      })),
    };
    const { section, right } = best;
    if (!section) return [{ columns: [], sections }];
    const columns = describedColumns(section, view.locale);
    const examples = (order: readonly number[], shuffled: boolean): Example[] => {
      const items = order.flatMap((at) => query.items[at] ?? []);
      return featuresOf(items, columns).map((features, at) => ({
        paper,
        author,
        item: items[at]?.name ?? "",
        description: items[at]?.description ?? "",
        headings: columns.map(({ heading }) => heading),
        columns: features,
        right: right[order[at] ?? -1] ?? -1,
        list: `${list}${shuffled ? " shuffled" : ""}`,
        shuffled,
      }));
    };
    const inOrder = query.items.map((_, at) => at);
    const drawn = random() < shuffledShare ? examples(inRandomOrder(inOrder, random), true) : [];
    return [{ columns: [...examples(inOrder, false), ...drawn], sections }];
  });
}

/**
 * Share (0–1) of lists that are also used a second time, with their item fields in random order.
 * Most users ask for item fields in the printed order, but not all.
 */
const shuffledShare = 0.4;
const random = mulberry32(1);

/**
 * Returns the index of the correct column of each item field, and how many rows and cells of the
 * list the section contains.
 */
function matchOf(
  { head, rows }: Section,
  truth: readonly TrueRow[],
  items: readonly AskedField[],
  locale: Locale,
): { right: number[]; rows: number; cells: number } {
  const holds = (row: Section["rows"][number], column: Column, item: AskedField, value: LeafValue): boolean => {
    const text = row.cells.get(column)?.text ?? "";
    return text !== "" && isIn(text, item, value, locale);
  };
  const counts = items.map(() => head.columns.map(() => 0));
  let [matched, cells] = [0, 0];
  for (const expected of truth) {
    let best: { row: Section["rows"][number]; hits: number } | undefined;
    for (const row of rows) {
      const hits = items.filter(
        (item) =>
          expected[item.name] !== null &&
          head.columns.some((column) => holds(row, column, item, expected[item.name] ?? null)),
      ).length;
      if (hits > (best?.hits ?? 0)) best = { row, hits };
    }
    const filled = items.filter((item) => expected[item.name] !== null).length;
    if (!best || best.hits < filled * minValues) continue;
    matched++;
    cells += best.hits;
    for (const [i, item] of items.entries())
      for (const [c, column] of head.columns.entries())
        if (expected[item.name] !== null && holds(best.row, column, item, expected[item.name] ?? null))
          (counts[i] as number[])[c] = (counts[i]?.[c] ?? 0) + 1;
  }
  const right = items.map((item, i) => {
    const filled = truth.filter((row) => row[item.name] !== null).length;
    const own = counts[i] ?? [];
    const most = Math.max(0, ...own);
    return most > 0 && most >= minValues * Math.min(filled, matched) ? own.indexOf(most) : -1;
  });
  return { right, rows: matched, cells };
}

function isIn(text: string, item: AskedField, value: LeafValue, locale: Locale): boolean {
  if (item.format === "boolean") return isMark(text);
  if (item.format === "text") {
    const [cell, expected] = [textKey(text), textKey(value)];
    return cell === expected || (expected.length > 5 && cell.includes(expected));
  }
  if (item.format === "date") return findValues(text, "date", locale).some((found) => found.value === value);
  return findValues(text, "number", locale)
    .concat(findValues(text, "percent", locale))
    .some((found) => isSame(Math.abs(Number(found.value)), Math.abs(Number(value)), "number"));
}
