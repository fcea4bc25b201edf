/**
 * The tool `map`: lists corpora and extractors, the documents of a corpus, or the sections of a
 * document.
 */
import type { MapInputJson, MapOutputJson } from "@sheaf/contract/mcp-tools.ts";
import { pageRequest } from "../../lib/paging.ts";
import { listUsable } from "../agents/agent-catalog.service.ts";
import { listWithPages, sectionsOf, sizesOfCorpora } from "../documents/corpus-map.service.ts";
import { getDocument, getPageSource } from "../documents/documents.service.ts";
import { unavailableIfDamaged } from "../knowledge/passages.service.ts";
import { nameOf } from "./places.ts";
import { TokenBudget } from "./tokens.ts";
import { numbersOf, refuseArgument, type ToolCall, type ToolDeps } from "./tool-context.ts";

/** Maximum number of agents or documents in one reply. */
const maxListed = 100;
/** Maximum length of a description in a reply, in characters. */
const maxDescription = 200;
const maxHeading = 100;

export function map(
  deps: ToolDeps,
  call: ToolCall,
  { corpus, document, cursor }: MapInputJson,
): Promise<MapOutputJson> {
  const [agent, reference] = [corpus?.toLowerCase(), document?.toLowerCase()];
  if (agent === undefined) {
    if (reference !== undefined) return refuseArgument("corpus", "is required with document");
    return mapAgents(deps, call, cursor);
  }
  return reference === undefined
    ? mapCorpus(deps, call, agent, cursor)
    : mapDocument(deps, call, { agent, reference }, cursor);
}

async function mapAgents({ db }: ToolDeps, { principal, links }: ToolCall, cursor?: string): Promise<MapOutputJson> {
  const rows = await listUsable(db, principal, pageRequest({ limit: String(maxListed), cursor }));
  const sizes = await sizesOfCorpora(
    db,
    principal,
    rows.flatMap(({ kind, reference }) => (kind === "corpus" ? [reference] : [])),
  );
  const budget = new TokenBudget();
  const corpora: NonNullable<MapOutputJson["corpora"]> = [];
  const extractors: NonNullable<MapOutputJson["extractors"]> = [];
  const shown = takenFrom(rows.slice(0, maxListed), ({ reference, kind, name, description }) => {
    const about = { name, description: description.slice(0, maxDescription) };
    if (kind === "extractor") {
      const extractor = { agent: reference, ...about, url: links.extractor(reference) };
      return budget.take(extractor) && extractors.push(extractor) > 0;
    }
    const size = sizes.get(reference) ?? { documents: 0, pages: 0 };
    const corpus = { corpus: reference, ...about, ...size, url: links.corpus(reference) };
    return budget.take(corpus) && corpora.push(corpus) > 0;
  });
  const last = rows[shown - 1];
  const nextCursor = shown < rows.length && last ? cursorOf(last.created_at, last.reference) : null;
  return { corpora, extractors, total: {}, next_cursor: nextCursor };
}

async function mapCorpus(
  { db }: ToolDeps,
  { principal, links }: ToolCall,
  agent: string,
  cursor?: string,
): Promise<MapOutputJson> {
  const page = pageRequest({ limit: String(maxListed), cursor });
  const { items, nextCursor } = await listWithPages(db, principal, agent, page);
  const total = (await sizesOfCorpora(db, principal, [agent])).get(agent) ?? { documents: 0, pages: 0 };
  const budget = new TokenBudget();
  const documents: NonNullable<MapOutputJson["documents"]> = [];
  const shown = takenFrom(items, (item) => {
    const { reference: document, status, pages } = item;
    const listed = { document, name: nameOf(item), status, pages, url: links.document(agent, document) };
    return budget.take(listed) && documents.push(listed) > 0;
  });
  const last = items[shown - 1];
  const next = shown < items.length && last ? cursorOf(last.created_at, last.reference) : (nextCursor ?? null);
  return { documents, total, next_cursor: next };
}

async function mapDocument(
  { db, index }: ToolDeps,
  { principal, links }: ToolCall,
  { agent, reference }: { agent: string; reference: string },
  cursor?: string,
): Promise<MapOutputJson> {
  const [first = 0] = numbersOf(cursor, 1) ?? [];
  const { pages } = await getPageSource({ db }, principal, agent, reference);
  const about = await getDocument({ db }, principal, agent, reference);
  const { passages, sections: all } = await sectionsOf(index, agent, reference).catch(unavailableIfDamaged);
  const budget = new TokenBudget();
  const sections: NonNullable<MapOutputJson["sections"]> = [];
  const shown = takenFrom(all.slice(first), ({ headings, ...section }) => {
    const shortened = { headings: headings.map((heading) => heading.slice(0, maxHeading)), ...section };
    return budget.take(shortened) && sections.push(shortened) > 0;
  });
  const next = first + shown;
  return {
    document: {
      document: reference,
      name: nameOf(about),
      pages,
      passages,
      url: links.document(agent, reference),
    },
    sections,
    total: { pages, sections: all.length },
    next_cursor: next < all.length ? String(next) : null,
  };
}

/** Passes items to `take` until it refuses one. Returns how many it took. */
function takenFrom<Item>(items: readonly Item[], take: (item: Item) => boolean): number {
  const refused = items.findIndex((item) => !take(item));
  return refused < 0 ? items.length : refused;
}

const cursorOf = (createdAt: string, id: string): string => Buffer.from(`${createdAt}\n${id}`).toString("base64url");
