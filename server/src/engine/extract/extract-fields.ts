/**
 * The built-in engine. One synchronous call interprets the fields, finds candidate values for each,
 * and returns the chosen values with evidence.
 */
import type { EvidenceRecord, Extraction, ExtractRequest, LeafValue, ListLedger, ValueRecord } from "../engine.ts";
import { makeEvidence } from "../page/make-evidence.ts";
import { define } from "../values/define-member.ts";
import type { Candidate } from "./candidates/find-candidates.ts";
import { type Choice, choose, rank } from "./choose-values.ts";
import { type AskedField, printedKinds, readAskedFields } from "./labels/asked-fields.ts";
import { extractList } from "./lists/extract-list.ts";
import { type PartyView, partyViewOf } from "./parties/party-view.ts";

/**
 * Extracts the fields. Does not throw, whatever the document contains. The run time grows in
 * proportion to the number of words.
 */
export function extractBuiltin(request: ExtractRequest): Extraction {
  const queries = readAskedFields(request.params);
  const view = partyViewOf(request.document, queries);
  return answersOf(queries, choose(rank(queries, view), view), view);
}

/** Returns the chosen values and the lists, with their evidence. */
export function answersOf(
  queries: readonly AskedField[],
  choices: ReadonlyMap<AskedField, Choice>,
  view: PartyView,
): Extraction {
  const data: ValueRecord = {};
  const evidence: EvidenceRecord = {};
  const lists: ListLedger[] = [];
  for (const query of queries) {
    const list = query.format === "list" ? extractList(query, view) : undefined;
    if (list) lists.push(list.ledger);
    const answer = list ?? leafOf(query, choices.get(query), view);
    define(data, query.name, answer.value);
    define(evidence, query.name, answer.evidence);
  }
  return { data, evidence, ...(lists.length > 0 && { lists }), tokens: 0 };
}

function leafOf(
  query: AskedField,
  choice: Choice | undefined,
  view: PartyView,
): { value: LeafValue; evidence: EvidenceRecord[string] } {
  const page = choice && view.layout.pages[choice.candidate.page]?.page;
  const value = choice ? asAsked(query, choice.candidate) : null;
  if (!choice || !page || value === null) return { value: null, evidence: null };
  const evidence = makeEvidence(
    page,
    choice.candidate.words,
    value,
    choice.confidence,
    choice.candidate.match === "inferred",
  );
  return evidence ? { value, evidence } : { value: null, evidence: null };
}

/**
 * Converts the value to the field's format and applies what the description asks for, such as
 * removing spaces. If the description lists allowed values and the result is not one of them,
 * returns null.
 */
function asAsked(query: AskedField, candidate: Candidate): LeafValue {
  const isText = query.format === "text" && printedKinds.has(query.kind);
  const value = isText ? printed(candidate) : candidate.value;
  if (typeof value === "number") return query.sign === 1 ? Math.abs(value) : value;
  if (typeof value !== "string") return value;
  const text = query.withoutSpaces ? value.replace(/\s+/g, "") : value;
  if (query.allowed.length === 0 || query.kind === "date") return text;
  return query.allowed.find((allowed) => allowed.toLowerCase() === text.toLowerCase()) ?? null;
}

/** Returns the text of the span, including currency symbols that touch it. */
function printed({ run, start, end }: Candidate): string {
  const [before = ""] = /\p{Sc}$/u.exec(run.text.slice(0, start)) ?? [];
  const [behind = ""] = /^\p{Sc}/u.exec(run.text.slice(end)) ?? [];
  return before + run.text.slice(start, end) + behind;
}
