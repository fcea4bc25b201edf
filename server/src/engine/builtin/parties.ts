/**
 * Names of the parties: labelled ("Bill to", "Verkäufer … Name"), on the sender line of a letter, at the head of an address, with a
 * legal form in head or foot. Each place votes for a name; the votes of equal names add up.
 */
import { byScore, type Candidate } from "./candidates.ts";
import { type LabelScorer, labelTerms } from "./labels.ts";
import type { Layout, PageLayout, Segment } from "./layout.ts";
import { centreX, wordsBetween } from "./layout.ts";
import type { Party } from "./lexicon/concepts.ts";
import { endsAsLabel, pairsOf, type Span, segmentBelow, spanText, trimmed, whole } from "./pairs.ts";
import type { Query } from "./params.ts";
import { partyOfLabel, type RoleOf, readRoles } from "./roles.ts";
import { isFamily } from "./terms.ts";
import { fold } from "./text.ts";

export interface Vote {
  party: Party | undefined;
  /** The upper line of a name of two lines. */
  upper?: Span;
  span: Span;
  weight: number;
}

const legalForm =
  /(?<![\p{L}\d])(?:G?GmbH(?: ?& ?Co\.?(?: ?KG)?)?|mbH|AG(?: ?& ?Co\.?(?: ?KGaA| ?KG)?)?|KG|OHG|oHG|e\. ?V\.|eG|UG|SE|Ltd\.?|Limited|Inc\.?|Incorporated|LLC|L\.L\.C\.|LLP|PLC|Corp(?:oration|\.)?|SAS|S\.A\.S\.|SARL|S\.A\.R\.L\.|EURL|SNC|S\.A\.|SA|S\.?r\.?l\.?|S\.?p\.?A\.?|B\.?V\.?|N\.?V\.?|S\.?L\.?U?\.?|Sdn\.? ?Bhd\.?|S\/B|Pty\.?(?: Ltd\.?)?|Pvt\.?(?: Ltd\.?)?|A\/S|ApS|Oy|Kft\.?|s\.r\.o\.|Sp\. z o\.o\.|SDN\.? BHD\.?|LTD\.?|ENTERPRISE|Enterprises?|TRADING|BHD\.?|Bhd\.?|SDN\.? ?BHD\.?)(?![\p{L}\d])/u;
const postcodeCity =
  /(?:^|[\s,•·|-])(?:(?:[A-Z]{1,3}[- ])?\d{4,6}(?: ?[A-Z]{2})? *\p{Lu}[\p{L}.'-]{1,40}|\p{L}[\p{L} .'-]{1,40},? [A-Z]{2},? \d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}(?= |$))/u;
const contactDetail = /@|www\.|https?:|(?:^|\s)(?:tel|fon|fax|phone|telefon|téléphone|mobile)\b/iu;
const separators = /\s+[•·●|∙–—-]\s+|\s*[•·●|∙]\s*|,\s+/u;

const maxNameLength = 90;
const maxBlockLines = 6;
const searchedPages = 3;

export const hasLegalForm = (text: string): boolean => legalForm.test(text);
export const isContactLine = (text: string): boolean => contactDetail.test(text);

/** Same letters and digits are the same name. */
export const nameKey = (text: string): string => fold(text).replace(/[^\p{L}\p{N}]+/gu, "");

export const isAddressLine = (text: string): boolean => postcodeCity.test(text);
/** Countries are the last line of many addresses and no one's name. */
const countries = new Set(
  "deutschland germany allemagne alemania germania duitsland france frankreich francia frankrijk austria osterreich autriche schweiz suisse svizzera switzerland italia italy italien spain espana spanien nederland netherlands niederlande belgium belgie belgique belgien luxembourg luxemburg united kingdom great britain usa united states united states of america india england ireland portugal poland polska".split(
    " ",
  ),
);
const labelFamilies = new Set(
  "number id reference address name phone fax email website vat_id tax_id iban bic date account contact register city street postcode country invoice receipt credit order offer delivery payment terms".split(
    " ",
  ),
);
const isBareLabel = (text: string): boolean => {
  const terms = labelTerms(text).filter((term) => term.weight > 0);
  return terms.length > 0 && terms.every((term) => term.texts.some((family) => labelFamilies.has(family)));
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
function isProse(text: string): boolean {
  const words = text.split(/\s+/u).filter((word) => !particles.has(word.toLowerCase()));
  return words.length >= 3 && words.filter((word) => /^\p{Ll}/u.test(word)).length * 2 > words.length;
}

const looksLikeName = (text: string): boolean =>
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
  !/[%=€$]|:\s*\d|^(?:no|nr|lot|n°)\.? ?\d/iu.test(text) &&
  (text.match(/\d/g)?.length ?? 0) <= text.length / 3;

/** All votes of the document's first and last pages. */
export function collectVotes(layout: Layout): Vote[] {
  const pages =
    layout.pages.length <= searchedPages
      ? layout.pages
      : [...layout.pages.slice(0, searchedPages - 1), ...layout.pages.slice(-1)];
  return pages.flatMap((page) => {
    const roles = readRoles(page);
    return page.segments.flatMap((segment) => [
      ...labelledVotes(page, segment, roles),
      ...addressVotes(page, segment, roles),
      ...companyVotes(page, segment, roles),
    ]);
  });
}

const onlyLegalForm = (text: string): boolean => {
  const form = legalForm.exec(text);
  return form !== null && form.index === 0 && form[0].length >= text.length - 1;
};

const nameLabel = (label: string): boolean => {
  const terms = labelTerms(label).filter((term) => term.weight > 0);
  return (
    terms.length > 0 &&
    terms.length <= 2 &&
    terms.every((term) => term.texts.some((text) => text === "name" || text === "company"))
  );
};

function* labelledVotes(page: PageLayout, segment: Segment, roles: RoleOf): Generator<Vote> {
  for (const pair of pairsOf(page, segment)) {
    const party = partyOfLabel(pair.label);
    const named = party ?? (nameLabel(pair.label) ? roles(segment) : undefined);
    if (!named || (party && !pair.marked && !/\s/.test(pair.label))) continue;
    const sure = pair.factor * (party ? 0.9 : 0.97);
    const span = nameSpan(pair.value);
    if (span) yield { party: named, span, weight: sure };
    else if (party && pair.value.segment !== segment) yield* belowVotes(page, pair.value.segment, party, 0.7);
  }
  const party =
    endsAsLabel(segment.text) || segment.text.length < 40
      ? partyOfLabel(segment.text.replace(/[:\s]+$/, ""))
      : undefined;
  if (party) yield* belowVotes(page, segment, party, 0.85);
}

/** The first line that looks like a name below a head; a little space is allowed for. */
function* belowVotes(page: PageLayout, head: Segment, party: Party, weight: number): Generator<Vote> {
  let below = segmentBelow(page, head);
  for (let tries = 0; below && tries < 2; tries++) {
    const span = nameSpan(whole(page, below));
    if (span) {
      yield { party, span, weight };
      return;
    }
    below = segmentBelow(page, below);
  }
}

/** The name in a value: without "Attn:", without address and contact behind it. */
function nameSpan(value: Span): Span | undefined {
  const text = spanText(value);
  const lead = /^(?:attn|attention|att|z\. ?hd\.?|c\/o|m\/s|name|nom)[.: ]+/iu.exec(text)?.[0].length ?? 0;
  const parted = separators.exec(text.slice(lead));
  const cut =
    parted && (isAddressLine(text) || contactDetail.test(text) || !/,/.test(parted[0]))
      ? lead + parted.index
      : text.length;
  const span = trimmed(value.page, value.segment, value.start + lead, value.start + cut);
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

/** Votes of the line of an address that has the town: the sender line of a letter, or the block above. */
function* addressVotes(page: PageLayout, segment: Segment, roles: RoleOf): Generator<Vote> {
  if (!isAddressLine(segment.text)) return;
  const parted = separators.exec(segment.text);
  const first = parted && trimmed(page, segment, 0, parted.index);
  const parts = segment.text.split(separators).length;
  if (first && parts >= 3 && looksLikeName(spanText(first)) && !/\d/.test(spanText(first))) {
    const high = segment.box[3] < page.page.height * 0.45;
    yield { party: "seller", span: first, weight: high ? 0.8 : 0.6 };
    return;
  }
  const lines = blockAbove(page, segment);
  const top = lines.at(-1);
  const span = top && nameSpan(whole(page, top));
  if (!span || !top) return;
  const role = roles(top) ?? roles(segment);
  if (role) yield { party: role, span, weight: 0.6 };
  else if (hasContactBelow(page, segment)) yield { party: "seller", span, weight: 0.66 };
  else if (inWindow(page, top))
    yield isOnlyAddress(page, segment)
      ? { party: "seller", span, weight: 0.42 }
      : { party: "buyer", span, weight: 0.62 };
}

/** Lines above that begin at the same left edge, nearest first. */
function blockAbove(page: PageLayout, segment: Segment): Segment[] {
  const lines: Segment[] = [];
  let low = segment;
  for (let up = segment.row - 1; up >= 0 && lines.length < maxBlockLines; up--) {
    const next = (page.rows[up] ?? []).find((other) => Math.abs(other.box[0] - segment.box[0]) < 0.7 * segment.height);
    if (low.box[1] - (next ?? page.rows[up]?.[0] ?? low).box[3] > 2.6 * segment.height) break;
    if (!next) continue;
    if (endsAsLabel(next.text) || /:\s+\S/.test(next.text) || isAddressLine(next.text)) break;
    if (partyOfLabel(next.text) && !isStreetLine(low.text)) break;
    lines.push(next);
    low = next;
  }
  return lines;
}

function hasContactBelow(page: PageLayout, segment: Segment): boolean {
  for (let down = segment.row; down < page.rows.length && down <= segment.row + 7; down++) {
    const next = (page.rows[down] ?? []).find(
      (other) => Math.abs(other.box[0] - segment.box[0]) < 0.7 * segment.height,
    );
    if (next && contactDetail.test(next.text)) return true;
  }
  return false;
}

/** A paper with one address has that of who issued it, as receipts do. */
function isOnlyAddress(page: PageLayout, segment: Segment): boolean {
  return page.page.number === 1 && !page.segments.some((other) => other !== segment && isAddressLine(other.text));
}

/** Where letters have the address of who gets them: the upper half. */
const inWindow = (page: PageLayout, segment: Segment): boolean =>
  page.page.number === 1 && segment.box[1] < page.page.height * 0.5;

/** Company names by their legal form, and the first line of the first page. */
function* companyVotes(page: PageLayout, segment: Segment, roles: RoleOf): Generator<Vote> {
  const { span, upper } = companyLines(page, segment);
  const role = roles(segment);
  if (span && (role === undefined || role === "seller"))
    yield { party: "seller", span, ...(upper ? { upper } : {}), weight: companyWeight(page, segment) };
  if (!span && page.page.number === 1 && segment.row <= 2 && segment.column === 0 && role === undefined) {
    const line = nameSpan(whole(page, segment));
    const title = labelTerms(segment.text).some((term) =>
      term.texts.some((text) => text === "invoice" || text === "receipt" || text === "order"),
    );
    if (line && !title) yield { party: "seller", span: line, weight: segment.row === 0 ? 0.34 : 0.22 };
  }
}

const topRows = 6;

function companyWeight(page: PageLayout, segment: Segment): number {
  const place = segment.box[1] / page.page.height;
  const atTop = page.page.number === 1 && (place < 0.15 || segment.row < topRows);
  return atTop ? 0.5 : place > 0.82 ? 0.42 : 0.2;
}

/** A company's name, on one line or with its legal form on the next. */
function companyLines(page: PageLayout, segment: Segment): { span?: Span; upper?: Span } {
  const span = companySpan(page, segment);
  if (span) return { span };
  const form = legalForm.exec(segment.text.slice(0, maxNameLength));
  const above = form?.index === 0 ? lineAbove(page, segment) : undefined;
  const upper = above && nameSpan(whole(page, above));
  const lower = form && trimmed(page, segment, 0, form[0].length);
  return upper && lower ? { span: lower, upper } : {};
}

/** The line right above, at the same edge or around the same centre. */
function lineAbove(page: PageLayout, segment: Segment): Segment | undefined {
  const above = page.rows[segment.row - 1]?.find(
    (other) =>
      Math.abs(other.box[0] - segment.box[0]) < segment.height ||
      Math.abs(centreX(other.box) - centreX(segment.box)) < segment.height,
  );
  return above && segment.box[1] - above.box[3] < segment.height ? above : undefined;
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

/** Candidates for the name of a party; a name that is surer for the other party is left to it. */
export function partyCandidates(party: Party, votes: readonly Vote[]): Candidate[] {
  const own = tally(votes.flatMap((vote) => ownVote(vote, party)));
  const counterpart: Party = party === "seller" ? "buyer" : "seller";
  const others = tally(votes.filter((vote) => vote.party === counterpart));
  const candidates: Candidate[] = [];
  for (const [key, { score, vote }] of own) {
    const other = others.get(key)?.score ?? 0;
    candidates.push(voteCandidate(vote, other > score ? score * 0.3 : score));
  }
  return candidates.sort(byScore);
}

const payeeAsSeller = 0.45;

/** Who gets the money is mostly who sells. */
function ownVote(vote: Vote, party: Party): Vote[] {
  if (vote.party === party) return [vote];
  return party === "seller" && vote.party === "payee" ? [{ ...vote, weight: vote.weight * payeeAsSeller }] : [];
}

/** The votes for each name as one score: the chance that not all of them err. */
function tally(votes: readonly Vote[]): Map<string, { score: number; vote: Vote }> {
  const names = new Map<string, { miss: number; vote: Vote; count: number }>();
  for (const vote of votes) {
    const key = nameKey((vote.upper ? spanText(vote.upper) : "") + spanText(vote.span));
    const known = names.get(key);
    if (!known) names.set(key, { miss: 1 - vote.weight, vote, count: 1 });
    else {
      // Repetition tells less each time: a page has the same foot as the one before.
      known.count++;
      known.miss *= 1 - vote.weight / known.count;
      if (vote.weight > known.vote.weight) known.vote = vote;
    }
  }
  return new Map([...names].map(([key, { miss, vote }]) => [key, { score: Math.min(0.98, 1 - miss), vote }]));
}

function voteCandidate(vote: Vote, score: number): Candidate {
  const candidate = toCandidate(vote.span, score);
  if (!vote.upper) return candidate;
  const upper = toCandidate(vote.upper, score);
  return { ...candidate, value: `${upper.value} ${candidate.value}`, words: [...upper.words, ...candidate.words] };
}

export function toCandidate(span: Span, score: number): Candidate {
  const words = wordsBetween(span.segment, span.start, span.end);
  return {
    value: spanText(span),
    page: span.segment.page,
    words,
    match: "exact",
    score,
    segment: span.segment,
    start: span.start,
    end: span.end,
  };
}

const labelAsValue = 0.35;
const minAsked = 0.9;
const maxUnmarkedLength = 80;

/** Without a mark between label and value only a short text that doesn't go on as a sentence can be told apart. */
const startsAsValue = (value: Span): boolean =>
  value.segment.text.length <= maxUnmarkedLength && !/^\p{Ll}/u.test(spanText(value)) && !isProse(spanText(value));

/** True for a text of nothing but words that labels are made of: what stands there is the next label, not a value. */
export function isLabel(text: string): boolean {
  if (text.length > 50 || /\d/.test(text)) return false;
  const terms = labelTerms(text).filter((term) => term.weight > 0);
  return terms.length > 0 && terms.every((term) => isFamily(term.texts[0] ?? ""));
}

/** Candidates of labelled text for queries whose value has no form. */
export function textCandidates(query: Query, layout: Layout, asked?: LabelScorer): Candidate[] {
  const isName = (text: string): boolean => isLabel(text) || (asked !== undefined && asked(text) >= minAsked);
  const candidates: Candidate[] = [];
  for (const page of layout.pages) {
    for (const segment of page.segments) {
      for (const pair of pairsOf(page, segment)) {
        if (!pair.marked && !startsAsValue(pair.value)) continue;
        const score = query.score(pair.label) * pair.factor * (isName(spanText(pair.value)) ? labelAsValue : 1);
        if (score > 0.25) candidates.push(toCandidate(pair.value, score));
      }
    }
  }
  return candidates.sort(byScore);
}
