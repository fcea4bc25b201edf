/**
 * Adds vectors to the passage index. Passages are searched by keywords and by vectors, and the two
 * results are merged by reciprocal rank fusion. The embedding model may be slow, expensive or
 * unavailable. So vectors are computed in the background, and passages without a vector are found
 * by keywords only.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type FileLock, tryLock } from "../lib/file-lock.ts";
import { versionsKeptMs, writeSynced } from "./index-version.ts";
import { loadLance } from "./lance.ts";
import type { AgentHit, Hit, IndexBuilding, PassageIndex, SearchQuery, StoredPassage } from "./passage-index.ts";
import { type NearPassage, VectorTables } from "./vector-tables.ts";

/** An embedding model that an endpoint serves. */
export interface EmbeddingModel {
  url: string;
  model: string;
}

/**
 * Computes a vector for each text with the model. The tokens are recorded as usage of the
 * organization that owns the agent.
 */
export type Embed = (
  model: EmbeddingModel,
  agent: string,
  texts: readonly string[],
  signal: AbortSignal,
) => Promise<Float32Array[]>;

export interface HybridOptions {
  folder: string;
  /** The keyword index. Closing the hybrid index also closes the keyword index. */
  index: PassageIndex;
  model: EmbeddingModel;
  embed: Embed;
  /**
   * Returns the agents whose missing vectors are computed at start-up. The function is undefined if
   * another process computes the vectors.
   */
  agents: (() => Promise<string[]>) | undefined;
  /** Called if vectors can't be computed. A later attempt computes them. */
  report: (error: unknown) => void;
  /**
   * Pause after a failure of the model, in milliseconds. In background work, the pause doubles
   * after each consecutive failure. Default 30,000.
   */
  restMs?: number;
}

/**
 * Constant of reciprocal rank fusion: a hit at rank r scores 1 / (60 + r). From Cormack, Clarke and
 * Büttcher, 2009.
 */
const fusionRank = 60;
/**
 * Minimum number of passages that the keyword search and the vector search are each asked for,
 * before their results are merged. Chosen by hand, 2026-11.
 */
const minDepth = 50;
/**
 * Timeout for computing the vector of a question, in milliseconds. After a failure, questions are
 * searched by keywords only for `restMs`. Chosen by hand, 2026-11.
 */
const questionMs = 3_000;
const defaultRestMs = 30_000;
/** Maximum pause of background work after failures, in milliseconds. Chosen by hand, 2026-11. */
const maxRestMs = 30 * 60_000;
/**
 * Delay between a change and the update of the vectors, in milliseconds. Several changes during the
 * delay cause only one update. Chosen by hand, 2026-11.
 */
const quietMs = 500;

interface Vectors {
  model: EmbeddingModel;
  tables: VectorTables;
}

export async function openHybridIndex(options: HybridOptions): Promise<PassageIndex> {
  const { folder, model } = options;
  const engine = { lance: await loadLance(), folder, versionsKeptMs };
  const before = await claimModel(folder, model);
  const open = async (of: EmbeddingModel): Promise<Vectors> => ({
    model: of,
    tables: await VectorTables.open(engine, keyOf(of)),
  });
  const hybrid = new HybridIndex(options, await open(model), before && (await open(before)));
  await hybrid.start();
  return hybrid;
}

/**
 * The vectors of a question, one per model. The values are promises, so that each vector is
 * computed only once.
 */
type QuestionVectors = Map<EmbeddingModel, ReturnType<HybridOptions["embed"]>>;

class HybridIndex implements PassageIndex {
  readonly #options: HybridOptions;
  readonly #current: Vectors;
  /**
   * Vectors of the previously configured model. They are searched until all passages of the agent
   * have vectors of the current model.
   */
  readonly #before: Vectors | undefined;
  /** Agents that have vectors of the current model for all their passages. */
  readonly #complete = new Set<string>();
  readonly #waiting = new Set<string>();
  readonly #closing = new AbortController();
  #working: Promise<void> | undefined;
  readonly #restMs: number;
  #restsUntil = 0;

  constructor(options: HybridOptions, current: Vectors, before: Vectors | undefined) {
    this.#options = options;
    this.#current = current;
    this.#before = before;
    this.#restMs = options.restMs ?? defaultRestMs;
  }

  async start(): Promise<void> {
    for (const agent of (await this.#options.agents?.()) ?? []) this.#see(agent);
  }

  async put(...[agent, document, passages]: Parameters<PassageIndex["put"]>): Promise<string> {
    const table = await this.#options.index.put(agent, document, passages);
    // Vectors of the replaced passages must not be found any more.
    await this.#removeVectors(agent, document.reference);
    this.#see(agent);
    return table;
  }

  isCurrent(agent: string, table: string): Promise<boolean> {
    return this.#options.index.isCurrent(agent, table);
  }

  async remove(agent: string, document: string): Promise<void> {
    await this.#options.index.remove(agent, document);
    await this.#removeVectors(agent, document);
    // Background work may be computing vectors of this document right now. The next update removes
    // them.
    this.#see(agent);
  }

  async removeAgent(agent: string): Promise<void> {
    await this.#options.index.removeAgent(agent);
    for (const { tables } of this.#all()) await tables.drop(agent);
    this.#see(agent);
  }

  async purge(...[agent, what]: Parameters<PassageIndex["purge"]>): Promise<void> {
    await this.#options.index.purge(agent, what);
    for (const { tables } of this.#all()) await (what === "rows" ? tables.purge(agent) : tables.compact(agent));
  }

  documents(agent: string): Promise<Set<string>> {
    return this.#options.index.documents(agent);
  }

  passages(agent: string, document: string): Promise<StoredPassage[]> {
    return this.#options.index.passages(agent, document);
  }

  missed(agent: string): Promise<string[]> {
    return this.#options.index.missed(agent);
  }

  async rebuild(...[agent, options]: Parameters<PassageIndex["rebuild"]>): Promise<IndexBuilding | undefined> {
    const building = await this.#options.index.rebuild(agent, options);
    if (!building || !options?.vectors) return building;
    const commit = async (): Promise<void> => {
      await building.commit();
      for (const { tables } of this.#all()) await tables.drop(agent);
      this.#see(agent);
    };
    return { ...building, commit };
  }

  async search(agent: string, query: SearchQuery): Promise<Hit[]> {
    const wide = { ...query, limit: Math.max(minDepth, query.limit) };
    const [byWords, byMeaning] = await Promise.all([
      this.#options.index.search(agent, query.limit > 0 ? wide : query),
      this.#nearest(agent, wide),
    ]);
    // If an agent has passages but no vectors, another process has rebuilt the index, or the
    // vectors were damaged.
    if (byMeaning === undefined && byWords.length > 0) this.#see(agent);
    return fused(
      byWords,
      (byMeaning ?? []).map(({ passage }) => passage),
    ).slice(0, query.limit);
  }

  async searchAll(agents: readonly string[], query: SearchQuery): Promise<AgentHit[]> {
    // The vector of the question is computed once, for all agents.
    const vectors: QuestionVectors = new Map();
    const wide = { ...query, limit: Math.max(minDepth, query.limit) };
    const [byWords, ...byMeaning] = await Promise.all([
      this.#options.index.searchAll(agents, query.limit > 0 ? wide : query),
      ...agents.map(async (agent) => ({ agent, near: await this.#nearest(agent, wide, vectors) })),
    ]);
    for (const { agent, near } of byMeaning)
      if (near === undefined && byWords.some((hit) => hit.agent === agent)) this.#see(agent);
    const nearest = byMeaning
      .flatMap(({ agent, near = [] }) => near.map(({ passage, distance }) => ({ ...passage, agent, distance })))
      .toSorted((a, b) => a.distance - b.distance)
      .slice(0, wide.limit)
      .map(({ distance: _, ...passage }) => passage);
    return fused(byWords, nearest).slice(0, query.limit);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#working;
    for (const { tables } of this.#all()) tables.close();
    await this.#options.index[Symbol.asyncDispose]();
  }

  #all(): Vectors[] {
    return [this.#current, ...(this.#before ? [this.#before] : [])];
  }

  async #removeVectors(agent: string, document: string): Promise<void> {
    for (const { tables } of this.#all()) await tables.remove(agent, document);
  }

  /** Returns the nearest passages, or undefined if the agent has no vectors. */
  async #nearest(
    agent: string,
    query: SearchQuery,
    vectors: QuestionVectors = new Map(),
  ): Promise<NearPassage[] | undefined> {
    if (query.limit <= 0 || query.text.trim() === "" || Date.now() < this.#restsUntil) return [];
    try {
      const { model, tables } = await this.#serving(agent);
      const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(questionMs)]);
      const embedding = vectors.get(model) ?? this.#options.embed(model, agent, [query.text], signal);
      vectors.set(model, embedding);
      const [vector] = await embedding;
      return vector ? await tables.nearest(agent, vector, query) : [];
    } catch (error) {
      this.#restsUntil = Date.now() + this.#restMs;
      this.#options.report(error);
      return [];
    }
  }

  async #serving(agent: string): Promise<Vectors> {
    const before = this.#before;
    if (!before || this.#complete.has(agent)) return this.#current;
    return (await before.tables.documents(agent))?.size ? before : this.#current;
  }

  /** Schedules an update of the agent's vectors. It runs in the background. */
  #see(agent: string): void {
    if (!this.#options.agents) return;
    this.#waiting.add(agent);
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
  }

  async #work(): Promise<void> {
    const { signal } = this.#closing;
    let restForMs = this.#restMs;
    while (this.#waiting.size > 0 && !signal.aborted) {
      await sleep(quietMs, signal);
      const [agent] = this.#waiting;
      if (agent === undefined || signal.aborted) return;
      this.#waiting.delete(agent);
      try {
        await this.#complement(agent, signal);
        restForMs = this.#restMs;
      } catch (error) {
        if (signal.aborted) return;
        this.#options.report(error);
        this.#waiting.add(agent);
        await sleep(restForMs, signal);
        restForMs = Math.min(2 * restForMs, maxRestMs);
      }
    }
  }

  /**
   * Computes the missing vectors, in one process at a time. Otherwise two processes that find the
   * same document without vectors would both compute and store its vectors.
   */
  async #complement(agent: string, signal: AbortSignal): Promise<void> {
    const lock = await this.#lock(signal);
    if (!lock) return;
    try {
      await this.#complementAlone(agent, signal);
    } finally {
      lock.release();
    }
  }

  async #lock(signal: AbortSignal): Promise<FileLock | undefined> {
    for (; !signal.aborted; await sleep(quietMs, signal)) {
      const lock = tryLock(join(this.#options.folder, lockName));
      if (lock) return lock;
    }
    return undefined;
  }

  /** Computes the missing vectors. If a crash interrupts this, the next run completes the work. */
  async #complementAlone(agent: string, signal: AbortSignal): Promise<void> {
    const { index, embed } = this.#options;
    const { model, tables } = this.#current;
    const [wanted, held = new Set<string>()] = [await index.documents(agent), await tables.documents(agent)];
    for (const gone of [...held].filter((document) => !wanted.has(document))) await tables.remove(agent, gone);
    const missing = [...wanted].filter((document) => !held.has(document));
    for (const document of missing) {
      const passages = await index.passages(agent, document);
      const vectors = await embed(model, agent, passages.map(textOf), signal);
      await tables.put(agent, passages, vectors);
    }
    if (missing.length > 0) await tables.compact(agent);
    this.#complete.add(agent);
    await this.#before?.tables.drop(agent);
  }
}

/**
 * Returns the text for which the vector of a passage is computed: title, headings and text, as in
 * the keyword index.
 */
const textOf = ({ title, headings, text }: StoredPassage): string => [title, ...headings, text].join("\n");

/**
 * Merges the keyword ranking and the vector ranking. The merged hit at each rank gets the score of
 * the keyword hit at the same rank, because answering compares scores of keyword searches.
 */
function fused<Passage extends StoredPassage>(
  byWords: readonly (Passage & Hit)[],
  byMeaning: readonly Passage[],
): (Passage & Hit)[] {
  if (byMeaning.length === 0) return [...byWords];
  const found = new Map<string, { passage: Passage; score: number }>();
  for (const ranking of [byWords, byMeaning])
    for (const [rank, passage] of ranking.entries()) {
      const key = `${passage.document} ${passage.page} ${passage.start}`;
      const score = (found.get(key)?.score ?? 0) + 1 / (fusionRank + rank + 1);
      found.set(key, { passage, score });
    }
  const last = byWords.at(-1)?.score ?? 1;
  return [...found.values()]
    .toSorted((a, b) => b.score - a.score)
    .map(({ passage }, rank) => ({ ...passage, score: byWords[rank]?.score ?? last }));
}

const fileName = "embedding-models.json";
/** Name of the lock that a process holds while it computes vectors. */
const lockName = "vectors.lock";

/**
 * Records in the folder which model computes its vectors. Returns the previous model, whose vectors
 * may still exist.
 */
async function claimModel(folder: string, model: EmbeddingModel): Promise<EmbeddingModel | undefined> {
  const path = join(folder, fileName);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "[]";
    throw error;
  });
  // After a power cut, the file may be empty. Then the previous model is unknown, and its vectors
  // are not used.
  const known = (JSON.parse(text || "[]") as EmbeddingModel[]).filter((each) => keyOf(each) !== keyOf(model));
  const before = known.at(-1);
  await writeSynced(path, JSON.stringify([...(before ? [before] : []), model]));
  return before;
}

const keyOf = ({ url, model }: EmbeddingModel): string =>
  createHash("sha256").update(`${url}\n${model}`).digest("hex").slice(0, 12);

/** Sleeps for `ms`. If the signal aborts, returns early without an error. */
const sleep = (ms: number, signal: AbortSignal): Promise<void> => delay(ms, undefined, { signal }).catch(() => {});
