/** Checks whether a value follows from a quote. Uses the parsers of the built-in engine. */
import type { ParamFormat } from "@sheaf/contract/params.ts";
import { foldLabel } from "../../language/folding.ts";
import type { LeafValue } from "../engine.ts";
import { emptyBox, tickedBox } from "../page/checkboxes.ts";
import { findCurrencies } from "../values/currencies.ts";
import { findDates } from "../values/dates.ts";
import { Stream } from "./atom-stream.ts";
import { atomsOf } from "./atoms.ts";
import { type Conventions, defaultConventions } from "./conventions.ts";
import { negations } from "./edit-distance.ts";
import { numberInQuote } from "./number-in-quote.ts";

export interface QuotedValue {
  /** A text is as written in the quote. A date is in the format YYYY-MM-DD. */
  value: Exclude<LeafValue, null>;
  match: "exact" | "normalized" | "inferred";
  /** Part of the quote that contains the value, in UTF-16 units. */
  start: number;
  end: number;
}

const nothing = new Set(
  "null none nil n/a na n.a. nan undefined unknown missing empty - -- — – ? not_found k.a. keine_angabe unbekannt nicht_angegeben inconnu non_indique no_indicado not_specified not_available not_provided not_applicable not_stated not_given not_mentioned".split(
    " ",
  ),
);

/** Returns true for null, undefined, and texts such as "n/a" that models use for "no value". */
export function isNothing(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value !== "string") return false;
  const plain = foldLabel(value.trim()).replace(/\s+/g, "_");
  return plain === "" || nothing.has(plain) || nothing.has(plain.replace(/\.$/, ""));
}

/**
 * Returns the value and its position in the quote. Returns undefined if there is no value, or if
 * the quote does not contain it.
 */
export function valueInQuote(
  value: unknown,
  format: Exclude<ParamFormat, "list">,
  quote: string,
  conventions: Conventions = defaultConventions,
): QuotedValue | undefined {
  if (isNothing(value)) return undefined;
  switch (format) {
    case "number":
      return numberInQuote(value, quote, conventions);
    case "date":
      return dateInQuote(value, quote, conventions);
    case "boolean":
      return booleanInQuote(value, quote);
    default:
      return textInQuote(String(value), quote, conventions);
  }
}

function dateInQuote(value: unknown, quote: string, { order }: Conventions): QuotedValue | undefined {
  if (typeof value !== "string") return undefined;
  const [wanted, more] = findDates(value, order);
  if (!wanted || more) return undefined;
  const found = findDates(quote, order).find((date) => date.value === wanted.value);
  if (!found) return undefined;
  const { start, end } = found;
  return { value: found.value, match: quote.slice(start, end) === found.value ? "exact" : "normalized", start, end };
}

const closing = /^[.,;:!?)\]»”"'%*]+/u;

function textInQuote(value: string, quote: string, conventions: Conventions): QuotedValue | undefined {
  const [mark] = conventions.marks;
  const wanted = new Stream(atomsOf(value, mark).map((atom) => atom.text));
  const atoms = atomsOf(quote, mark);
  const stream = new Stream(atoms.map((atom) => atom.text));
  const [hit] = [...stream.find(wanted, 1), ...stream.findLoosely(wanted, 1)];
  if (!hit) return currencyInQuote(value, quote, conventions);
  const first = atoms[hit.from];
  const last = atoms[hit.to - 1];
  if (!first || !last) return undefined;
  const marksOfValue = /(?<![^\p{L}\p{N}\s])[^\p{L}\p{N}\s]*$/u.exec(value.trim())?.[0] ?? "";
  const marksBehind = closing.exec(quote.slice(last.end))?.[0] ?? "";
  let end = last.end;
  for (let i = 0; i < marksOfValue.length && marksOfValue[i] === marksBehind[i]; i++) end++;
  const opening = /^[("'«„“[#+]+/u.exec(value.trim())?.[0] ?? "";
  const start = quote.slice(0, first.start).endsWith(opening) ? first.start - opening.length : first.start;
  const written = quote.slice(start, end).replace(/\s+/gu, " ");
  return { value: written, match: written === value.trim() ? "exact" : "normalized", start, end };
}

/**
 * Finds a currency in the quote, if the value is a currency code such as "EUR". The quote may
 * contain the sign "€" instead.
 */
function currencyInQuote(value: string, quote: string, { currencies, dollar }: Conventions): QuotedValue | undefined {
  const code = value.trim().toUpperCase();
  if (!currencies.has(code)) return undefined;
  const found = findCurrencies(quote).find(
    (mark) => (quote.slice(mark.start, mark.end) === "$" ? dollar : mark.code) === code,
  );
  return found && { value: code, match: "inferred", start: found.start, end: found.end };
}

const yes = new Set("yes y ja j oui si s true wahr vrai x checked zutreffend vero verdadero sim да نعم 是".split(" "));
const no = new Set("no n nein non false falsch faux nee falso onwaar none nao нет لا 否".split(" "));

/** Accepts a boolean as inferred from the quote, unless the quote clearly states the opposite. */
function booleanInQuote(value: unknown, quote: string): QuotedValue | undefined {
  const wanted = typeof value === "boolean" ? value : booleanOf(String(value));
  const said = statedBy(quote);
  if (wanted === undefined || (said !== undefined && said !== wanted)) return undefined;
  return { value: wanted, match: "inferred", start: 0, end: quote.length };
}

function booleanOf(text: string): boolean | undefined {
  const word = foldLabel(text.trim());
  return yes.has(word) ? true : no.has(word) ? false : undefined;
}

/**
 * Returns the boolean that the quote states by a checkbox, by "yes" or "no" as its last word, or by
 * a negation.
 */
function statedBy(quote: string): boolean | undefined {
  const words = foldLabel(quote).match(/[\p{L}\p{M}]+(?:'t)?/gu) ?? [];
  if (tickedBox.test(quote) !== emptyBox.test(quote)) return tickedBox.test(quote);
  const last = words.at(-1) ?? "";
  if (no.has(last)) return false;
  if (yes.has(last) && (last.length > 1 || words.length > 1)) return true;
  const denied = words.some((word) => /n't$/.test(word) || (word.length > 1 && negations.has(word)));
  return denied ? false : undefined;
}
