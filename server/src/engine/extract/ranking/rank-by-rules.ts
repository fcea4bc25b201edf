/**
 * Finds the candidates of each field by rules: from labels, recognizable formats, parties, totals
 * and positions.
 */

import type { Party } from "../../lexicon/all-concepts.ts";
import { overlapShare, type PageRuns, type TextRun } from "../../page/text-runs.ts";
import { isIban } from "../../values/codes.ts";
import { allowedCandidates } from "../candidates/allowed-values.ts";
import { booleanCandidates } from "../candidates/booleans.ts";
import { byScore, type Candidate, findCandidates, scored } from "../candidates/find-candidates.ts";
import { textCandidates } from "../candidates/labelled-text.ts";
import { isProse, looksLikeName } from "../candidates/names.ts";
import { ownDates, ownNumbers } from "../candidates/own-number-and-date.ts";
import { preferTotals, type Ranked } from "../candidates/totals.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import { labelTerms } from "../labels/label-scores.ts";
import { type RoleOf, readRoles } from "../labels/party-headings.ts";
import { isAccountStatement } from "../labels/written-by-buyer.ts";
import { addressCandidates } from "../parties/addresses.ts";
import { isDebtorAccount, ownerInLabel } from "../parties/number-owners.ts";
import { partyCandidates } from "../parties/party-candidates.ts";
import type { PartyView } from "../parties/party-view.ts";

/**
 * Score of a value without a label, if its format is strict, such as that of an IBAN. Chosen by
 * hand, 2026-11.
 */
const unlabelledCode = 0.5;
/** Factors for scores. Chosen by hand, 2026-11. */
const factors = {
  /** Factor for a labelled identifier that contains no digits. */
  word: 0.75,
  /** Factor for a value that is recognized by its format, if the field is not in the lexicon. */
  noConcept: 0.4,
  /** Factor for the account from which a debtor pays. */
  debtorAccount: 0.4,
  /**
   * Factor for a value outside of any party's section, if the field asks for a party other than the
   * seller.
   */
  noSection: 0.75,
  /** Factor for a value in the section of the field's party. */
  ownSection: 1.15,
  /** Factor for a value in the section of another party. */
  otherSection: 0.35,
};
/**
 * Score of a currency without a label. It is `least`, plus `most` times this currency's share of
 * all currencies found, minus `sign` if the currency is printed as a sign such as "$". Chosen by
 * hand, 2026-11.
 */
const currency = { least: 0.45, most: 0.45, sign: 0.02 };
/** Returns the candidates of every field except lists, best first. */
export function rankByRules(queries: readonly AskedField[], view: PartyView): Ranked[] {
  const ranked = queries
    .filter((query) => query.format !== "list")
    .map((query) => ({ query, candidates: candidatesFor(query, view) }));
  preferTotals(ranked, view);
  return ranked;
}

function candidatesFor(query: AskedField, view: PartyView): Candidate[] {
  if (query.format === "text" && query.allowed.length > 0 && query.kind !== "currency")
    return allowedCandidates(query, view);
  switch (query.kind) {
    case "boolean":
      return query.format === "boolean"
        ? booleanCandidates(query, view)
        : textCandidates(query, view.pairs(), view.asked);
    case "currency":
      return currencyCandidates(query, view);
    case "name":
      return nameCandidates(query, view);
    case "address":
      return addressCandidates(query, view);
    case "text":
      return textCandidates(query, view.pairs(), view.asked);
    case "date":
      return ownDates(query, view);
    case "code":
      return codeCandidates(query, view);
    case "vat":
    case "iban":
    case "bic":
    case "email":
    case "url":
    case "phone":
      return formCandidates(query, view);
    default:
      return findCandidates(query, view.places);
  }
}

function nameCandidates(query: AskedField, view: PartyView): Candidate[] {
  const labelled = textCandidates(query, view.pairs(), view.asked).filter(({ value }) => !isProse(String(value)));
  const standsFor = query.concept?.standsFor;
  if (!query.party)
    return standsFor
      ? [...labelled.filter(({ value }) => namesOne(String(value))), ...asParty(standsFor, view)].sort(byScore)
      : labelled;
  const named = partyCandidates(query.party, view.votes());
  // An account statement is addressed to the account holder, who may be the payee.
  return query.party === "payee" && isAccountStatement(view.layout)
    ? [...named, ...asParty("buyer", view)].sort(byScore)
    : named;
}

const roleFamilies = new Set(["employee", "employer", "guest", "buyer", "seller", "customer", "supplier"]);

/**
 * Returns true if the text is a name. Returns false if it contains a role, such as "Employee",
 * because it is then more likely a column heading.
 */
const namesOne = (text: string): boolean =>
  looksLikeName(text) && !labelTerms(text).some((term) => term.texts.some((family) => roleFamilies.has(family)));

/**
 * Factor for the scores of a party's names, if the field does not ask for this party but may mean
 * it. Chosen by hand, 2026-11.
 */
const partyAsAsked = 0.75;

/**
 * Returns the party's candidates with lower scores, for a field that may mean this party. For
 * example, the employee on a payslip is its addressee.
 */
const asParty = (party: Party, view: PartyView): Candidate[] =>
  partyCandidates(party, view.votes()).map((candidate) => ({ ...candidate, score: candidate.score * partyAsAsked }));

/** Returns identifiers that have a label. A word in capital letters without digits counts too. */
function codeCandidates(query: AskedField, view: PartyView): Candidate[] {
  const coded = findCandidates(query, view.places);
  const words = textCandidates(query, view.pairs(), view.asked)
    .filter(
      (candidate) =>
        /^[\p{Lu}\d][\p{Lu}\d._/-]{1,39}$/u.test(String(candidate.value)) && !/\d/.test(String(candidate.value)),
    )
    .map((candidate) => ({ ...candidate, score: candidate.score * factors.word }));
  return ownNumbers(query, [...coded, ...words], view)
    .map((candidate) => withRole(query, candidate, view))
    .sort(byScore);
}

/**
 * Returns values that are recognized by their format, such as an IBAN, even without a label. The
 * score is raised or lowered if the value is in a party's section.
 */
function formCandidates(query: AskedField, view: PartyView): Candidate[] {
  return view
    .places(query.kind)
    .map((place) => {
      const candidate = scored(query, place);
      const base = place.found.quality >= 1 && (query.kind !== "phone" || candidate.score > 0) ? unlabelledCode : 0;
      const labelled = Math.max(candidate.score, base * (query.concept ? 1 : factors.noConcept));
      const confirmed = query.kind === "iban" && isIban(String(candidate.value));
      const debtor = query.concept?.key === "iban" && isDebtorAccount(statementOf(place.page, place.run));
      return withRole(
        query,
        { ...candidate, score: labelled * (debtor ? factors.debtorAccount : 1), ...(confirmed ? { confirmed } : {}) },
        view,
      );
    })
    .filter((candidate) => candidate.score > 0)
    .sort(byScore);
}

/**
 * Returns the text of the line and of the lines close above and below, because a sentence may span
 * several lines.
 */
function statementOf(page: PageRuns, run: TextRun): string {
  if (run.column > 0) return run.text;
  const near = (other: TextRun | undefined): string => {
    const gap = other ? Math.max(other.box[1] - run.box[3], run.box[1] - other.box[3]) : 0;
    return other && gap < run.height ? other.text : "";
  };
  return [near(page.rows[run.row - 1]?.[0]), run.text, near(page.rows[run.row + 1]?.[0])].join(" ");
}

const roleCache = new WeakMap<object, RoleOf>();

/**
 * Raises the score of a value if it is in the section of the field's party. Lowers the score if the
 * value is in another section.
 */
function withRole<C extends Candidate>(query: AskedField, candidate: C, view: PartyView): C {
  const page = view.layout.pages[candidate.page];
  if (!query.party || !page) return candidate;
  const roles = roleCache.get(page) ?? readRoles(page);
  roleCache.set(page, roles);
  const role = addressedTo(candidate, page) ?? view.owners()(candidate.run) ?? roles(candidate.run);
  const { noSection, ownSection, otherSection } = factors;
  if (role === undefined)
    return query.party === "seller" ? candidate : { ...candidate, score: candidate.score * noSection };
  const score = candidate.score * (role === query.party ? ownSection : otherSection);
  return { ...candidate, score: role === query.party ? Math.min(1, score) : score };
}

const yours = /^(?:ihre?|your|vos|votre|uw|su|vostr[oa])(?!\p{L})/iu;
const ours = /^(?:unsere?|our|nos|notre|onze?|nuestr[oa]|nostr[oa])(?!\p{L})/iu;

/**
 * Returns the party that the label refers to. "Your VAT ID" is the buyer's, because the buyer is
 * the reader. "Our VAT ID" is the seller's.
 */
function addressedTo({ run, start }: Candidate, page: PageRuns): Party | undefined {
  const before = run.text.slice(0, start).trim();
  const label = before || (page.rows[run.row]?.[run.column - 1]?.text ?? "");
  return yours.test(label) ? "buyer" : ours.test(label) ? "seller" : ownerInLabel(label || headAbove(page, run));
}

/** Returns the text directly above a value, which may be a column heading. */
const headAbove = (page: PageRuns, run: TextRun): string =>
  page.rows[run.row - 1]?.find((other) => overlapShare(other.box, run.box) > 0.5)?.text ?? "";

/**
 * Scores each currency by its label or by its share among all currencies found, whichever is
 * higher. A currency in a text with a number counts twice.
 */
function currencyCandidates(query: AskedField, view: PartyView): Candidate[] {
  const counts = new Map<string, number>();
  for (const place of view.places("currency")) {
    const beside = /\d/.test(place.run.text) ? 2 : 1;
    counts.set(String(place.found.value), (counts.get(String(place.found.value)) ?? 0) + beside);
  }
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return view
    .places("currency")
    .map((place) => {
      const candidate = scored(query, place);
      const share = (counts.get(String(place.found.value)) ?? 0) / all;
      const byShare = currency.least + currency.most * share - (place.found.match === "exact" ? 0 : currency.sign);
      return { ...candidate, score: Math.max(candidate.score, byShare) };
    })
    .sort(byScore);
}
