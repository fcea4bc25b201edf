/**
 * Votes for who issued the document and who is to be paid. A vote says that a name belongs to a
 * party. The votes come from the letterhead, the page foot, signatures and payment instructions.
 */

import { type RunSpan, spanText, trimmed, whole } from "../../page/run-spans.ts";
import { type PageRuns, sizeOf, type TextRun } from "../../page/text-runs.ts";
import { isAddressLine } from "../../values/address-lines.ts";
import { companySpan, hasLegalForm, nameSpan } from "../candidates/names.ts";
import { isBank, isOrnament, looksLikePerson } from "../candidates/party-lines.ts";
import { beginsAsTitle } from "../labels/document-title.ts";
import { labelTerms } from "../labels/label-scores.ts";
import type { RoleOf } from "../labels/party-headings.ts";
import type { Sides, Vote } from "./party-votes.ts";

/**
 * Share of the page height, from the top, in which a letterhead may be. Chosen by hand, 2026-11.
 */
const headShare = 0.2;
/**
 * Minimum type size of a letterhead, as a multiple of the median type size. Chosen by hand,
 * 2026-11.
 */
const larger = 1.2;

export function* letterheadVotes(page: PageRuns, roles: RoleOf, sides: Sides): Generator<Vote> {
  if (page.page.number === 1) yield* largestTextVotes(page, roles, sides);
  for (const run of page.runs) {
    yield* footVotes(page, run, sides);
    yield* payableVotes(page, run);
    yield* signatureVotes(page, run, sides);
  }
}

/** Votes for the largest text at the top of the first page, unless it is the title. */
function* largestTextVotes(page: PageRuns, roles: RoleOf, sides: Sides): Generator<Vote> {
  const sizes = page.runs.map((run) => sizeOf(page, run)).sort((a, b) => a - b);
  const usual = sizes[sizes.length >> 1] ?? 1;
  const head = page.runs.filter(
    (run) =>
      run.box[1] < headShare * page.page.height &&
      sizeOf(page, run) > larger * usual &&
      roles(run) === undefined &&
      !beginsAsTitle(run.text) &&
      !isOrnament(run.text),
  );
  const largest = head.reduce<TextRun | undefined>(
    (best, run) => (best && sizeOf(page, best) >= sizeOf(page, run) ? best : run),
    undefined,
  );
  const span = largest && (companySpan(page, largest) ?? nameSpan(whole(page, largest)));
  if (span) yield { party: sides.issuer, span, kind: "letterhead", factor: 1 };
}

/** The page foot begins at this share of the page height. Chosen by hand, 2026-11. */
const footShare = 0.72;
const issuerStatement =
  /(?<!\p{L})(?:ust-?id|umsatzsteuer|vat reg|vat no|vat id|n° ?tva|tva intra|tva [a-z]{2}|siret|siren|r\.?c\.?s\.? |hr[ab] ?\d|fn \d|registered in|registered office|company (?:no|number)|reg\. merc|registro mercantil|capital|p\. ?iva|partita iva|gnr \d|cif |nif |kvk|abn |acn |gstin|amtsgericht|registergericht)/iu;

/**
 * Votes for the name before registration details in the page foot, because these details are the
 * issuer's. An example is "Acme GmbH · HRB 123 · USt-IdNr. …".
 */
function* footVotes(page: PageRuns, run: TextRun, sides: Sides): Generator<Vote> {
  if (run.box[1] < footShare * page.page.height || isAddressLine(run.text)) return;
  const statement = issuerStatement.exec(run.text.slice(0, 400));
  if (!statement || statement.index < 3) return;
  const mark = /(?<!\s)\s*(?:[•·●|∙,;]|\.(?= \p{Lu})|\s[–—-](?=\s)|(?: au| con| mit)? (?=capital|kapital))/iu.exec(
    run.text,
  );
  const value = mark && mark.index <= statement.index ? trimmed(page, run, 0, mark.index) : undefined;
  const span = value && nameSpan(value);
  if (span && !isBank(spanText(span))) yield { party: sides.issuer, span, kind: "registration", factor: 1 };
}

const payable =
  /(?<!\p{L})(?:(?:checks?|cheques?|payments?|remittance)[\p{L} ]{0,24} payable to|zahlbar an|à l'ordre de|account name|beneficiary|kontoinhaber(?:in)?)[: ]+(?=\p{Lu})/iu;

/** Votes for the payee named in a sentence such as "Make checks payable to Acme Inc." */
function* payableVotes(page: PageRuns, run: TextRun): Generator<Vote> {
  const found = payable.exec(run.text.slice(0, 400));
  if (!found) return;
  const from = found.index + found[0].length;
  const words = /^(?:(?:[\p{Lu}\d][\p{L}\d.'’&+/-]*|&|and|und|et|of|de|du|,)(?:\s+|$)){1,8}/u.exec(
    run.text.slice(from),
  )?.[0];
  const end = words === undefined ? 0 : endOfSentence(words);
  const span = end > 0 ? trimmed(page, run, from, from + end) : undefined;
  const name = span && nameSpan(span);
  if (name) yield { party: "payee", span: name, kind: "payable", factor: 1 };
}

/**
 * Returns the index at which the first sentence ends. A full stop in a legal form, such as "Inc.",
 * does not end it.
 */
function endOfSentence(words: string): number {
  const dot = /\p{L}{2}\. +(?=\p{Lu})/u.exec(words);
  return dot && !/(?:Inc|Ltd|Co|Corp|Pvt|Pty|Pte)\. +$/u.test(words.slice(0, dot.index + dot[0].length))
    ? dot.index + 2
    : words.length;
}

const closing =
  /^(?:mit (?:freundlichen|besten|herzlichen) grüßen|(?:herzliche|viele|freundliche|beste) gr(?:ü|ue)(?:ß|ss)e|freundliche grüsse|cordialement|bien cordialement|salutations distinguées|sincerely|yours (?:sincerely|faithfully|truly)|(?:kind|best|warm) regards|regards|saludos cordiales|atentamente|cordiali saluti|distinti saluti|met vriendelijke groeten?),?$/iu;
const forCompany = /^(?:for|for and on behalf of|per pro|p\.p\.|pour|i\. ?a\.|on behalf of)[: ]+(?=\p{Lu})/u;

/**
 * Votes for the name below a closing formula such as "Yours sincerely", and for the name in "for
 * Acme Ltd." above a signature.
 */
function* signatureVotes(page: PageRuns, run: TextRun, sides: Sides): Generator<Vote> {
  const lead = forCompany.exec(run.text)?.[0].length;
  if (lead !== undefined && hasLegalForm(run.text)) {
    const span = trimmed(page, run, lead, run.text.length);
    const name = span && nameSpan(span);
    if (name) yield { party: sides.issuer, span: name, kind: "signedFor", factor: 1 };
  }
  if (!closing.test(run.text)) return;
  const below = page.rows[run.row + 1]?.[0];
  const name: RunSpan | undefined = below && nameSpan(whole(page, below));
  const known = name && labelTerms(spanText(name)).length > 0;
  if (name && known && (looksLikePerson(spanText(name)) || hasLegalForm(spanText(name))))
    yield { party: sides.issuer, span: name, kind: "signature", factor: 1 };
}
