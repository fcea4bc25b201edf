/**
 * Names of the parties: labelled ("Bill to", "Verkäufer … Name"), on the sender line of a letter, at the head of an address, with a
 * legal form in head or foot. Each place votes for a name; the votes of equal names add up.
 */

import type { Party } from "../../lexicon/all-concepts.ts";
import { endsAsLabel, pairsOf, runBelow } from "../../page/label-value-pairs.ts";
import { type RunSpan, spanText, trimmed, whole } from "../../page/run-spans.ts";
import type { DocumentRuns, PageRuns, TextRun } from "../../page/text-runs.ts";
import { isAddressLine, isContactLine } from "../../values/address-lines.ts";
import { byScore, type Candidate } from "../candidates/find-candidates.ts";
import { isLabel, toCandidate } from "../candidates/labelled-text.ts";
import { companySpan, hasLegalForm, legalFormOf, maxNameLength, nameKey, nameSpan } from "../candidates/names.ts";
import { isCareOf, looksLikePerson } from "../candidates/party-lines.ts";
import { labelTerms } from "../labels/label-scores.ts";
import { partyOfLabel, type RoleOf, readRoles } from "../labels/party-headings.ts";
import { isWrittenByBuyer } from "../labels/written-by-buyer.ts";
import { isAligned, largerAbove, readBlock, senderName, sizeOf } from "./address-blocks.ts";
import { imprintVotes } from "./letterhead.ts";

const searchedPages = 3;

/** Who writes the paper, and who gets it. */
export interface Sides {
  issuer: Party;
  addressee: Party;
}

export interface Vote {
  party: Party | undefined;
  /** The upper line of a name of two lines. */
  upper?: RunSpan;
  span: RunSpan;
  weight: number;
  /** True where its place alone makes it the addressee's. */
  guessed?: boolean;
}

/** All votes of the document's first and last pages. */
export function collectVotes(layout: DocumentRuns): Vote[] {
  const pages =
    layout.pages.length <= searchedPages
      ? layout.pages
      : [...layout.pages.slice(0, searchedPages - 1), ...layout.pages.slice(-1)];
  const sides: Sides = isWrittenByBuyer(layout)
    ? { issuer: "buyer", addressee: "seller" }
    : { issuer: "seller", addressee: "buyer" };
  const votes = pages.flatMap((page): Vote[] => {
    const roles = readRoles(page);
    return [
      ...page.runs.flatMap((run) => [
        ...labelledVotes(page, run, roles, sides),
        ...addressVotes(page, run, roles, sides),
        ...companyVotes(page, run, roles, sides),
      ]),
      ...imprintVotes(page, roles, sides),
    ];
  });
  return settleGuesses(votes, sides);
}

const knownAddressee = 0.6;
const otherBlock = 0.45;

/** Where a label names the addressee, another address in the place for one is rather that of who writes. */
function settleGuesses(votes: readonly Vote[], { issuer, addressee }: Sides): Vote[] {
  const known = votes.filter((vote) => vote.party === addressee && !vote.guessed && vote.weight >= knownAddressee);
  const keys = new Set(known.map(voteKey));
  return votes.map((vote) =>
    vote.guessed && keys.size > 0 && !keys.has(voteKey(vote)) ? { ...vote, party: issuer, weight: otherBlock } : vote,
  );
}

const voteKey = (vote: Vote): string => nameKey((vote.upper ? spanText(vote.upper) : "") + spanText(vote.span));

const personAtLabel = 0.5;

const nameLabel = (label: string): boolean => {
  const terms = labelTerms(label).filter((term) => term.weight > 0);
  return (
    terms.length > 0 &&
    terms.length <= 2 &&
    terms.every((term) => term.texts.some((text) => text === "name" || text === "company"))
  );
};

function* labelledVotes(page: PageRuns, run: TextRun, roles: RoleOf, sides: Sides): Generator<Vote> {
  for (const pair of pairsOf(page, run)) {
    const party = partyOfLabel(pair.label);
    const named = party ?? (nameLabel(pair.label) ? roles(run) : undefined);
    if (
      !named ||
      (party && !pair.marked && !/\s(?:by|to|from|an|von|durch|par|à|a|por|da|door|aan):?$/iu.test(pair.label))
    )
      continue;
    const sure = pair.factor * (party ? 0.9 : 0.97);
    const span = nameSpan(party ? topOfCell(pair.value) : pair.value);
    if (span && party === sides.issuer && looksLikePerson(spanText(span)) && pair.value.run.row === run.row)
      // Beside its name an organization states who writes for it ("Buyer: G. Fairweather").
      yield { party: named, span, weight: sure * personAtLabel };
    else if (span) yield { party: named, span, weight: sure };
    else if (party && pair.value.run !== run) yield* belowVotes(page, pair.value.run, party, 0.7);
  }
  const party =
    endsAsLabel(run.text) || run.text.length < 40 ? partyOfLabel(run.text.replace(/(?<![:\s])[:\s]+$/, "")) : undefined;
  if (party) yield* belowVotes(page, run, party, 0.85);
}

const maxCellLines = 4;

/** The first line of a cell whose label is centred beside several lines: they stand close, with nothing to their left. */
function topOfCell(value: RunSpan): RunSpan {
  const { page, run } = value;
  let top = run;
  for (let up = run.row - 1; run.column > 0 && up >= Math.max(0, run.row - maxCellLines); up--) {
    const next = page.rows[up]?.[0];
    const near =
      next && Math.abs(next.box[0] - top.box[0]) < 0.3 * top.height && top.box[1] - next.box[3] < 0.5 * top.height;
    if (!near || endsAsLabel(next.text)) break;
    top = next;
  }
  return top === run ? value : whole(page, top);
}

/** The first line that looks like a name below a head; a little space is allowed for. */
function* belowVotes(page: PageRuns, head: TextRun, party: Party, weight: number): Generator<Vote> {
  let below = runBelow(page, head);
  for (let tries = 0; below && tries < 2; tries++) {
    // What follows the next label is another's answer.
    if (tries > 0 && isLabel(page.rows[below.row - 1]?.find((other) => isAligned(other, head))?.text ?? "")) return;
    const span = nameSpan(whole(page, below));
    if (span) {
      yield { party, span, weight };
      return;
    }
    below = runBelow(page, below);
  }
}

/** Votes of the line of an address that has the town: the sender line of a letter, or the block above. */
function* addressVotes(page: PageRuns, run: TextRun, roles: RoleOf, sides: Sides): Generator<Vote> {
  if (!isAddressLine(run.text) || inTable(page, run)) return;
  const sender = senderName(page, run);
  if (sender) {
    const high = run.box[3] < page.page.height * 0.45;
    const above = largerAbove(page, run);
    const name = above && !hasLegalForm(spanText(sender)) ? nameSpan(whole(page, above)) : undefined;
    yield { party: sides.issuer, span: name ?? sender, weight: high ? 0.8 : 0.6 };
    return;
  }
  const block = readBlock(page, run);
  if (!block) return;
  const vote = { span: block.name, ...(block.upper ? { upper: block.upper } : {}) };
  const top = block.name.run;
  const role = roles(top) ?? roles(run);
  if (role) yield { party: role, ...vote, weight: 0.6 };
  else if (block.addressed || block.underSender)
    yield { party: sides.addressee, ...vote, weight: 0.7, guessed: !block.saluted && !block.underSender };
  else if (hasContactBelow(page, run) || block.prominence > prominent)
    yield { party: sides.issuer, ...vote, weight: 0.66 };
  else if (inWindow(page, top))
    yield isOnlyAddress(page, run)
      ? { party: sides.issuer, ...vote, weight: 0.42 }
      : { party: sides.addressee, ...vote, weight: 0.62, guessed: true };
}

/** Behind others of so many texts side by side stand cells. */
const tableColumns = 4;
const inTable = (page: PageRuns, run: TextRun): boolean =>
  run.column > 0 && (page.rows[run.row]?.length ?? 0) >= tableColumns;

/** A name in type so much larger than its address is a letterhead. */
const prominent = 1.3;

/** True if below the address stand ways of contact, tax or register numbers, as issuers state them of themselves. */
function hasContactBelow(page: PageRuns, run: TextRun): boolean {
  let low = run;
  for (let down = run.row; down < page.rows.length && down <= run.row + 9; down++) {
    const next = (page.rows[down] ?? []).find((other) => isAligned(other, low));
    if (!next) continue;
    if (next.box[1] - low.box[3] > 2.6 * low.height) return false;
    if (isContactLine(next.text) || issuerDetail.test(next.text)) return true;
    // The town of another address.
    if (low !== run && isAddressLine(next.text) && !isAddressLine(low.text)) return false;
    low = next;
  }
  return false;
}

const issuerDetail = /(?<!\p{L})(?:gst|siret|siren|ust-?id|tva|reg(?:istration)?\.? ?no|company no|hrb|tin)(?!\p{L})/iu;

/** A paper with one address has that of who issued it, as receipts do. */
function isOnlyAddress(page: PageRuns, run: TextRun): boolean {
  return page.page.number === 1 && !page.runs.some((other) => other !== run && isAddressLine(other.text));
}

/** Where letters have the address of who gets them: the upper half. */
const inWindow = (page: PageRuns, run: TextRun): boolean =>
  page.page.number === 1 && run.box[1] < page.page.height * 0.5;

/** Company names by their legal form, and the first line of the first page. */
function* companyVotes(page: PageRuns, run: TextRun, roles: RoleOf, sides: Sides): Generator<Vote> {
  const { span, upper } = companyLines(page, run);
  const role = roles(run);
  if (span && (role === undefined || role === sides.issuer) && !isCareOf(run.text))
    yield { party: sides.issuer, span, ...(upper ? { upper } : {}), weight: companyWeight(page, run) };
  if (!span && page.page.number === 1 && run.row <= 2 && run.column === 0 && role === undefined) {
    const line = nameSpan(whole(page, run));
    const title = labelTerms(run.text).some((term) =>
      term.texts.some((text) => text === "invoice" || text === "receipt" || text === "order"),
    );
    if (line && !title) yield { party: sides.issuer, span: line, weight: run.row === 0 ? 0.34 : 0.31 };
  }
}

const topRows = 6;

function companyWeight(page: PageRuns, run: TextRun): number {
  const place = run.box[1] / page.page.height;
  const atTop = page.page.number === 1 && (place < 0.15 || run.row < topRows);
  return atTop ? 0.5 : place > 0.82 ? 0.42 : 0.2;
}

/** A company's name, on one line or with its legal form on the next. */
function companyLines(page: PageRuns, run: TextRun): { span?: RunSpan; upper?: RunSpan } {
  const span = companySpan(page, run);
  if (span) return { span, ...beginning(page, run, span) };
  const form = legalFormOf(run.text.slice(0, maxNameLength));
  const above = form?.index === 0 ? lineAbove(page, run) : undefined;
  const upper = above && nameSpan(whole(page, above));
  const lower = form && trimmed(page, run, 0, form[0].length);
  return upper && lower ? { span: lower, upper } : {};
}

const sameType = 0.3;

/** The line above of a name that was too long for one: "Lian Chi Vegetarian" above "Restaurant Sdn Bhd", set alike. */
function beginning(page: PageRuns, run: TextRun, span: RunSpan): { upper?: RunSpan } {
  const form = legalFormOf(spanText(span));
  const isShort = span.start === 0 && form !== null && /^\S+ $/u.test(spanText(span).slice(0, form.index));
  const above = isShort && run.row < topRows ? lineAbove(page, run) : undefined;
  if (!above || !/\p{L} \p{L}/u.test(above.text) || /[:\d]/.test(above.text) || hasLegalForm(above.text)) return {};
  const size = sizeOf(page, run);
  const upper = Math.abs(sizeOf(page, above) - size) < sameType * size ? nameSpan(whole(page, above)) : undefined;
  return upper ? { upper } : {};
}

/** The line right above, at the same edge or around the same centre. */
function lineAbove(page: PageRuns, run: TextRun): TextRun | undefined {
  const above = page.rows[run.row - 1]?.find((other) => isAligned(other, run));
  return above && run.box[1] - above.box[3] < run.height ? above : undefined;
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

const maxMerged = 200;
const minShort = 5;

/** The votes for each name as one score: the chance that not all of them err. */
function tally(votes: readonly Vote[]): Map<string, { score: number; vote: Vote }> {
  const names = new Map<string, { miss: number; vote: Vote; count: number }>();
  for (const vote of votes) {
    const key = voteKey(vote);
    const known = names.get(key);
    if (!known) names.set(key, { miss: 1 - vote.weight, vote, count: 1 });
    else {
      // Repetition tells less each time: a page has the same foot as the one before.
      known.count++;
      known.miss *= 1 - vote.weight / known.count;
      if (vote.weight > known.vote.weight) known.vote = vote;
    }
  }
  for (const [key, full] of names) {
    if (!hasLegalForm(spanText(full.vote.span)) || names.size > maxMerged) continue;
    // The letterhead leaves out the form that the foot has.
    for (const [short, { miss }] of names)
      if (short !== key && short.length >= minShort && key.includes(short))
        full.miss *= Math.max(miss, 0.1) ** 0.9 * 0.97;
  }
  return new Map([...names].map(([key, { miss, vote }]) => [key, { score: Math.min(0.98, 1 - miss), vote }]));
}

function voteCandidate(vote: Vote, score: number): Candidate {
  const candidate = toCandidate(vote.span, score);
  if (!vote.upper) return candidate;
  const upper = toCandidate(vote.upper, score);
  return { ...candidate, value: `${upper.value} ${candidate.value}`, words: [...upper.words, ...candidate.words] };
}
