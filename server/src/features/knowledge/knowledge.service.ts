/** Answers questions about a corpus: conversation → passages → answer → citations. */
import type { FallbackJson } from "@sheaf/contract/fallback.ts";
import type { CitationJson } from "@sheaf/contract/knowledge.ts";
import type { AnswerPart, AnswerRequest, Turn } from "../../engine/answering.ts";
import type { AtCommit } from "../../lib/at-commit.ts";
import type { Principal } from "../../lib/caller.ts";
import { startDeadline } from "../../lib/deadline.ts";
import { AppError } from "../../lib/errors.ts";
import { FairAdmission } from "../../lib/fair-admission.ts";
import { IndexDamaged } from "../../search/index-damaged.ts";
import type { AgentHit } from "../../search/passage-index.ts";
import { type Documentalist, getDocumentalist, showsCitation } from "../agents/agent-lookup.service.ts";
import { engineError, type ModelUseDeps, openMeter } from "../models/models.service.ts";
import { addToThread, forgetDocument, getHistory, type NewMessage, startThread } from "../threads/threads.service.ts";
import { citationsOf, joined, onOneLine, type RangedCitation, StaleDocument } from "./citations.ts";
import { type CorpusDeps, corpusOf, type DocumentOfAgent, findReadyOf, type Scope } from "./corpus-search.ts";

export interface KnowledgeDeps extends ModelUseDeps, CorpusDeps {
  /** Maximum time for one answer. */
  timeoutMs: number;
  /** Maximum number of concurrent questions, shared fairly by organization. */
  queue: number;
}

export interface QuestionInput {
  query: string;
  instructions?: readonly string[];
  historic?: readonly Turn[];
  threadId?: string;
}

/** A question whose agent and thread exist. */
export interface Asking {
  agent: Documentalist;
  input: QuestionInput;
  /** Earlier turns of the conversation. */
  history: Turn[];
  /**
   * Id of the thread to create if the question does not continue an existing one. Default: a new
   * id.
   */
  newThreadId?: string;
}

export interface Answered {
  /** Parts of the answer. Joined together, they form its text. */
  pieces: string[];
  citations: CitationJson[];
  /** The documents that the answer uses, including those whose citations are not shown. */
  documents: DocumentOfAgent[];
  /** Set if the language model was needed but failed, so that the built-in engine answered. */
  fallback?: FallbackJson | undefined;
}

/** A question that has been admitted and is being answered. */
interface AskedTurn {
  signal: AbortSignal;
  /**
   * Returns the error to report, such as a timeout, for an error that was thrown while answering.
   */
  causeOf(error: unknown): unknown;
  /** Ends the turn. May be called more than once. */
  end(): void;
}

/** A recorded answer. */
export interface Recorded extends Pick<Answered, "citations" | "fallback"> {
  threadId: string;
  text: string;
}

/**
 * Maximum number of attempts. An attempt fails if a document is deleted while its passages are
 * read; the next attempt leaves that document out.
 */
const maxAttempts = 3;

export class Knowledge {
  readonly #deps: KnowledgeDeps;
  readonly #admissions: FairAdmission;

  constructor(deps: KnowledgeDeps) {
    this.#deps = deps;
    this.#admissions = new FairAdmission(deps.queue);
  }

  /** @throws AppError `agent_not_found`, `thread_not_found` */
  async prepare(principal: Principal, agentReference: string, input: QuestionInput): Promise<Asking> {
    const { db } = this.#deps;
    const agent = await getDocumentalist(db, principal, agentReference);
    const history =
      input.threadId === undefined
        ? [...(input.historic ?? [])]
        : await getHistory(db, principal, agent.reference, input.threadId);
    return { agent, input, history };
  }

  /**
   * Answers from the corpus, without recording anything.
   * @throws AppError `agent_unavailable`, `agent_timeout`, `extraction_failed`; the abort reason of
   * `signal` if it is aborted
   */
  async answer(principal: Principal, asking: Asking, signal: AbortSignal): Promise<Answered> {
    const turn = this.#begin(principal, signal);
    try {
      const understood = await this.#understand(asking, turn.signal);
      return await this.#answer(principal, asking, understood, turn.signal);
    } catch (error) {
      throw turn.causeOf(error);
    } finally {
      turn.end();
    }
  }

  /**
   * Like `answer`, but yields each part as soon as it is certain, and records the answer at the
   * end. The question counts as running from this call until the stream ends or `signal` aborts.
   * @throws AppError `agent_unavailable`, before the stream is returned, if too many questions are
   * running
   */
  stream(
    principal: Principal,
    asking: Asking,
    signal: AbortSignal,
    atCommit?: AtCommit<Recorded>,
  ): AsyncGenerator<string, Recorded> {
    const turn = this.#begin(principal, signal);
    // Ends the turn on abort, because nothing else would end it if the stream is never read.
    signal.addEventListener("abort", () => turn.end(), { once: true });
    return this.#recordedStream(turn, principal, asking, atCommit);
  }

  async *#recordedStream(
    turn: AskedTurn,
    principal: Principal,
    asking: Asking,
    atCommit: AtCommit<Recorded> | undefined,
  ): AsyncGenerator<string, Recorded> {
    try {
      const answered = yield* this.#stream(principal, asking, turn.signal);
      return await this.record(principal, asking, answered, atCommit);
    } catch (error) {
      throw turn.causeOf(error);
    } finally {
      turn.end();
    }
  }

  #begin(principal: Principal, signal: AbortSignal): AskedTurn {
    const admission = this.#admissions.admit(tenantOf(principal));
    if (admission === undefined) throw new AppError("agent_unavailable");
    const deadline = startDeadline(this.#deps.timeoutMs, AbortSignal.any([signal, admission.signal]));
    return {
      signal: deadline.signal,
      causeOf: (error: unknown) => {
        if (admission.signal.aborted && !signal.aborted) return admission.signal.reason;
        const cause = deadline.causeOf(error);
        if (cause instanceof IndexDamaged)
          return new AppError("agent_unavailable", undefined, {
            message: "The corpus is being reindexed; ask again.",
            cause,
          });
        return engineError(cause, "extraction_failed") ?? cause;
      },
      end: () => {
        deadline[Symbol.dispose]();
        admission[Symbol.dispose]();
      },
    };
  }

  /** Records question and answer in one transaction, in the existing thread or a new one. */
  async record(
    principal: Principal,
    { agent, input, history, newThreadId }: Asking,
    answered: Answered,
    atCommit?: AtCommit<Recorded>,
  ): Promise<Recorded> {
    const { citations, documents, pieces, fallback } = answered;
    const references = documents.map(({ document }) => document);
    const messages: NewMessage[] = [
      { role: "user", content: { query: input.query, instructions: input.instructions ?? [] } },
      { role: "assistant", content: { answer: pieces.join(""), citations, documents: references } },
    ];
    const { db } = this.#deps;
    const recorded = await db.transaction().execute(async (transaction) => {
      if (input.threadId !== undefined) await addToThread(transaction, principal, input.threadId, messages);
      const threadId =
        input.threadId ??
        (await startThread(
          transaction,
          principal,
          agent.reference,
          [...history.map(messageOf), ...messages],
          newThreadId,
        ));
      const recorded: Recorded = { threadId, text: pieces.join(""), citations, fallback };
      await atCommit?.(transaction, recorded);
      return recorded;
    });
    // Deleting a document clears the messages that cite it. If a document was deleted before this
    // message was inserted, the message was not cleared then, so it is cleared here.
    const ready = await findReadyOf(db, principal, documents);
    for (const gone of documents.filter(({ document }) => !ready.has(document)))
      await forgetDocument(db, { ...gone, organizationId: principal.organizationId });
    return recorded;
  }

  /**
   * Returns the id of the thread. A streamed response sends this id before the answer is available.
   * Creates a thread with the history of the request unless the question continues an existing
   * thread.
   */
  async openThread(principal: Principal, { agent, input, history }: Asking): Promise<string> {
    if (input.threadId !== undefined) return input.threadId;
    return this.#deps.db
      .transaction()
      .execute((transaction) => startThread(transaction, principal, agent.reference, history.map(messageOf)));
  }

  async #understand({ agent, input, history }: Asking, signal: AbortSignal): Promise<Understood> {
    const request = {
      query: input.query,
      instructions: input.instructions ?? [],
      consignes: agent.consignes,
      historic: history,
    };
    return { request, question: await this.#deps.engine.understand(request, signal) };
  }

  #requestOf(scope: Scope, { agent }: Asking, understood: Understood): AnswerRequest<AgentHit> {
    const meter = openMeter(this.#deps, scope.principal);
    return { ...understood, corpus: corpusOf(this.#deps, scope), meter, engine: agent.engine ?? undefined };
  }

  async #answer(principal: Principal, asking: Asking, understood: Understood, signal: AbortSignal): Promise<Answered> {
    const { agent } = asking;
    const excluded = new Set<string>();
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const scope = { principal, corpora: agent.corpora, excluded, signal };
      try {
        const request = this.#requestOf(scope, asking, understood);
        const { answer, passages, fallback } = await this.#deps.engine.answer(request, signal);
        const citations = await this.#cite(scope, answer.parts, passages, 0);
        return { pieces: answer.parts.map(pieceOf), ...shownOf(agent, citations), fallback };
      } catch (error) {
        if (!(error instanceof StaleDocument)) throw error;
        excluded.add(error.document);
      }
    }
    throw new AppError("agent_unavailable", undefined, { message: "The corpus is changing; ask again." });
  }

  async *#stream(principal: Principal, asking: Asking, signal: AbortSignal): AsyncGenerator<string, Answered> {
    const { agent } = asking;
    const scope = { principal, corpora: agent.corpora, excluded: new Set<string>(), signal };
    const understood = await this.#understand(asking, signal);
    const request = this.#requestOf(scope, asking, understood);
    const stream = await this.#deps.engine.stream(request, signal);
    if (stream === undefined) return yield* this.#inPieces(principal, asking, understood, signal);
    const pieces: string[] = [];
    const citations: RangedCitation[] = [];
    let length = 0;
    try {
      for (let next = await stream.next(true); !next.done; ) {
        const { parts, passages } = next.value;
        const cited = await this.#cite(scope, parts, passages, length).catch(unlessStale);
        if (cited) {
          const said = parts.map(pieceOf);
          pieces.push(...said);
          length += said.join("").length;
          citations.push(...cited);
          yield* said;
        }
        next = await stream.next(cited !== undefined);
      }
    } finally {
      await stream.return();
    }
    return { pieces, ...shownOf(agent, citations) };
  }

  async *#inPieces(...asked: [Principal, Asking, Understood, AbortSignal]): AsyncGenerator<string, Answered> {
    const answered = await this.#answer(...asked);
    yield* answered.pieces;
    return answered;
  }

  /** @throws StaleDocument if a cited document no longer exists */
  async #cite(
    scope: Scope,
    parts: readonly AnswerPart[],
    hits: readonly AgentHit[],
    start: number,
  ): Promise<RangedCitation[]> {
    const { db, files } = this.#deps;
    const { principal, signal } = scope;
    const citations = await citationsOf(files, principal, parts, hits, start);
    signal.throwIfAborted();
    const cited = documentsOf(citations);
    const ready = await findReadyOf(db, principal, cited);
    const gone = cited.find(({ document }) => !ready.has(document));
    if (gone !== undefined) throw new StaleDocument(gone.document);
    return citations;
  }
}

/**
 * Returns the tenant that a question counts towards. Questions to public agents count towards a
 * separate tenant, so that they do not delay questions from within the organization.
 */
const tenantOf = ({ organizationId, channel }: Principal): string =>
  channel === "public" ? `${organizationId}/public` : organizationId;

type Understood = Pick<AnswerRequest<AgentHit>, "request" | "question">;

const shownOf = (agent: Documentalist, citations: RangedCitation[]): Pick<Answered, "citations" | "documents"> => ({
  citations: joined(citations).filter((citation) => showsCitation(agent, citation)),
  documents: documentsOf(citations),
});

const documentsOf = (citations: readonly RangedCitation[]): DocumentOfAgent[] => [
  ...new Map(
    citations.map(({ agent_reference: agent, document_reference: document }) => [document, { agent, document }]),
  ).values(),
];

const pieceOf = ({ before, text }: AnswerPart): string => before + onOneLine(text);

function unlessStale(error: unknown): undefined {
  if (!(error instanceof StaleDocument)) throw error;
}

const messageOf = ({ role, content }: Turn): NewMessage => ({
  role,
  content: role === "user" ? { query: content, instructions: [] } : { answer: content, citations: [] },
});
