/**
 * Extracts lists: chooses the tables whose columns best fit the item fields, and reads the rows of
 * these tables.
 */
import type { EvidenceRecord, EvidenceValue, ListLedger, Value, ValueRecord } from "../../engine.ts";
import { define } from "../../values/define-member.ts";
import type { DocumentView } from "../candidates/document-view.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import { sectionsOfList } from "./choose-sections.ts";
import { extendSections } from "./extend-section.ts";
import { headlessItems } from "./headless-lists.ts";
import { ledgerOf } from "./ledger/list-ledger.ts";
import { type ListItem, withDates, withoutSums } from "./list-items.ts";
import { hasOnlyMarks, leafOf } from "./list-leaf.ts";
import { pricedItems } from "./priced-items.ts";
import { itemsOfSection } from "./section-rows.ts";

export interface ListAnswer {
  value: ValueRecord[];
  evidence: EvidenceRecord[];
  ledger: ListLedger;
}

export function extractList(query: AskedField, view: DocumentView): ListAnswer {
  const answer: Omit<ListAnswer, "ledger"> = { value: [], evidence: [] };
  const items = query.items.length === 0 ? [] : itemsOf(query, view);
  const given: ListItem[] = [];
  const marked = new Set(query.items.filter((asked) => hasOnlyMarks(asked, items)));
  for (const item of items) {
    const record = recordOf(query, item, marked, view);
    if (!record) continue;
    given.push(item);
    answer.value.push(record.value);
    answer.evidence.push(record.evidence);
  }
  return { ...answer, ledger: ledgerOf(query.name, given, view) };
}

/**
 * Returns the items of a list. Invoice and order lines are read by special rules, unless another
 * table has more of the requested columns.
 */
function itemsOf(query: AskedField, view: DocumentView): ListItem[] {
  const priced = isPriced(query) ? pricedItems(query, view) : [];
  const isWhole = (items: readonly ListItem[]): boolean => columnsOf(items) === query.items.length;
  const others = isWhole(priced) ? [] : itemsOfSections(query, view);
  const items = !isPriced(query) || columnsOf(others) > columnsOf(priced) ? others : priced;
  return withDates(withoutSums(items, view.locale), view.locale).filter((item) => !item.extra);
}

/** Returns how many item fields have a column. */
const columnsOf = (items: readonly ListItem[]): number =>
  Math.max(0, ...items.map(({ head }) => head.columns.filter((column) => column.item).length));

function itemsOfSections(query: AskedField, view: DocumentView): ListItem[] {
  const sections = query.items.length > 1 ? extendSections(sectionsOfList(query, view), view) : [];
  const items = sections.flatMap((section) => itemsOfSection(section, view.locale));
  return items.length > 0 ? items : headlessItems(query, view);
}

/**
 * Returns true for fields of invoice or order lines: a description, a total, and a quantity or
 * price.
 */
function isPriced({ items }: AskedField): boolean {
  const has = (key: string): boolean => items.some((item) => item.concept?.key === key);
  return has("line_description") && has("line_total") && (has("quantity") || has("unit_price"));
}

function recordOf(
  query: AskedField,
  item: ListItem,
  marked: ReadonlySet<AskedField>,
  view: DocumentView,
): { value: ValueRecord; evidence: EvidenceRecord } | undefined {
  const value: ValueRecord = {};
  const evidence: EvidenceRecord = {};
  let any = false;
  for (const asked of query.items) {
    const leaf = leafOf(asked, item, marked.has(asked), view);
    define<Value>(value, asked.name, leaf?.value ?? null);
    define<EvidenceValue>(evidence, asked.name, leaf?.evidence ?? null);
    any ||= leaf !== undefined;
  }
  return any ? { value, evidence } : undefined;
}
