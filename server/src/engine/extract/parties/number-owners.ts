/**
 * Determines to which party a number belongs: the party in whose address block, letterhead or page
 * foot it stands.
 */

import type { Party } from "../../lexicon/all-concepts.ts";
import type { DocumentRuns, PageRuns, TextRun } from "../../page/text-runs.ts";
import { nameKey } from "../candidates/names.ts";
import { labelTerms } from "../labels/label-scores.ts";
import { isAligned } from "./address-blocks.ts";
import { partyCandidates } from "./party-candidates.ts";
import type { Vote } from "./party-votes.ts";

export type OwnerOf = (run: TextRun) => Party | undefined;

/** Maximum number of rows that are searched upwards for a party's name. Chosen by hand, 2026-11. */
const maxLines = 8;
/** Maximum vertical gap between two consecutive lines, in line heights. Chosen by hand, 2026-11. */
const maxGap = 1.6;
/** Minimum length of a name's key. Shorter names could match by chance. Chosen by hand, 2026-11. */
const minKey = 5;

/**
 * Returns a function that maps a text run to the party that the numbers in the run belong to. It
 * looks for the parties' names, which `votes` determine.
 */
export function readOwners(layout: DocumentRuns, votes: readonly Vote[]): OwnerOf {
  const keys = (["seller", "buyer"] as const).flatMap((party) => {
    const key = nameKey(String(partyCandidates(party, votes)[0]?.value ?? ""));
    return key.length >= minKey ? [{ party, key }] : [];
  });
  const named = (line: TextRun): Party | undefined => {
    const text = nameKey(line.text);
    const found = keys.filter(({ key }) => text.includes(key));
    return found.length === 1 ? found[0]?.party : undefined;
  };
  const known = new Map<TextRun, Party | undefined>();
  return (run) => {
    const page = layout.pages[run.page];
    if (!page || known.has(run)) return known.get(run);
    const owner = named(run) ?? ownerAbove(page, run, named);
    known.set(run, owner);
    return owner;
  };
}

/**
 * Returns the party named in the nearest aligned line above the run that contains a party's name.
 */
function ownerAbove(page: PageRuns, run: TextRun, named: OwnerOf): Party | undefined {
  let low = run;
  for (let up = run.row - 1; up >= 0 && run.row - up <= maxLines; up--) {
    const next = page.rows[up]?.find((other) => isAligned(other, low));
    const bottom = next?.box[3] ?? page.rows[up]?.[0]?.box[3] ?? low.box[1];
    if (low.box[1] - bottom > maxGap * low.height) return undefined;
    if (!next) continue;
    const owner = named(next);
    if (owner) return owner;
    low = next;
  }
  return undefined;
}

/**
 * Returns the party named in the label of a number, such as the buyer in "Partita IVA cliente" or
 * "USt-Id Kunde:".
 */
export function ownerInLabel(label: string): Party | undefined {
  const families = new Set(labelTerms(label.slice(-60)).flatMap((term) => term.texts));
  const buyer = families.has("buyer") || families.has("customer");
  const seller = families.has("seller") || families.has("supplier");
  return buyer === seller ? undefined : buyer ? "buyer" : "seller";
}

const debtorAccount =
  /(?:(?:ihr(?:em|es|er)?|your|votre|vostro|su|uw) (?:\p{L}{2,12}[ -]?)?(?:konto|account|compte|conto|cuenta|rekening|bank)|lastschrift|eingezogen|abgebucht|einzug|direct(?:ly)? debit|will be debited|prélev|domicilia|addebit|incasso|afgeschreven|debtor|débiteur)/iu;

/**
 * Returns true if the text says that the reader's account will be debited. In that case, the
 * account number is not the payee's.
 */
export const isDebtorAccount = (text: string): boolean => debtorAccount.test(text);
