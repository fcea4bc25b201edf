/**
 * Finds postal addresses. An address begins below a name and ends with the town, or with the region
 * after the town. Its label, or the section that contains it, shows to which party it belongs.
 */

import { itemAt } from "../../../lib/item-at.ts";
import type { Party } from "../../lexicon/all-concepts.ts";
import { whole } from "../../page/run-spans.ts";
import { centreX, type DocumentRuns, type PageRuns, type TextRun } from "../../page/text-runs.ts";
import { isAddressLine, isContactLine, isPremisesLine, isStreetLine } from "../../values/address-lines.ts";
import { byScore, type Candidate } from "../candidates/find-candidates.ts";
import { isLabel, textCandidates, toCandidate } from "../candidates/labelled-text.ts";
import { hasLegalForm, nameKey } from "../candidates/names.ts";
import { isRegister } from "../candidates/party-lines.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import { type RoleOf, readRoles } from "../labels/party-headings.ts";
import { addressDistances, addressScores } from "./address-weights.ts";
import { partyCandidates } from "./party-candidates.ts";
import type { PartyView } from "./party-view.ts";

/** Maximum number of lines in an address. Chosen by hand, 2026-11. */
const maxLines = 6;
/**
 * An issuer's address must begin within this share of the page's rows, counted from the top. Chosen
 * by hand, 2026-11.
 */
const headShare = 0.4;
/** Matches a line after the town, such as "SELANGOR.", "Malaysia" or "United Kingdom". */
const regionName = /^\p{Lu}[\p{L} .,/-]{2,30}$/u;

export function addressCandidates(query: AskedField, { layout, votes, pairs, asked }: PartyView): Candidate[] {
  const parties: Party[] = ["seller", "buyer", "consignee"];
  const names = new Set(parties.map((party) => nameKey(String(partyCandidates(party, votes())[0]?.value ?? ""))));
  const labelled = textCandidates(query, pairs(), asked)
    .map((candidate) => extended(candidate, layout))
    .map((candidate) =>
      isPlaced(String(candidate.value))
        ? candidate
        : { ...candidate, score: candidate.score * addressScores.notAsPlace },
    );
  const blocks = layout.pages.slice(0, 3).flatMap((page) => {
    const roles = readRoles(page);
    return page.runs
      .filter(({ text }) => isAddressLine(text) && !beginsContact(text))
      .map((run) => blockCandidate(query, page, run, { roles, names }));
  });
  const found = [...labelled, ...blocks];
  const first = layout.pages[0];
  const townless = query.party === "seller" && first && found.every(({ score }) => score < addressScores.withoutTown);
  return [...found, ...(townless ? blocksWithoutTown(first) : [])].sort(byScore);
}

/**
 * Returns an issuer's address that has neither postcode nor town, as on many receipts. It begins
 * with the first line that contains a street or part of a building, and includes the lines that
 * continue it.
 */
function blocksWithoutTown(page: PageRuns): Candidate[] {
  const start = page.rows.findIndex(
    (row) => row.length === 1 && isPlace(row[0]?.text ?? "") && !isBreak(row[0]?.text ?? ""),
  );
  const lines: TextRun[] = [];
  for (let row = start; row >= 0 && row < page.rows.length && lines.length < maxLines; row++) {
    const next = page.rows[row]?.length === 1 ? page.rows[row]?.[0] : undefined;
    const last = lines.at(-1);
    if (!next || isBreak(next.text) || isLabel(next.text) || hasLegalForm(next.text)) break;
    if (last && next.box[1] - last.box[3] > addressDistances.gap * last.height) break;
    if (last && !isPlace(next.text) && !last.text.endsWith(",") && !regionName.test(next.text)) break;
    lines.push(next);
    if (regionName.test(next.text) && !next.text.endsWith(",")) break;
  }
  const inHead = (lines[0]?.row ?? page.rows.length) <= page.rows.length * headShare;
  return inHead && lines.some(({ text }) => isStreetLine(text)) ? [joined(page, lines, addressScores.withoutTown)] : [];
}

/** Returns the address in the block that ends with the line `town`, without the name above it. */
function blockCandidate(
  query: AskedField,
  page: PageRuns,
  town: TextRun,
  known: { roles: RoleOf; names: ReadonlySet<string> },
): Candidate {
  const lines = [town];
  for (let up = town.row - 1; up >= 0 && lines.length < maxLines; up--) {
    const first = lines[0] ?? town;
    const next = alignedIn(page, up, first);
    if (!next || first.box[1] - next.box[3] > addressDistances.gap * town.height || isBreak(next.text)) break;
    if (known.names.has(nameKey(next.text)) || hasLegalForm(next.text)) break;
    lines.unshift(next);
  }
  const [top, second] = lines;
  if (top && second && lines.length > 2 && !isPlace(top.text) && isPlace(second.text)) lines.shift();
  const w = addressScores;
  const role = known.roles(town);
  const early = Math.max(0, w.early - w.laterPerPage * (town.page + town.row / page.rows.length));
  const score =
    (role === undefined || !query.party ? w.inNoSection : role === query.party ? w.inSection : w.inOther) + early;
  return joined(page, lines, score);
}

const isPlace = (text: string): boolean => isStreetLine(text) || isPremisesLine(text);

/**
 * Returns true for a line such as "Tel: 03-3362 4395 TAX INVOICE", in which digits and words only
 * look like a postcode and town.
 */
const beginsContact = (text: string): boolean => isContactLine(text.split(/[\s:\d]/u, 1)[0] ?? "");

/**
 * Returns true if the text may be an address, because it has a street or a town. A text with a
 * comma and no contact detail may also be an address.
 */
const isPlaced = (text: string): boolean =>
  isPlace(text) || isAddressLine(text) || (text.includes(",") && !isContactLine(text));

/**
 * Returns true for a line that is not part of an address: a labelled detail, a contact detail, or a
 * remark in brackets. "No: 28, High Street" is part of an address.
 */
const isBreak = (text: string): boolean =>
  (/:\s*\S|:$/.test(text) && !/^No ?: ?\p{Lu}?\d{1,5}(?:,|$)/iu.test(text)) ||
  isContactLine(text) ||
  isRegister(text) ||
  /^\(.*\)$/.test(text);

/** Returns a text run of the given row whose left edge or centre is aligned with that of `line`. */
function alignedIn(page: PageRuns, row: number, line: TextRun): TextRun | undefined {
  return page.rows[row]?.find(
    (run) =>
      Math.abs(run.box[0] - line.box[0]) < addressDistances.aligned * line.height ||
      Math.abs(centreX(run.box) - centreX(line.box)) < line.height,
  );
}

/**
 * Extends an address that was found by the label of its first line. Adds the lines below, down to
 * the town.
 */
function extended(candidate: Candidate, layout: DocumentRuns): Candidate {
  const page = layout.pages[candidate.page];
  if (!page || isAddressLine(String(candidate.value))) return candidate;
  const lines: TextRun[] = [];
  const left = candidate.start === 0 ? candidate.run.box[0] : undefined;
  for (let down = candidate.run.row + 1; down < page.rows.length && lines.length < maxLines; down++) {
    const next = page.rows[down]?.find(
      (run) => left === undefined || Math.abs(run.box[0] - left) < addressDistances.aligned * run.height,
    );
    if (
      !next ||
      next.box[1] - (lines.at(-1) ?? candidate.run).box[3] > addressDistances.gapBelowLabelled * next.height ||
      isBreak(next.text)
    )
      break;
    lines.push(next);
    if (isAddressLine(next.text)) break;
  }
  if (!lines.some((line) => isAddressLine(line.text))) return candidate;
  const rest = joined(page, lines, 0);
  return { ...candidate, value: `${candidate.value} ${rest.value}`, words: [...candidate.words, ...rest.words] };
}

function joined(page: PageRuns, lines: readonly TextRun[], score: number): Candidate {
  const below = lines.at(-1);
  const after = below && alignedIn(page, below.row + 1, below);
  const goesOn =
    after &&
    regionName.test(after.text) &&
    after.box[1] - below.box[3] < below.height &&
    !isBreak(after.text) &&
    !isLabel(after.text);
  const parts = (goesOn ? [...lines, after] : lines).map((line) => toCandidate(whole(page, line), score));
  const first = itemAt(parts, 0);
  return { ...first, value: parts.map((part) => part.value).join(" "), words: parts.flatMap((part) => part.words) };
}
