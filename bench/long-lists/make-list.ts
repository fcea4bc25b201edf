/** Generates long lists whose correct values are known, with headings, sums and page breaks. */
import type { ExtractionParam, ParamFormat } from "@sheaf/contract/params.ts";
import { mulberry32 } from "../../fit/random.ts";
import type { LeafValue } from "../../server/src/engine/engine.ts";
import words from "./words.json" with { type: "json" };

export type Language = keyof typeof words;
export type ListKind = keyof typeof columnsOfKind;
type ColumnKey = keyof (typeof words)["en"]["columns"];

/** Layout and length of a list. */
export interface ListPlan {
  name: string;
  seed: number;
  language: Language;
  kind: ListKind;
  rows: number;
  output: "pdf" | "xlsx" | "docx";
  /** Which lines are drawn: around each cell, below each row, or none. */
  rules: "grid" | "rows" | "none";
  /** Rows per page; 0 if Chromium decides where pages end. */
  perPage: number;
  /** True if each page after the first repeats the column headings. */
  laterHeads: boolean;
  /** True if each page ends with a sum, which the next page repeats at its top. */
  carried: boolean;
  /** True if groups of rows have a heading and a subtotal. */
  groups: boolean;
  /** Share (0–1) of descriptions that are so long that they wrap. */
  wrapped: number;
  /** Share (0–1) of rows that have a second line of text. */
  twoLines: number;
}

/** One printed row of the table: an item, a heading of a group, a sum, or a sum carried forward. */
export interface PrintedLine {
  role: "item" | "group" | "sum" | "carried";
  /** Text of each column. A newline separates lines within a cell. */
  cells: string[];
}

export interface LongList {
  plan: ListPlan;
  /** Text of each column's heading, and whether the column is right-aligned. */
  headings: { text: string; right: boolean }[];
  /** Rows by page; a single page if Chromium decides where pages end. */
  pages: PrintedLine[][];
  params: ExtractionParam[];
  truth: Record<string, LeafValue>[];
}

const columnsOfKind = {
  invoice: ["pos", "article", "text", "quantity", "price", "total"],
  statement: ["date", "purpose", "debit", "credit", "balance"],
  calls: ["date", "time", "number", "duration", "cost"],
  stock: ["article", "ean", "text", "quantity", "place", "remark"],
  prices: ["article", "text", "priceA", "priceB", "priceC"],
  hours: ["date", "person", "text", "hours"],
} as const satisfies Record<string, readonly ColumnKey[]>;

const formats: Partial<Record<ColumnKey, ParamFormat>> = {
  date: "date",
  quantity: "number",
  price: "number",
  total: "number",
  debit: "number",
  credit: "number",
  balance: "number",
  cost: "number",
  priceA: "number",
  priceB: "number",
  priceC: "number",
  hours: "number",
};

/** Separators of thousands and of decimals, by language. */
const separators: Record<Language, readonly [string, string]> = {
  en: [",", "."],
  de: [".", ","],
  fr: ["\u00a0", ","],
  es: [".", ","],
  it: [".", ","],
  nl: [".", ","],
};

export function makeList(plan: ListPlan): LongList {
  const random = mulberry32(plan.seed);
  const own = words[plan.language];
  const keys: readonly ColumnKey[] = columnsOfKind[plan.kind];
  const below = (limit: number): number => Math.floor(random() * limit);
  const one = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const dateStyle = below(3);
  const names = ["A. Keller", "Maria Lindqvist", "J. Okafor", "Pietro Galli", "Sofie de Wit", "Claire Aubry"];
  const places = ["A-01-03", "B-12-07", "C-04-11", "R2/14"];
  const longText = (): string => `${one(own.nouns)} ${one(own.more)}, ${one(own.more)} ${100 + below(900)}`;
  const shortText = (): string => `${one(own.nouns)} ${String.fromCharCode(65 + below(26))}${10 + below(90)}`;
  const text = (): string => {
    const first = random() < plan.wrapped ? longText() : shortText();
    return random() < plan.twoLines ? `${first}\n${one(own.more)} ${1000 + below(9000)}` : first;
  };
  let balance = 12_000 + below(100_000) / 100;
  let day = 0;
  const rows = Array.from({ length: plan.rows }, (_, index) => {
    day += random() < 0.3 ? 1 : 0;
    const quantity = 1 + below(48);
    const price = (50 + below(40_000)) / 100;
    const amount = (100 + below(90_000)) / 100;
    const isDebit = random() < 0.7;
    balance = round(balance + (isDebit ? -amount : amount));
    const base = (100 + below(30_000)) / 100;
    const truth: Record<ColumnKey, LeafValue> = {
      pos: String(index + 1),
      date: isoDate(day),
      article: `${one(["A", "K", "TX"])}-${10_000 + below(89_999)}`,
      ean: `40${String(10_000_000_000 + below(89_999_999) * 991)}`,
      text: text(),
      purpose: text(),
      quantity,
      price,
      total: round(quantity * price),
      debit: isDebit ? amount : null,
      credit: isDebit ? null : amount,
      balance,
      time: `${two(below(24))}:${two(below(60))}`,
      number: `0${150 + below(40)} ${1_000_000 + below(8_999_999)}`,
      duration: `${two(below(2))}:${two(below(60))}:${two(below(60))}`,
      cost: round(below(500) / 100),
      place: one(places),
      priceA: base,
      priceB: round(base * 0.9),
      priceC: round(base * 0.8),
      person: one(names),
      hours: (1 + below(32)) / 4,
      remark: random() < 0.35 ? one(own.more) : null,
    };
    return truth;
  });
  const shown = (key: ColumnKey, value: LeafValue): string => {
    if (value === null) return "";
    if (key === "date") return dateText(String(value), plan.language, dateStyle);
    if (key === "quantity") return String(value);
    return typeof value === "number" ? numberText(value, plan.language) : String(value);
  };
  const lines = rows.map((row): PrintedLine => ({ role: "item", cells: keys.map((key) => shown(key, row[key])) }));
  return {
    plan,
    headings: keys.map((key) => ({
      text: own.columns[key][0] ?? "",
      right: formats[key] === "number" || key === "duration",
    })),
    pages: paged(plan, keys, rows, lines),
    params: [
      {
        name: "rows",
        format: "list",
        description: listNames[plan.language],
        items: keys.map((key) => ({
          name: key,
          format: formats[key] ?? "text",
          description: own.columns[key][1] ?? "",
        })),
      },
    ],
    truth: rows.map((row) => Object.fromEntries(keys.map((key) => [key, row[key]]))),
  };
}

const listNames: Record<Language, string> = {
  en: "all rows of the list",
  de: "alle Zeilen der Liste",
  fr: "toutes les lignes de la liste",
  es: "todas las líneas de la lista",
  it: "tutte le righe dell'elenco",
  nl: "alle regels van de lijst",
};

/**
 * Column whose sums are printed, by kind of list. A balance is not summed but carried forward
 * unchanged.
 */
const summed = { invoice: "total", statement: "balance", calls: "cost", hours: "hours" } as const;

/** Number of rows in a group. */
const groupRows = 17;

function paged(
  plan: ListPlan,
  keys: readonly ColumnKey[],
  rows: readonly Record<ColumnKey, LeafValue>[],
  lines: readonly PrintedLine[],
): PrintedLine[][] {
  const own = words[plan.language];
  const summedKey = plan.kind in summed ? summed[plan.kind as keyof typeof summed] : undefined;
  const at = keys.indexOf(summedKey as ColumnKey);
  const label = keys.findIndex((key) => ["text", "purpose", "number"].includes(key));
  const sumLine = (role: PrintedLine["role"], text: string, from: number, to: number): PrintedLine => {
    const cells = keys.map(() => "");
    cells[label] = text;
    const numbers = rows.slice(from, to).map((row) => Number(row[summedKey ?? "total"]));
    const isBalance = summedKey === "balance";
    const sum = isBalance ? (numbers.at(-1) ?? 0) : round(numbers.reduce((total, number) => total + number, 0));
    cells[at] = numberText(sum, plan.language);
    return { role, cells };
  };
  const pages: PrintedLine[][] = [[]];
  let groupStart = 0;
  for (const [index, line] of lines.entries()) {
    if (plan.perPage > 0 && index > 0 && index % plan.perPage === 0) {
      if (plan.carried && at >= 0) pages.at(-1)?.push(sumLine("carried", own.carried, 0, index));
      pages.push(plan.carried && at >= 0 ? [sumLine("carried", own.brought, 0, index)] : []);
    }
    if (plan.groups && index % groupRows === 0) {
      if (index > 0 && at >= 0 && summedKey !== "balance")
        pages.at(-1)?.push(sumLine("sum", own.subtotal, groupStart, index));
      groupStart = index;
      const noun = own.nouns[(index / groupRows) % own.nouns.length] ?? "";
      pages.at(-1)?.push({ role: "group", cells: [`${own.section} ${index / groupRows + 1} ${noun}`] });
    }
    pages.at(-1)?.push(line);
  }
  if (at >= 0 && summedKey !== "balance") pages.at(-1)?.push(sumLine("sum", own.total, 0, rows.length));
  return pages;
}

export const pageWord = (language: Language): string => words[language].page;

const round = (value: number): number => Math.round(value * 100) / 100;
const two = (value: number): string => String(value).padStart(2, "0");

const isoDate = (day: number): string => new Date(Date.UTC(2025, 0, 13 + day)).toISOString().slice(0, 10);

function dateText(iso: string, language: Language, style: number): string {
  const [year = "", month = "", day = ""] = iso.split("-");
  if (style === 2) return iso;
  if (language === "en") return `${day} ${monthNames[Number(month) - 1]} ${year}`;
  const mark = { de: ".", fr: "/", es: "/", it: "/", nl: "-" }[language];
  return [day, month, style === 0 ? year : year.slice(2)].join(mark);
}

const monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function numberText(value: number, language: Language): string {
  const [thousands, decimal] = separators[language];
  const [whole = "", cents = ""] = Math.abs(value).toFixed(2).split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, thousands);
  return `${value < 0 ? "-" : ""}${grouped}${decimal}${cents}`;
}
