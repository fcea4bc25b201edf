/**
 * Determines to which party's section a text run belongs. A section begins with a heading such as
 * "Seller", "Bill to" or "Adresse de livraison".
 */

import type { Party } from "../../lexicon/all-concepts.ts";
import type { PageRuns, TextRun } from "../../page/text-runs.ts";
import { labelTerms } from "./label-scores.ts";

/** Word families that name a party, most specific first. */
const partyFamilies: readonly [Party, readonly string[]][] = [
  ["consignee", ["consignee"]],
  ["payee", ["payee"]],
  ["buyer", ["buyer", "customer"]],
  ["seller", ["seller", "supplier"]],
];
const neutralFamilies = new Set(["name", "address", "company", "invoice", "contact"]);
/** Maximum length of a heading, in UTF-16 units. Chosen by hand, 2026-11. */
const maxHeadLength = 48;
/**
 * Maximum cost of assigning a run to a heading. The cost grows with the distance between the run
 * and the heading. `reach` times this number is also the maximum distance of a run below its
 * heading, in line heights. Chosen by hand, 2026-11.
 */
const maxRowsBelow = 30;
/**
 * Cost per line height of vertical distance between a heading and a run below it. Chosen by hand,
 * 2026-11.
 */
const costDown = 0.7;
/**
 * Cost per line height of horizontal distance between a heading and a run to its right. Chosen by
 * hand, 2026-11.
 */
const costRight = 0.18;
/**
 * Maximum distance of a run below its heading, as a multiple of `maxRowsBelow` line heights. Chosen
 * by hand, 2026-11.
 */
const reach = 1.5;
/**
 * Maximum distance, in line heights, by which a run may begin above its heading. Chosen by hand,
 * 2026-11.
 */
const maxRise = 0.5;
/**
 * Maximum distance, in line heights, by which a run may begin to the left of its heading. Chosen by
 * hand, 2026-11.
 */
const maxOutdent = 1.2;
/**
 * Maximum relative difference between the heights of two headings of the same style. Chosen by
 * hand, 2026-11.
 */
const sameHeight = 0.15;
/**
 * Maximum number of unknown terms in a heading. A term is unknown if it neither names a party nor
 * is neutral; "address" is a neutral term. Chosen by hand, 2026-11.
 */
const maxUnknown = 1;

/**
 * Returns the party that a label names. Undefined if other words change the meaning: "Customer
 * number" does not name the customer.
 */
export function partyOfLabel(label: string): Party | undefined {
  if (label.length > maxHeadLength || label.length < 2) return undefined;
  const terms = labelTerms(label).filter((term) => term.weight > 0);
  const found = partyFamilies.find(([, families]) =>
    terms.some((term) => term.texts.some((text) => families.includes(text))),
  );
  if (!found) return undefined;
  const all = partyFamilies.flatMap(([, families]) => families);
  const rest = terms.filter((term) => !term.texts.some((text) => all.includes(text) || neutralFamilies.has(text)));
  return rest.length <= maxUnknown &&
    rest.every((term) => term.texts.length === 1 && !commonHead.has(term.texts[0] ?? ""))
    ? found[0]
    : undefined;
}

/**
 * If a label contains one of these words, it does not name the party that it mentions:
 * "Customer number" is a number, not the customer. Stored as word families.
 */
const commonHead = new Set(
  "number id reference account vat_id tax_id order date terms payment code email phone fax contract project item total amount register iban bic street city postcode country".split(
    " ",
  ),
);

interface Head {
  party: Party;
  run: TextRun;
}

export type RoleOf = (run: TextRun) => Party | undefined;

/**
 * Returns a function that takes a run of the page and returns the party to whose section the run
 * belongs.
 */
export function readRoles(page: PageRuns): RoleOf {
  const heads: Head[] = [];
  for (const run of page.runs) {
    const party = bareHead(run.text) ?? partyOfLabel(headText(run.text));
    if (party) heads.push({ party, run });
  }
  return (run) => nearestHead(page, heads, run)?.party;
}

/**
 * Returns the party that a line such as "From" or "To" announces. Alone on a line, these words are
 * headings of addresses.
 */
function bareHead(text: string): Party | undefined {
  const word = /^(from|to|von|an|de|à|da|van|aan):?$/iu.exec(text)?.[1]?.toLowerCase();
  return word === undefined ? undefined : /^(?:to|an|à|aan)$/u.test(word) ? "buyer" : "seller";
}

/** Returns the part before the first colon, or the whole text if there is none. */
const headText = (text: string): string => {
  const colon = text.indexOf(":");
  return colon > 0 ? text.slice(0, colon) : text;
};

function nearestHead(page: PageRuns, heads: readonly Head[], run: TextRun): Head | undefined {
  let best: Head | undefined;
  let least = maxRowsBelow;
  for (const head of heads) {
    if (head.run === run) return head;
    const down = (run.box[1] - head.run.box[1]) / head.run.height;
    if (down < -maxRise || down > maxRowsBelow * reach) continue;
    const right = (run.box[0] - head.run.box[0]) / head.run.height;
    if (right < -maxOutdent) continue;
    const cost = down * costDown + right * costRight;
    if (cost < least && !brokenOff(page, head.run, run)) [best, least] = [head, cost];
  }
  return best;
}

/** Returns true if another heading of the same style stands between the heading and the run. */
function brokenOff(page: PageRuns, head: TextRun, run: TextRun): boolean {
  if (!head.bold) return false;
  for (let row = head.row + 1; row <= run.row; row++) {
    const first = page.rows[row]?.[0];
    if (!first || first.row === head.row) continue;
    const alike =
      first.bold && page.rows[row]?.length === 1 && Math.abs(first.height - head.height) < sameHeight * head.height;
    if (alike && first.box[0] <= head.box[0] + head.height && !/:\s*\S/.test(first.text)) return true;
  }
  return false;
}
