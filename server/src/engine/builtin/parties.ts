/**
 * Names of the parties: labelled ("Bill to", "Verkäufer … Name"), on the sender line of a letter, at the head of an address, with a
 * legal form in head or foot. Each place votes for a name; the votes of equal names add up.
 */
import { byScore, type Candidate } from "./candidates.ts";
import { toCandidate } from "./labelled-text.ts";
import { labelTerms } from "./labels.ts";
import { centreX, type Layout, type PageLayout, type Segment } from "./layout.ts";
import type { Party } from "./lexicon/concepts.ts";
import {
  companySpan,
  hasLegalForm,
  isAddressLine,
  isContactLine,
  isStreetLine,
  legalFormOf,
  looksLikeName,
  maxNameLength,
  nameKey,
  nameSpan,
  separators,
} from "./names.ts";
import { endsAsLabel, pairsOf, type Span, segmentBelow, spanText, trimmed, whole } from "./pairs.ts";
import { partyOfLabel, type RoleOf, readRoles } from "./roles.ts";

const maxBlockLines = 6;
const searchedPages = 3;

export interface Vote {
  party: Party | undefined;
  /** The upper line of a name of two lines. */
  upper?: Span;
  span: Span;
  weight: number;
}

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
    if (
      !named ||
      (party && !pair.marked && !/\s(?:by|to|from|an|von|durch|par|à|a|por|da|door|aan):?$/iu.test(pair.label))
    )
      continue;
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
  // A company by its legal form is the name, whatever stands above it.
  const top = lines.find((line) => hasLegalForm(line.text)) ?? lines.at(-1);
  const span = top && !isStreetLine(top.text) ? nameSpan(whole(page, top)) : undefined;
  if (!span || !top) return;
  const role = roles(top) ?? roles(segment);
  if (role) yield { party: role, span, weight: 0.6 };
  else if (hasContactBelow(page, segment)) yield { party: "seller", span, weight: 0.66 };
  else if (inWindow(page, top))
    yield isOnlyAddress(page, segment)
      ? { party: "seller", span, weight: 0.42 }
      : { party: "buyer", span, weight: 0.62 };
}

/** True if two lines begin at the same left edge or are set around the same centre. */
const isAligned = (a: Segment, b: Segment): boolean =>
  Math.abs(a.box[0] - b.box[0]) < 0.7 * b.height || Math.abs(centreX(a.box) - centreX(b.box)) < b.height;

/** Lines above that are aligned with it, nearest first. */
function blockAbove(page: PageLayout, segment: Segment): Segment[] {
  const lines: Segment[] = [];
  let low = segment;
  for (let up = segment.row - 1; up >= 0 && lines.length < maxBlockLines; up--) {
    const next = (page.rows[up] ?? []).find((other) => isAligned(other, low));
    if (low.box[1] - (next ?? page.rows[up]?.[0] ?? low).box[3] > 2.6 * segment.height) break;
    if (!next) continue;
    // A label, or the sender line above the address in a window.
    if (endsAsLabel(next.text) || /:\s+\S|[•·●∙|]/.test(next.text) || isAddressLine(next.text)) break;
    if (partyOfLabel(next.text) && !isStreetLine(low.text)) break;
    lines.push(next);
    low = next;
  }
  return lines;
}

/** True if below the address stand ways of contact, tax or register numbers, as issuers state them of themselves. */
function hasContactBelow(page: PageLayout, segment: Segment): boolean {
  for (let down = segment.row; down < page.rows.length && down <= segment.row + 7; down++) {
    const next = (page.rows[down] ?? []).find((other) => isAligned(other, segment));
    if (next && (isContactLine(next.text) || issuerDetail.test(next.text))) return true;
  }
  return false;
}

const issuerDetail = /(?<!\p{L})(?:gst|siret|siren|ust-?id|tva|reg(?:istration)?\.? ?no|company no|hrb|tin)(?!\p{L})/iu;

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
    if (line && !title) yield { party: "seller", span: line, weight: segment.row === 0 ? 0.34 : 0.31 };
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
  const form = legalFormOf(segment.text.slice(0, maxNameLength));
  const above = form?.index === 0 ? lineAbove(page, segment) : undefined;
  const upper = above && nameSpan(whole(page, above));
  const lower = form && trimmed(page, segment, 0, form[0].length);
  return upper && lower ? { span: lower, upper } : {};
}

/** The line right above, at the same edge or around the same centre. */
function lineAbove(page: PageLayout, segment: Segment): Segment | undefined {
  const above = page.rows[segment.row - 1]?.find((other) => isAligned(other, segment));
  return above && segment.box[1] - above.box[3] < segment.height ? above : undefined;
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
