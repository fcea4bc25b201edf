/**
 * Collects votes for the names of the parties. A vote says that a name belongs to a party. Labels,
 * sender lines, address blocks and legal forms each yield votes. `party-candidates.ts` combines the
 * votes for one name.
 */
import type { Party } from "../../lexicon/all-concepts.ts";
import { endsAsLabel, pairsOf, runBelow } from "../../page/label-value-pairs.ts";
import { type RunSpan, spanText, trimmed, whole } from "../../page/run-spans.ts";
import { type DocumentRuns, type PageRuns, sizeOf, type TextRun } from "../../page/text-runs.ts";
import { isAddressLine, isContactLine } from "../../values/address-lines.ts";
import { isLabel } from "../candidates/labelled-text.ts";
import { companySpan, hasLegalForm, legalFormOf, maxNameLength, nameKey, nameSpan } from "../candidates/names.ts";
import { isCareOf, looksLikePerson } from "../candidates/party-lines.ts";
import { labelTerms } from "../labels/label-scores.ts";
import { partyOfLabel, type RoleOf, readRoles } from "../labels/party-headings.ts";
import { isWrittenByBuyer } from "../labels/written-by-buyer.ts";
import { isAligned, largerAbove, readBlock, senderName } from "./address-blocks.ts";
import { addressDistances } from "./address-weights.ts";
import { letterheadVotes } from "./letterhead.ts";
import { partyWeights, type VoteKind } from "./party-weights.ts";

/**
 * Maximum number of pages that are searched. If a document is longer, its first pages and its last
 * page are searched. Chosen by hand, 2026-11.
 */
const searchedPages = 3;

/** The party that issued the document, and the party that it is addressed to. */
export interface Sides {
  issuer: Party;
  addressee: Party;
}

export interface Vote {
  party: Party | undefined;
  /** First line of the name, if the name has two lines. */
  upper?: RunSpan;
  span: RunSpan;
  kind: VoteKind;
  /** Factor (0 to 1) for the weight of the vote's kind. */
  factor: number;
  /**
   * True if only weak evidence suggests that the name is the addressee's: its position, or a
   * department or "c/o" in its address block.
   */
  guessed?: boolean;
}

/** Returns the probability that the vote is correct, 0 to 1. */
export const weightOf = ({ kind, factor }: Vote, weights: typeof partyWeights = partyWeights): number =>
  weights[kind] * factor;

/** Collects the votes from the document's first pages and its last page. */
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
      ...letterheadVotes(page, roles, sides),
    ];
  });
  return settleGuesses(votes, sides);
}

/** Minimum weight at which a vote settles who the addressee is. Chosen by hand, 2026-11. */
const knownAddressee = 0.6;

/** If the addressee is known, turns guessed votes for any other name into votes for the issuer. */
function settleGuesses(votes: readonly Vote[], { issuer, addressee }: Sides): Vote[] {
  const known = votes.filter((vote) => vote.party === addressee && !vote.guessed && weightOf(vote) >= knownAddressee);
  const names = new Set(known.map(voteKey));
  return votes.map((vote) =>
    vote.guessed && names.size > 0 && !names.has(voteKey(vote))
      ? { ...vote, party: issuer, kind: "otherBlock", factor: 1 }
      : vote,
  );
}

const keys = new WeakMap<RunSpan, string>();

/**
 * Returns the key of the name that the vote is for. The key is cached, because all fields that ask
 * for a party need it.
 */
export function voteKey({ upper, span }: Vote): string {
  const key = keys.get(span) ?? nameKey((upper ? spanText(upper) : "") + spanText(span));
  keys.set(span, key);
  return key;
}

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
    const { factor } = pair;
    const span = nameSpan(party ? topOfCell(pair.value) : pair.value);
    if (span && party === sides.issuer && looksLikePerson(spanText(span)) && pair.value.run.row === run.row)
      // A person beside the label of the issuer is often only a contact: "Buyer: G. Fairweather".
      yield { party: named, span, kind: "personAtLabel", factor };
    else if (span) yield { party: named, span, kind: party ? "atPartyLabel" : "atNameLabel", factor };
    else if (party && pair.value.run !== run) yield* belowVotes(page, pair.value.run, party, "belowValue");
  }
  const party =
    endsAsLabel(run.text) || run.text.length < 40 ? partyOfLabel(run.text.replace(/(?<![:\s])[:\s]+$/, "")) : undefined;
  if (party) yield* belowVotes(page, run, party, "belowHeading");
}

/** Maximum number of rows that are searched upwards in a cell. Chosen by hand, 2026-11. */
const maxCellLines = 4;
/**
 * Maximum horizontal offset between the lines of a table cell, in line heights. Chosen by hand,
 * 2026-11.
 */
const maxCellIndent = 0.3;
/** Maximum gap between the lines of a table cell, in line heights. Chosen by hand, 2026-11. */
const maxCellGap = 0.5;

/**
 * Returns the first line of the table cell that contains `value`. The label of a cell with several
 * lines may be vertically centred, so `value` may not be on the first line. The lines of a cell are
 * close together and have nothing to their left.
 */
function topOfCell(value: RunSpan): RunSpan {
  const { page, run } = value;
  let top = run;
  for (let up = run.row - 1; run.column > 0 && up >= Math.max(0, run.row - maxCellLines); up--) {
    const next = page.rows[up]?.[0];
    const near =
      next &&
      Math.abs(next.box[0] - top.box[0]) < maxCellIndent * top.height &&
      top.box[1] - next.box[3] < maxCellGap * top.height;
    if (!near || endsAsLabel(next.text)) break;
    top = next;
  }
  return top === run ? value : whole(page, top);
}

/** Votes for the first name in the two lines below a heading. */
function* belowVotes(page: PageRuns, head: TextRun, party: Party, kind: VoteKind): Generator<Vote> {
  let below = runBelow(page, head);
  for (let tries = 0; below && tries < 2; tries++) {
    // Text below another label belongs to that label, not to the heading.
    if (tries > 0 && isLabel(page.rows[below.row - 1]?.find((other) => isAligned(other, head))?.text ?? "")) return;
    const span = nameSpan(whole(page, below));
    if (span) {
      yield { party, span, kind, factor: 1 };
      return;
    }
    below = runBelow(page, below);
  }
}

/**
 * Upper part of the page, as a share of its height. A sender line in this part has more weight.
 * Chosen by hand, 2026-11.
 */
const highShare = 0.45;

/**
 * Votes for the name in a sender line. If the run is the town of an address block, votes for the
 * name in that block.
 */
function* addressVotes(page: PageRuns, run: TextRun, roles: RoleOf, sides: Sides): Generator<Vote> {
  if (!isAddressLine(run.text) || inTable(page, run)) return;
  const sender = senderName(page, run);
  if (sender) {
    const high = run.box[3] < page.page.height * highShare;
    const above = largerAbove(page, run);
    const name = above && !hasLegalForm(spanText(sender)) ? nameSpan(whole(page, above)) : undefined;
    yield { party: sides.issuer, span: name ?? sender, kind: high ? "highSenderLine" : "lowSenderLine", factor: 1 };
    return;
  }
  const block = readBlock(page, run);
  if (!block) return;
  const vote = { span: block.name, factor: 1, ...(block.upper ? { upper: block.upper } : {}) };
  const top = block.name.run;
  const role = roles(top) ?? roles(run);
  if (role) yield { party: role, ...vote, kind: "addressInSection" };
  else if (block.addressed || block.underSender)
    yield { party: sides.addressee, ...vote, kind: "addressee", guessed: !block.saluted && !block.underSender };
  else if (hasContactBelow(page, run) || block.prominence > prominent)
    yield { party: sides.issuer, ...vote, kind: "addressWithContact" };
  else if (inWindow(page, top))
    yield isOnlyAddress(page, run)
      ? { party: sides.issuer, ...vote, kind: "onlyAddress" }
      : { party: sides.addressee, ...vote, kind: "addressInWindow", guessed: true };
}

/**
 * A row with at least this many text runs counts as a table row. All its runs except the first
 * count as table cells. Chosen by hand, 2026-11.
 */
const tableColumns = 4;
const inTable = (page: PageRuns, run: TextRun): boolean =>
  run.column > 0 && (page.rows[run.row]?.length ?? 0) >= tableColumns;

/**
 * Minimum type size of the name in a letterhead, as a multiple of the type size of the address.
 * Chosen by hand, 2026-11.
 */
const prominent = 1.3;

/**
 * Returns true if contact details, tax numbers or register numbers follow the address. These
 * details are the issuer's.
 */
function hasContactBelow(page: PageRuns, run: TextRun): boolean {
  let low = run;
  for (let down = run.row; down < page.rows.length && down <= run.row + 9; down++) {
    const next = (page.rows[down] ?? []).find((other) => isAligned(other, low));
    if (!next) continue;
    if (next.box[1] - low.box[3] > addressDistances.townGap * low.height) return false;
    if (isContactLine(next.text) || issuerDetail.test(next.text)) return true;
    // This line is the town of the next address.
    if (low !== run && isAddressLine(next.text) && !isAddressLine(low.text)) return false;
    low = next;
  }
  return false;
}

const issuerDetail = /(?<!\p{L})(?:gst|siret|siren|ust-?id|tva|reg(?:istration)?\.? ?no|company no|hrb|tin)(?!\p{L})/iu;

/**
 * Returns true if this is the only address on the first page. A single address is the issuer's, as
 * on receipts.
 */
function isOnlyAddress(page: PageRuns, run: TextRun): boolean {
  return page.page.number === 1 && !page.runs.some((other) => other !== run && isAddressLine(other.text));
}

/**
 * Returns true if the run is in the upper half of the first page, where letters print the
 * addressee.
 */
const inWindow = (page: PageRuns, run: TextRun): boolean =>
  page.page.number === 1 && run.box[1] < page.page.height * 0.5;

/**
 * Yields votes for company names: names that contain a legal form, such as GmbH or Ltd, and the
 * first lines of the first page.
 */
function* companyVotes(page: PageRuns, run: TextRun, roles: RoleOf, sides: Sides): Generator<Vote> {
  const { span, upper } = companyLines(page, run);
  const role = roles(run);
  if (span && (role === undefined || role === sides.issuer) && !isCareOf(run.text))
    yield { party: sides.issuer, span, ...(upper ? { upper } : {}), kind: companyKind(page, run), factor: 1 };
  if (!span && page.page.number === 1 && run.row <= 2 && run.column === 0 && role === undefined) {
    const line = nameSpan(whole(page, run));
    const title = labelTerms(run.text).some((term) =>
      term.texts.some((text) => text === "invoice" || text === "receipt" || text === "order"),
    );
    if (line && !title)
      yield { party: sides.issuer, span: line, kind: run.row === 0 ? "firstLine" : "secondLine", factor: 1 };
  }
}

/** Number of rows at the top of a page that may hold a letterhead. Chosen by hand, 2026-11. */
const topRows = 6;

/**
 * Shares of the page height at which the top part of a page ends, and at which the foot begins.
 * Chosen by hand, 2026-11.
 */
const [topShare, footShare] = [0.15, 0.82];

function companyKind(page: PageRuns, run: TextRun): VoteKind {
  const place = run.box[1] / page.page.height;
  const atTop = page.page.number === 1 && (place < topShare || run.row < topRows);
  return atTop ? "companyAtTop" : place > footShare ? "companyAtFoot" : "companyElsewhere";
}

/**
 * Returns a company name that is on one line, or on two lines with the legal form on the second
 * line.
 */
function companyLines(page: PageRuns, run: TextRun): { span?: RunSpan; upper?: RunSpan } {
  const span = companySpan(page, run);
  if (span) return { span, ...beginning(page, run, span) };
  const form = legalFormOf(run.text.slice(0, maxNameLength));
  const above = form?.index === 0 ? lineAbove(page, run) : undefined;
  const upper = above && nameSpan(whole(page, above));
  const lower = form && trimmed(page, run, 0, form[0].length);
  return upper && lower ? { span: lower, upper } : {};
}

/**
 * Maximum difference in type size between the lines of one name, as a share of the size. Chosen by
 * hand, 2026-11.
 */
const sameType = 0.3;

/**
 * If a name is too long for one line and begins on the line above, returns that line. Both lines
 * must have a similar type size. An example is "Lian Chi Vegetarian" above "Restaurant Sdn Bhd".
 */
function beginning(page: PageRuns, run: TextRun, span: RunSpan): { upper?: RunSpan } {
  const form = legalFormOf(spanText(span));
  const isShort = span.start === 0 && form !== null && /^\S+ $/u.test(spanText(span).slice(0, form.index));
  const above = isShort && run.row < topRows ? lineAbove(page, run) : undefined;
  if (!above || !/\p{L} \p{L}/u.test(above.text) || /[:\d]/.test(above.text) || hasLegalForm(above.text)) return {};
  const size = sizeOf(page, run);
  const upper = Math.abs(sizeOf(page, above) - size) < sameType * size ? nameSpan(whole(page, above)) : undefined;
  return upper ? { upper } : {};
}

/** Returns the aligned line directly above. */
function lineAbove(page: PageRuns, run: TextRun): TextRun | undefined {
  const above = page.rows[run.row - 1]?.find((other) => isAligned(other, run));
  return above && run.box[1] - above.box[3] < run.height ? above : undefined;
}
