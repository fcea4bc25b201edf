/** Recognizes names of people and companies from many countries, without a list of names. */

import { cachedByText } from "../../../language/cached-by-text.ts";
import { foldLabel } from "../../../language/folding.ts";
import { isFamily } from "../../lexicon/family-terms.ts";
import { endsAsLabel, runBelow } from "../../page/label-value-pairs.ts";
import { type RunSpan, spanText, trimmed } from "../../page/run-spans.ts";
import type { PageRuns, TextRun } from "../../page/text-runs.ts";
import { beginsStreet, isAddressLine, isContactLine, isCountry, isStreetLine } from "../../values/address-lines.ts";
import { findDates } from "../../values/dates.ts";
import { labelTerms } from "../labels/label-scores.ts";
import { partyOfLabel } from "../labels/party-headings.ts";
import { namesNobody, salutationLength, titleLength } from "./party-lines.ts";

const legalForm =
  /(?<![\p{L}\d])(?:[Gge]?GmbH(?: ?& ?Co\.?(?: ?KG)?)?|Ges\. ?m\. ?b\. ?H\.?|mbH|AG(?: ?& ?Co\.?(?: ?KGaA| ?KG)?)?|KG|OHG|oHG|OG|GbR|PartG(?: ?mbB)?|e\. ?V\.|e\. ?K\.|eG|UG|SE|Ltd\.?|Limited|Inc\.?|Incorporated|P?LLC|L\.L\.C\.|LLP|PLC|plc|Corp(?:oration|\.)?|Co\.(?=$|,)|SASU?|S\.A\.S\.|SARL|Sàrl|S\.A\.R\.L\.|EURL|SCI|SNC|S\.n\.c\.|S\.a\.s\.|S\.A\.|SA|S\.?[Rr]\.?[Ll]\.?|S\.?p\.?A\.?|B\.?V\.?|N\.?V\.?|S\.?L\.?U?\.?|Lda\.?|Ltda\.?|ASBL|asbl|VZW|vzw|AB|Sdn\.? ?Bhd\.?|S\/B|Pty\.?(?: Ltd\.?)?|Pvt\.?(?: Ltd\.?)?|Pte\.?(?: Ltd\.?)?|A\/S|ApS|Oyj?|Kft\.?|Zrt\.?|d\.o\.o\.|a\.s\.|s\.r\.o\.|Sp\. z o\.o\.|SDN\.? BHD\.?|LTD\.?|INC\.?|ENTERPRISE|Enterprises?|TRADING|BHD\.?|Bhd\.?|SDN\.? ?BHD\.?)(?![\p{L}\d])/u;
/** Matches a whole line that ends with a legal form in lower case. */
const smallCompany = /^\p{L}[\p{L} .&'+-]{2,60} (?:gmbh|ag|kg|ohg|ug|ltd|llc|inc|plc|sarl|sas|srl|spa|bv|nv)\.?$/u;
/** Separators between the parts of an address on one line. */
export const separators = /(?<!\s)\s+(?:[•·●|∙–—-]\s+|[•·●|∙])|[•·●|∙]\s*|,\s+/u;

/** Maximum length of a name, in UTF-16 units. Chosen by hand, 2026-11. */
export const maxNameLength = 90;

/** Returns the first legal form in the text, with its index. */
export const legalFormOf = (text: string): RegExpExecArray | null => legalForm.exec(text);
export const hasLegalForm = (text: string): boolean => legalForm.test(text) || smallCompany.test(text);

/** Returns a key for comparing names: the folded letters and digits. */
export const nameKey = (text: string): string => foldLabel(text).replace(/[^\p{L}\p{N}]+/gu, "");

/** Words for a party that a sample document may print in place of a name, such as "Seller". */
const partyWords = new Set(["seller", "supplier", "buyer", "customer", "company", "agency", "bank"]);
const isBareLabel = (text: string): boolean => {
  const terms = labelTerms(text).filter((term) => term.weight > 0);
  return (
    terms.length > 0 &&
    terms.every((term) => isFamily(term.texts[0] ?? "") && !term.texts.some((family) => partyWords.has(family)))
  );
};

const particles = new Set(
  "de la le les du des di del della dei da dos van von der den und et and y e of the for & - zu zur en".split(" "),
);
/**
 * Returns true for a sentence. In a sentence, unlike in a name, most words begin with a lower-case
 * letter.
 */
export function isProse(text: string): boolean {
  let [words, lower] = [0, 0];
  for (const word of text.split(/\s+/u)) {
    if (word.length <= longestParticle && particles.has(word.toLowerCase())) continue;
    words++;
    if (beginsLower(word)) lower++;
  }
  return words >= 3 && lower * 2 > words;
}

const longestParticle = 5;

/** Returns true if the first character is a lower-case letter. */
function beginsLower(word: string): boolean {
  const first = word.charCodeAt(0);
  return first < firstBeyondAscii ? first >= smallA && first <= smallZ : /^\p{Ll}/u.test(word);
}

const [smallA, smallZ, firstBeyondAscii] = [0x61, 0x7a, 0x80];

const sumFamilies = new Set(["total", "amount", "payable", "due", "date", "gross", "net", "tax", "number"]);
/**
 * Returns true for text with at least two words about sums or dates, such as "Total amount due on
 * August 3". It is not a name.
 */
const isAboutSums = (text: string): boolean =>
  labelTerms(text).filter((term) => term.weight > 0 && term.texts.some((family) => sumFamilies.has(family))).length >=
  2;

/**
 * Maximum number of texts whose result is cached. The rules and the ranking both check the same
 * texts.
 */
const maxCached = 20_000;

export const looksLikeName = cachedByText(
  maxCached,
  (text) =>
    /^[\p{L}\p{N}"'«»„“”‘’(¿¡@]/u.test(text) &&
    !/^\(.*\)$/.test(text) &&
    !isCountry(text) &&
    !namesNobody(text) &&
    !(beginsStreet(text) && !legalForm.test(text)) &&
    !/^\p{Lu}{2}$/u.test(text) &&
    !isBareLabel(text) &&
    text.length >= 2 &&
    text.length <= maxNameLength &&
    /\p{L}{2}/u.test(text) &&
    !isAddressLine(text) &&
    !isContactLine(text) &&
    !/[%=€$]|:\s*\d|^(?:no|nr|lot|unit|level|floor|suite|n°)\.? ?\p{L}?\d|thank you|vielen dank|merci|grazie|gracias/iu.test(
      text,
    ) &&
    (text.match(/\d/g)?.length ?? 0) <= text.length / 3 &&
    // The slowest checks come last.
    (!isProse(text) || smallCompany.test(text)) &&
    findDates(text, "dmy").length === 0 &&
    !isAboutSums(text),
);

const onlyLegalForm = (text: string): boolean => {
  const form = legalForm.exec(text);
  return form !== null && form.index === 0 && form[0].length >= text.length - 1;
};

/**
 * Returns the length of the text without a register number in brackets at its end, as in "Acme Sdn
 * Bhd (81497-P)".
 */
export const withoutRegister = (text: string): number =>
  text.replace(/(?<!\s)\s*\([^()\d]*\d[^()]*\)\s*$/, "").length || text.length;

/**
 * Returns the name in a value, without "Attn:" before it and without address or contact details
 * after it. Undefined if there is no name.
 */
export function nameSpan(value: RunSpan): RunSpan | undefined {
  const text = spanText(value);
  const lead =
    (/^(?:attn|attention|att|z\. ?hd\.?|c\/o|m\/s|name|nom)[.: ]+/iu.exec(text)?.[0].length ?? 0) ||
    salutationLength(text) ||
    titleLength(text);
  const parted = separators.exec(text.slice(lead));
  const cut =
    parted && (isAddressLine(text) || isContactLine(text) || !/,/.test(parted[0])) ? lead + parted.index : text.length;
  const end = withoutRegister(text.slice(0, cut));
  const span = trimmed(value.page, value.run, value.start + lead, value.start + end);
  if (!span) return undefined;
  const name = spanText(span);
  if (!looksLikeName(name) || onlyLegalForm(name) || endsAsLabel(value.run.text)) return undefined;
  return legalForm.test(name) || !partyOfLabel(name) || headsAddress(value) ? span : undefined;
}

/**
 * Returns true if the line below is a street. The text is then a name, even if it looks like a
 * label, such as "Le client".
 */
function headsAddress(value: RunSpan): boolean {
  const next = runBelow(value.page, value.run);
  return next !== undefined && isStreetLine(next.text) && !endsAsLabel(next.text);
}

/**
 * Returns a name that begins with its legal form, such as "SARL Menuiseries du Lauragais" in "SARL
 * Menuiseries du Lauragais au capital de …". The name consists of the form and the capitalized
 * words that follow.
 */
function leadingForm(page: PageRuns, run: TextRun, length: number): RunSpan | undefined {
  const opening = /^(?:(?:[\p{Lu}][\p{L}\d.'’&+-]*|&|de|du|des|la|le|et|d'|von|der)(?= |,|$) ?){1,7}/u.exec(
    run.text.slice(length + 1),
  )?.[0];
  const name = opening?.replace(/(?: (?:de|du|des|la|le|et|&|von|der))+\s*$/u, "");
  return name && /\p{L}{3}/u.test(name) && frontForm.test(run.text.slice(0, length))
    ? trimmed(page, run, 0, length + 1 + name.length)
    : undefined;
}

/** Legal forms that are written before the name. */
const frontForm = /^(?:SASU?|SARL|Sàrl|EURL|SCI|SNC|SA|ASBL|asbl|VZW|vzw|PT)$/u;

/**
 * Returns a company name that ends with its legal form: the capitalized words before the form, and
 * the form.
 */
export function companySpan(page: PageRuns, run: TextRun): RunSpan | undefined {
  if (smallCompany.test(run.text)) return trimmed(page, run, 0, run.text.length);
  const found = legalForm.exec(run.text.slice(0, 300));
  if (!found) return undefined;
  if (found.index === 0) return leadingForm(page, run, found[0].length);
  const before = run.text.slice(0, found.index);
  const opening =
    /(?:(?:[\p{Lu}\d][\p{L}\d.,'&+/-]*|\([\p{L}\d .&-]{1,24}\)|&|-|und|and|et|of|de|du|der|the)\s+){1,7}$/u.exec(
      before,
    );
  if (!opening) return undefined;
  // Numbers before a comma are not part of the name: "Acc 1055 2870, Acme Ltd".
  const numbers = /^[^,\d]*\d[^,]*, (?=\S+ )/u.exec(opening[0])?.[0].length ?? 0;
  let end = found.index + found[0].length;
  for (
    let more = legalForm.exec(run.text.slice(end, end + 16));
    more?.index === 1;
    more = legalForm.exec(run.text.slice(end, end + 16))
  )
    end += 1 + more[0].length;
  const span = trimmed(page, run, opening.index + numbers, end);
  return span && spanText(span).length <= maxNameLength && /\p{Lu}/u.test(spanText(span)) ? span : undefined;
}
