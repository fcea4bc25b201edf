/** What names, streets, towns and companies look like, in many countries, without a list of any of them. */

import { findDates } from "./formats/date.ts";
import { labelTerms } from "./labels.ts";
import type { PageLayout, Segment } from "./layout.ts";
import { endsAsLabel, type Span, segmentBelow, spanText, trimmed } from "./pairs.ts";
import { partyOfLabel } from "./roles.ts";
import { isFamily } from "./terms.ts";
import { fold } from "./text.ts";

const legalForm =
  /(?<![\p{L}\d])(?:G?GmbH(?: ?& ?Co\.?(?: ?KG)?)?|mbH|AG(?: ?& ?Co\.?(?: ?KGaA| ?KG)?)?|KG|OHG|oHG|e\. ?V\.|eG|UG|SE|Ltd\.?|Limited|Inc\.?|Incorporated|LLC|L\.L\.C\.|LLP|PLC|Corp(?:oration|\.)?|SAS|S\.A\.S\.|SARL|S\.A\.R\.L\.|EURL|SNC|S\.A\.|SA|S\.?r\.?l\.?|S\.?p\.?A\.?|B\.?V\.?|N\.?V\.?|S\.?L\.?U?\.?|Sdn\.? ?Bhd\.?|S\/B|Pty\.?(?: Ltd\.?)?|Pvt\.?(?: Ltd\.?)?|A\/S|ApS|Oy|Kft\.?|s\.r\.o\.|Sp\. z o\.o\.|SDN\.? BHD\.?|LTD\.?|ENTERPRISE|Enterprises?|TRADING|BHD\.?|Bhd\.?|SDN\.? ?BHD\.?)(?![\p{L}\d])/u;
const postcodeCity =
  /(?:^|[\s,•·|-])(?:(?:[A-Z]{1,3}[- ])?\d{4,6}(?: ?[A-Z]{2})? *\p{Lu}[\p{L}.'-]{1,40}|\p{L}[\p{L} .'-]{1,40},? [A-Z]{2},? \d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}(?= |$))/u;
const contactDetail = /@|www\.|https?:|(?:^|\s)(?:tel|fon|fax|phone|telefon|téléphone|mobile)\b/iu;
/** What parts the items of an address on one line. */
export const separators = /\s+[•·●|∙–—-]\s+|\s*[•·●|∙]\s*|,\s+/u;

export const maxNameLength = 90;

/** The first legal form in the text, at its place. */
export const legalFormOf = (text: string): RegExpExecArray | null => legalForm.exec(text);
export const hasLegalForm = (text: string): boolean => legalForm.test(text);
export const isContactLine = (text: string): boolean => contactDetail.test(text);

/** Same letters and digits are the same name. */
export const nameKey = (text: string): string => fold(text).replace(/[^\p{L}\p{N}]+/gu, "");

export const isAddressLine = (text: string): boolean => postcodeCity.test(text);
/** Countries are the last line of many addresses and no one's name. */
const countries = new Set(
  (
    "deutschland,germany,allemagne,alemania,germania,duitsland,france,frankreich,francia,frankrijk,austria,osterreich,autriche,schweiz," +
    "suisse,svizzera,switzerland,italia,italy,italien,spain,espana,spanien,nederland,netherlands,niederlande,belgium,belgie,belgique," +
    "belgien,luxembourg,luxemburg,united kingdom,great britain,usa,united states,united states of america,india,england,ireland," +
    "portugal,poland,polska,denmark,danmark,sweden,sverige,norway,norge,malaysia,singapore,china,hong kong,canada,australia"
  ).split(","),
);
/** Words for a party can be the name itself, as in samples. */
const partyWords = new Set(["seller", "supplier", "buyer", "customer", "company", "agency", "bank"]);
const isBareLabel = (text: string): boolean => {
  const terms = labelTerms(text).filter((term) => term.weight > 0);
  return (
    terms.length > 0 &&
    terms.every((term) => isFamily(term.texts[0] ?? "") && !term.texts.some((family) => partyWords.has(family)))
  );
};

const streetWord =
  /(?:stra(?:ss|ß)e|str\.|platz|weg|allee|gasse|road|avenue|lane|drive|boulevard|calle|plaza|straat|laan|jalan)(?!\p{L})|(?<!\p{L})(?:street|st\.|rue|via|rd|ave|blvd|jln|po box|postfach|bp)(?!\p{L})/iu;
/** A line with a house number, a street, or a post box. */
export const isStreetLine = (text: string): boolean =>
  streetWord.test(text) ||
  /^\p{L}[\p{L} .'-]{2,40} \d{1,4} ?\p{L}?$/u.test(text) ||
  /^\d{1,5}\p{L}?,? \p{L}/u.test(text);

const particles = new Set(
  "de la le les du des di del della dei da dos van von der den und et and y e of the for & - zu zur en".split(" "),
);
/** Sentences have many small words, names few. */
export function isProse(text: string): boolean {
  const words = text.split(/\s+/u).filter((word) => !particles.has(word.toLowerCase()));
  return words.length >= 3 && words.filter((word) => /^\p{Ll}/u.test(word)).length * 2 > words.length;
}

const sumFamilies = new Set(["total", "amount", "payable", "due", "date", "gross", "net", "tax", "number"]);
/** "Total amount due on August 3": two words of sums and dates are no name. */
const isAboutSums = (text: string): boolean =>
  labelTerms(text).filter((term) => term.weight > 0 && term.texts.some((family) => sumFamilies.has(family))).length >=
  2;

export const looksLikeName = (text: string): boolean =>
  !isAboutSums(text) &&
  findDates(text, "dmy").length === 0 &&
  !isProse(text) &&
  !/^\(.*\)$/.test(text) &&
  !countries.has(fold(text)) &&
  !/^\p{Lu}{2}$/u.test(text) &&
  !isBareLabel(text) &&
  text.length >= 2 &&
  text.length <= maxNameLength &&
  /\p{L}{2}/u.test(text) &&
  !isAddressLine(text) &&
  !contactDetail.test(text) &&
  !(streetWord.test(text) && /\d/.test(text)) &&
  !/[%=€$]|:\s*\d|^(?:no|nr|lot|unit|level|floor|suite|n°)\.? ?\p{L}?\d|thank you|vielen dank|merci|grazie|gracias/iu.test(
    text,
  ) &&
  (text.match(/\d/g)?.length ?? 0) <= text.length / 3;

const onlyLegalForm = (text: string): boolean => {
  const form = legalForm.exec(text);
  return form !== null && form.index === 0 && form[0].length >= text.length - 1;
};

/** Length of the text without a number in brackets behind it: "Acme Sdn Bhd (81497-P)". */
export const withoutRegister = (text: string): number =>
  text.replace(/\s*\([^()]*\d[^()]*\)\s*$/, "").length || text.length;

/** The name in a value: without "Attn:", without address and contact behind it. */
export function nameSpan(value: Span): Span | undefined {
  const text = spanText(value);
  const lead = /^(?:attn|attention|att|z\. ?hd\.?|c\/o|m\/s|name|nom)[.: ]+/iu.exec(text)?.[0].length ?? 0;
  const parted = separators.exec(text.slice(lead));
  const cut =
    parted && (isAddressLine(text) || contactDetail.test(text) || !/,/.test(parted[0]))
      ? lead + parted.index
      : text.length;
  const end = withoutRegister(text.slice(0, cut));
  const span = trimmed(value.page, value.segment, value.start + lead, value.start + end);
  if (!span) return undefined;
  const name = spanText(span);
  if (!looksLikeName(name) || onlyLegalForm(name) || endsAsLabel(value.segment.text)) return undefined;
  return legalForm.test(name) || !partyOfLabel(name) || headsAddress(value) ? span : undefined;
}

/** True if a street follows below: then the text is a name, even one like "Le client". */
function headsAddress(value: Span): boolean {
  const next = segmentBelow(value.page, value.segment);
  return next !== undefined && isStreetLine(next.text) && !endsAsLabel(next.text);
}

/** The capital words up to a legal form. */
export function companySpan(page: PageLayout, segment: Segment): Span | undefined {
  const found = legalForm.exec(segment.text.slice(0, 300));
  if (!found || found.index === 0) return undefined;
  const before = segment.text.slice(0, found.index);
  const run =
    /(?:(?:[\p{Lu}\d][\p{L}\d.,'&+/-]*|\([\p{L}\d .&-]{1,24}\)|&|-|und|and|et|of|de|du|der|the)\s+){1,7}$/u.exec(
      before,
    );
  if (!run) return undefined;
  let end = found.index + found[0].length;
  for (
    let more = legalForm.exec(segment.text.slice(end, end + 16));
    more?.index === 1;
    more = legalForm.exec(segment.text.slice(end, end + 16))
  )
    end += 1 + more[0].length;
  const span = trimmed(page, segment, run.index, end);
  return span && spanText(span).length <= maxNameLength && /\p{Lu}/u.test(spanText(span)) ? span : undefined;
}
