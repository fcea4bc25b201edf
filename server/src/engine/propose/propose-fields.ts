/**
 * Proposes the fields of a document. The fields of its document kind come first, then lists,
 * labelled values and roles.
 */
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Document } from "../../reading/document.ts";
import { classifyBuiltin } from "../classify/classify-pages.ts";
import {
  type Evidence,
  type EvidenceValue,
  type KindFields,
  leavesOf,
  type Proposal,
  type Proposals,
  type ProposeRequest,
} from "../engine.ts";
import { extractBuiltin } from "../extract/extract-fields.ts";
import { type PartyView, partyViewOf } from "../extract/parties/party-view.ts";
import { unionOf } from "../page/text-runs.ts";
import { ClaimedWords, wordsInBoxes } from "./claimed-words.ts";
import { freeName } from "./field-names.ts";
import { labelledProposals } from "./labelled-proposals.ts";
import { roles } from "./roles.ts";
import { tableProposals } from "./table-proposals.ts";

/** Maximum number of proposals per document. Chosen by hand, 2026-11. */
const maxProposals = 50;
/**
 * Minimum confidence of the value of a field that belongs to the document kind or is a role. If the
 * confidence is lower, the field is not proposed. Chosen by hand, 2026-11.
 */
const minConfidence = 0.4;

export function proposeFields({ document, filename, kinds }: ProposeRequest): Proposals {
  const kind = nearestKind({ document, filename, kinds });
  const view = partyViewOf(document, []);
  const claimed = new ClaimedWords();
  const fields: Proposal[] = [];
  for (const params of [kind?.params ?? [], roles])
    for (const proposal of extracted(document, params)) {
      const own = leavesOf(proposal.evidence);
      if (own.every((each) => isClaimed(view, claimed, each)) && own.length > 0) continue;
      claim(view, claimed, own);
      if (proposal.param.format === "list") claimRows(view, claimed, own);
      fields.push(proposal);
    }
  fields.push(...tableProposals(view, claimed));
  fields.push(...labelledProposals(view, claimed));
  const ranked = fields.sort((a, b) => b.usefulness - a.usefulness).slice(0, maxProposals);
  const taken = new Set<string>();
  const named = ranked.map((proposal) => {
    const name = freeName(proposal.param.name, taken);
    taken.add(name);
    return { ...proposal, param: { ...proposal.param, name } };
  });
  return { kind: kind?.name ?? null, fields: named, tokens: 0 };
}

function nearestKind({ document, filename, kinds }: ProposeRequest): KindFields | undefined {
  const classes = kinds.map(({ name, title }) => ({ label: name, description: title }));
  const { segments } = classifyBuiltin({ document, filename, classes, mode: "document" });
  return kinds.find(({ name }) => name === segments[0]?.label);
}

/** Claims the words in the boxes of the evidence. */
function claim({ layout }: PartyView, claimed: ClaimedWords, evidence: readonly Evidence[]): void {
  for (const page of layout.pages) {
    const own = evidence.filter((each) => each.page === page.page.number);
    claimed.addBoxes(
      page,
      own.flatMap(({ boxes }) => boxes),
    );
  }
}

/** Claims all words of each page between the first and the last value of a list. */
function claimRows({ layout }: PartyView, claimed: ClaimedWords, evidence: readonly Evidence[]): void {
  for (const page of layout.pages) {
    const boxes = evidence.filter((each) => each.page === page.page.number).flatMap((each) => each.boxes);
    const [first, ...rest] = boxes;
    if (first) claimed.addBoxes(page, [rest.reduce(unionOf, first)]);
  }
}

function isClaimed({ layout }: PartyView, claimed: ClaimedWords, { page, boxes }: Evidence): boolean {
  const at = layout.pages.findIndex((each) => each.page.number === page);
  const own = layout.pages[at];
  return own !== undefined && claimed.has(at, wordsInBoxes(own, boxes));
}

function extracted(document: Document, params: readonly ExtractionParam[]): Proposal[] {
  if (params.length === 0) return [];
  const { data, evidence } = extractBuiltin({ document, params });
  return params.flatMap((param): Proposal[] => {
    const found = evidence[param.name] ?? null;
    const confidence = confidenceOf(found);
    if (confidence < minConfidence) return [];
    return [{ param, usefulness: 0.5 + confidence / 2, value: data[param.name] ?? null, evidence: found }];
  });
}

/** Returns the mean confidence of all values; 0 if there are none. */
function confidenceOf(found: EvidenceValue): number {
  const leaves = leavesOf(found);
  return leaves.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, leaves.length);
}
