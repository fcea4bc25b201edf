/** Streams of state changes. Each caller receives what the caller may see at that moment. */
import type { LiveEventJson, StateChangeJson } from "@sheaf/contract/live-states.ts";
import { appErrorOf } from "../../lib/app-error-of.ts";
import { type Caller, ownUser } from "../../lib/caller.ts";
import { AppError } from "../../lib/errors.ts";
import { type Admission, FairAdmission } from "../../lib/fair-admission.ts";
import type { Logger } from "../../lib/log.ts";
import { heartbeatMs } from "../../lib/server-sent-events.ts";
import type { Db } from "../../records/records.ts";
import { selectVisibleAgents } from "../agents/agent-lookup.service.ts";
import { listGroupsOfUser } from "../organizations/groups.service.ts";
import { ChangeFeed } from "./change-feed.ts";
import type { StateChangeRow } from "./state-changes.repo.ts";
import { maxWaitingChanges } from "./state-changes.service.ts";

/** Maximum number of streams of one user or credential. A user has one per open browser tab. */
const maxStreamsOfUser = 10;

export interface StreamRequest {
  caller: Caller;
  /** Authenticates the caller again, without extending the session. */
  confirm(): Promise<Caller>;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

export class LiveStates implements Disposable {
  readonly #db: Db;
  readonly #log: Logger;
  readonly #feed: ChangeFeed;
  readonly #streams: FairAdmission;
  readonly #streamsOf = new Map<string, number>();
  readonly #closed = new AbortController();

  /** @param maxStreams maximum number of streams, shared fairly by organization */
  constructor({ db, log, maxStreams }: { db: Db; log: Logger; maxStreams: number }) {
    this.#db = db;
    this.#log = log;
    this.#feed = new ChangeFeed({ db, log });
    this.#streams = new FairAdmission(maxStreams);
  }

  /**
   * Returns the events of a new stream.
   * @throws AppError `rate_limited` if the user has too many streams; `agent_unavailable` if the
   * organization has used up its share of streams, or the service is stopping
   */
  async open(request: StreamRequest): Promise<AsyncGenerator<LiveEventJson>> {
    await using stack = new AsyncDisposableStack();
    const { caller, signal } = request;
    stack.use(this.#countUser(caller.credentialId ?? caller.userId));
    const admission = stack.use(this.#admit(caller.organizationId));
    const ended = AbortSignal.any([signal, admission.signal, this.#closed.signal]);
    const waiting = new WaitingChanges(caller, ended);
    stack.use(await this.#feed.listen((changes) => waiting.add(changes)));
    ended.throwIfAborted();
    const resources = stack.move();
    // If the client disconnects before the events are read, nothing else releases the resources.
    signal.addEventListener("abort", () => void resources.disposeAsync());
    return this.#events(request, waiting, ended, resources);
  }

  /** Ends all streams. */
  [Symbol.dispose](): void {
    this.#closed.abort(new AppError("agent_unavailable", undefined, { message: "The service is stopping." }));
  }

  #countUser(user: string): Disposable {
    const count = (by: number) => {
      const streams = (this.#streamsOf.get(user) ?? 0) + by;
      if (streams > 0) this.#streamsOf.set(user, streams);
      else this.#streamsOf.delete(user);
    };
    if ((this.#streamsOf.get(user) ?? 0) >= maxStreamsOfUser)
      throw new AppError("rate_limited", undefined, { message: "You have too many open event streams." });
    count(1);
    return { [Symbol.dispose]: () => count(-1) };
  }

  #admit(organizationId: string): Admission {
    const admission = this.#streams.admit(organizationId);
    if (admission) return admission;
    const message = "Too many streams of events are open; try again later.";
    throw new AppError("agent_unavailable", undefined, { message });
  }

  async *#events(
    { caller, confirm, signal }: StreamRequest,
    waiting: WaitingChanges,
    ended: AbortSignal,
    resources: AsyncDisposableStack,
  ): AsyncGenerator<LiveEventJson> {
    await using _ = resources;
    try {
      yield { event: "resync", data: {} };
      for (;;) {
        const changes = await waiting.take(heartbeatMs);
        // The caller is authenticated again even before a heartbeat, so that a stream without
        // events also ends when its session ends.
        const confirmed = await confirm();
        ended.throwIfAborted();
        waiting.caller = confirmed;
        if (confirmed.organizationId !== caller.organizationId)
          throw new AppError("forbidden", undefined, { message: "The session has switched to another organization." });
        if (changes === undefined) yield { event: "resync", data: {} };
        else if (changes.length === 0) yield { event: "heartbeat", data: {} };
        else for (const data of await this.#visibleTo(confirmed, changes)) yield { event: "state", data };
      }
    } catch (thrown) {
      if (signal.aborted) return;
      const error = appErrorOf(thrown);
      if (error.code === "internal_error") this.#log.error({ err: error }, "a stream of states failed");
      yield { event: "error", data: { code: error.code, error: error.message } };
    }
  }

  /**
   * Returns the groups of the caller, or an empty set if no change is restricted to a group.
   * Returns "all" for the API and for administrators, because they see the agents of all groups.
   */
  async #groupsOf(
    { channel, role, organizationId, userId }: Caller,
    changes: readonly StateChangeRow[],
  ): Promise<ReadonlySet<string> | "all"> {
    if (channel === "api" || role === "administrator") return "all";
    if (changes.every(({ audience }) => audience !== "group")) return new Set();
    return new Set(await listGroupsOfUser(this.#db, organizationId, userId));
  }

  /** Returns those of the changes that the caller may see now. */
  async #visibleTo(caller: Caller, changes: readonly StateChangeRow[]): Promise<StateChangeJson[]> {
    const agents = new Set(changes.flatMap(({ audience, agent_id }) => (audience === "agent" ? (agent_id ?? []) : [])));
    const rows =
      agents.size === 0
        ? []
        : await selectVisibleAgents(this.#db, caller)
            .where("agents.id", "in", [...agents])
            .execute();
    const visible = new Set(rows.map(({ id }) => id));
    const groups = await this.#groupsOf(caller, changes);
    const isVisible = (change: StateChangeRow) => {
      if (change.audience === "agent") return visible.has(change.agent_id ?? "");
      if (!concerns(change, caller)) return false;
      return change.audience !== "group" || groups === "all" || isOfGroups(change, caller, groups);
    };
    return changes.filter(isVisible).map(({ type, object_id, agent_id, status }) => ({
      type,
      reference: object_id,
      agent_reference: agent_id,
      status,
    }));
  }
}

const isOfGroups = (change: StateChangeRow, { userId }: Caller, groups: ReadonlySet<string>): boolean =>
  change.user_id === userId || groups.has(change.group_id ?? "");

/**
 * Returns false if a change certainly does not concern the caller. Does not read the database, so
 * true means only that the change may concern the caller.
 */
function concerns(change: StateChangeRow, caller: Caller): boolean {
  if (change.organization_id !== caller.organizationId) return false;
  switch (change.audience) {
    case "agent":
    case "organization":
    case "group":
      return true;
    case "administrator":
      return caller.role === "administrator";
    case "user":
      return change.user_id === ownUser(caller);
    case "user_or_administrator":
      return caller.role === "administrator" || change.user_id === caller.userId;
  }
}

/** Changes that wait until the client of a stream has read the previous ones. */
class WaitingChanges {
  caller: Caller;
  readonly #ended: AbortSignal;
  /** The latest change of each object; undefined if there were too many changes. */
  #changes: Map<string, StateChangeRow> | undefined = new Map();
  #wake = Promise.withResolvers<void>();

  constructor(caller: Caller, ended: AbortSignal) {
    this.caller = caller;
    this.#ended = ended;
    ended.addEventListener("abort", () => this.#wake.resolve());
  }

  add(changes: readonly StateChangeRow[] | undefined): void {
    const own = changes?.filter((change) => concerns(change, this.caller));
    if (own?.length === 0) return;
    if (own === undefined) this.#changes = undefined;
    for (const change of own ?? []) this.#changes?.set(`${change.type} ${change.object_id}`, change);
    if (this.#changes !== undefined && this.#changes.size > maxWaitingChanges) this.#changes = undefined;
    this.#wake.resolve();
  }

  /**
   * Waits at most `ms` milliseconds for changes. Returns an empty list if there were none, and
   * undefined if there were too many.
   * @throws the reason why the stream has ended
   */
  async take(ms: number): Promise<StateChangeRow[] | undefined> {
    this.#ended.throwIfAborted();
    const timer = setTimeout(this.#wake.resolve, ms);
    await this.#wake.promise;
    clearTimeout(timer);
    this.#ended.throwIfAborted();
    const changes = this.#changes && [...this.#changes.values()];
    this.#changes = new Map();
    this.#wake = Promise.withResolvers();
    return changes;
  }
}
