/**
 * Chooses the sections that make up a list. A section is a table, a part of a table, or a block of
 * rows in columns.
 */

import type { Box } from "../../../reading/document.ts";
import { centreX } from "../../page/text-runs.ts";
import type { DocumentView } from "../candidates/document-view.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import { type Assignment, assignmentOf } from "./assign-columns.ts";
import { withGroupColumn } from "./group-column.ts";
import { logitOf } from "./logit.ts";
import { sectionsOfRows } from "./row-sections.ts";
import { sectionFeatures, sectionFeaturesOf } from "./section-features.ts";
import { sectionWeights } from "./section-weights.ts";
import { type ColumnSplit, splitBy, splitSection, splitsOf } from "./split-columns.ts";
import { type Section, sectionsOfTable } from "./table-sections.ts";

interface Rated {
  section: Section;
  assignment: Assignment;
  score: number;
}

/**
 * Minimum score of a section, in logits. A section with a score of 0 is as likely to be the list as
 * not. A minimum of 0.25 gave better list rows than 0 on papers-a and authors 11 to 17. Chosen by
 * hand, 2026-11.
 */
const minScore = 0.25;
/**
 * Minimum score, in logits, of a section that has headings and a column for every item field. It is
 * lower than `minScore` because such a section may be short. Chosen by hand, 2026-11.
 */
const minSureScore = -2;
/**
 * Minimum mean probability of the columns of a section to which `minSureScore` applies. Chosen by
 * hand, 2026-11.
 */
const minSure = 0.7;

/**
 * Returns, for each table and each block of rows that are aligned in columns, its possible
 * sections. One table or block can be read in several ways.
 */
export const sectionsOf = (query: AskedField, view: DocumentView): Section[][] =>
  view.layout.pages
    .flatMap((page) => [
      ...page.page.tables.map((table) => sectionsOfTable(page, table, query.items)),
      ...sectionsOfRows(page, query.items),
    ])
    .map((readings) => readings.flatMap((section) => [section, splitSection(section) ?? []].flat()));

/** Returns the sections of the list in document order, with their columns assigned. */
export function sectionsOfList(query: AskedField, view: DocumentView): Section[] {
  const readings = sectionsOf(query, view)
    .filter((sections) => sections.length > 0)
    .map((sections) => sections.map((section) => rate(section, query, view)).sort((a, b) => b.score - a.score));
  const rated = readings.flatMap(([first]) => first ?? []);
  const best = rated.reduce<Rated | undefined>((a, b) => (b.score > (a?.score ?? minScoreOf(b)) ? b : a), undefined);
  if (!best) return [];
  const lead = leadOf(best, rated);
  const at = rated.indexOf(lead);
  const split = withSplits(lead, query, view);
  // In a long list, the best reading may use different headings on one page than on the next.
  // Therefore, all readings of the other tables are tried, from the best to the worst.
  return readings.flatMap((others, index) => {
    if (index === at) return [settled(split.rated.section, split.rated)];
    const other = others.find((each) => continues(lead, each, index > at));
    return other ? [settled(split.changes.reduce(changed, other.section), split.rated)] : [];
  });
}

/** Maximum number of changes to the columns of one list. Chosen by hand, 2026-11. */
const maxSplits = 3;

/** A change of the columns: a split, or a new column with the headings of groups. */
type Change = ColumnSplit | "groups";

const changed = (section: Section, change: Change): Section =>
  change === "groups" ? (withGroupColumn(section) ?? section) : splitBy(section, change);

/**
 * Splits or adds columns as long as each change assigns a column to more item fields and raises the
 * section's score. For example, a cell may have the code in its first line and the description in
 * its second.
 */
function withSplits(lead: Rated, query: AskedField, view: DocumentView): { rated: Rated; changes: Change[] } {
  const changes: Change[] = [];
  let rated = lead;
  while (changes.length < maxSplits && filledColumns(rated) < query.items.length) {
    const tried: Change[] = [...splitsOf(rated.section), ...(changes.includes("groups") ? [] : ["groups" as const])];
    let best: { rated: Rated; change: Change } | undefined;
    for (const change of tried) {
      const other = rate(changed(rated.section, change), query, view);
      const isBetter = filledColumns(other) > filledColumns(rated) && other.score > rated.score;
      if (isBetter && other.score > (best?.rated.score ?? rated.score)) best = { rated: other, change };
    }
    if (!best) break;
    rated = best.rated;
    changes.push(best.change);
  }
  return { rated, changes };
}

/** Returns how many item fields have a column that is not empty. */
const filledColumns = ({ section, assignment }: Rated): number =>
  assignment.columns.filter(({ column }) => section.rows.some((row) => row.cells.has(column))).length;

const minScoreOf = ({ section, assignment }: Rated): number => {
  const isWhole = assignment.columns.length === section.head.items.length && assignment.score >= minSure;
  return isWhole && headingsOf(section) !== "" ? minSureScore : minScore;
};

/**
 * Returns the section with which the headings of the other sections are compared. This is the best
 * section or, if it has no headings, an earlier section with headings and the same columns.
 */
function leadOf(best: Rated, rated: readonly Rated[]): Rated {
  if (headingsOf(best.section) !== "") return best;
  const before = rated.slice(0, rated.indexOf(best));
  return (
    before.findLast(
      (other) =>
        other.score > minScore && headingsOf(other.section) !== "" && hasSameColumns(other.section, best.section),
    ) ?? best
  );
}

const weights = sectionFeatures.map((name) => sectionWeights[name]);

function rate(section: Section, query: AskedField, view: DocumentView): Rated {
  const assignment = assignmentOf(section, view.locale);
  const features = sectionFeaturesOf(query, section, assignment, view.locale);
  return { section, assignment, score: logitOf(features, weights) };
}

/**
 * Maximum distance, in points, between the edges of the same column on two pages. Chosen by hand,
 * 2026-11.
 */
const maxShift = 8;

/**
 * Returns true if the other section belongs to the same list, that is, has the same columns and the
 * same headings. A later section may also have no headings.
 */
function continues(best: Rated, other: Rated, isBelow: boolean): boolean {
  if (!hasSameColumns(best.section, other.section)) return false;
  const headings = headingsOf(other.section);
  return headings === headingsOf(best.section) || (headings === "" && isBelow);
}

function hasSameColumns({ head: a }: Section, { head: b }: Section): boolean {
  if (a.columns.length !== b.columns.length || (a.table === undefined) !== (b.table === undefined)) return false;
  return a.columns.every((column, at) => isAligned(column.box, b.columns[at]?.box ?? column.box));
}

/**
 * Returns the texts of the headings. If the section was read without headings but the document
 * reader found a header row in its table, returns the texts of the section's first row.
 */
const headingsOf = ({ head, rows }: Section): string => {
  const texts = head.columns.map((column) => column.text);
  const isRead = texts.some((text) => text !== "") || (head.table?.headerRows ?? 0) === 0;
  return (isRead ? texts : head.columns.map((column) => rows[0]?.cells.get(column)?.text ?? "")).join(" ").trim();
};

const isAligned = (a: Box, b: Box): boolean =>
  Math.min(Math.abs(a[0] - b[0]), Math.abs(a[2] - b[2]), Math.abs(centreX(a) - centreX(b))) < maxShift;

/**
 * Assigns item fields to the columns of a section by copying them, position by position, from the
 * best section.
 */
function settled(section: Section, best: Rated): Section {
  for (const { item, column, probability } of best.assignment.columns) {
    const own = section.head.columns[best.section.head.columns.indexOf(column)];
    if (own) [own.item, own.score] = [item, probability];
  }
  return section;
}
