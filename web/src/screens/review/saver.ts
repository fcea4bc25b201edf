/**
 * Saves the corrections of one extraction after each change, one request at a time. Each request
 * names the version that it changes, so that conflicts are detected. Unsaved corrections are also
 * stored in the browser as a draft.
 */
import type { CorrectionJson } from "./review-model.ts";

type Corrections = readonly CorrectionJson[];

/** An extraction with the corrections that the service has stored. */
export interface Stored {
  version: number;
  corrections: Corrections;
}

export type SaveState<S extends Stored> =
  | { kind: "saved" }
  | { kind: "waiting" }
  | { kind: "saving" }
  | { kind: "failed"; error: unknown }
  /** Another user has changed the extraction. */
  | { kind: "conflict"; latest: S };

export interface Draft {
  version: number;
  corrections: Corrections;
}

export interface SaverOptions<S extends Stored> {
  save: (corrections: Corrections, version: number) => Promise<S>;
  load: () => Promise<S>;
  isConflict: (error: unknown) => boolean;
  /** Returns true if the error may be temporary, so that the saver retries. */
  mayPass: (error: unknown) => boolean;
  onSaved: (stored: S) => void;
  writeDraft: (draft: Draft | undefined) => void;
  delayMs: number;
  retryMs: number;
}

export class Saver<S extends Stored> {
  readonly #options: SaverOptions<S>;
  readonly #listeners = new Set<() => void>();
  #stored: Stored;
  #wanted: Corrections;
  #state: SaveState<S> = { kind: "saved" };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<boolean> | undefined;

  constructor(stored: S, draft: Draft | undefined, options: SaverOptions<S>) {
    this.#options = options;
    this.#stored = stored;
    this.#wanted = stored.corrections;
    if (draft === undefined || isSame(draft.corrections, stored.corrections)) return;
    this.#wanted = draft.corrections;
    this.#state = draft.version === stored.version ? { kind: "waiting" } : { kind: "conflict", latest: stored };
  }

  get state(): SaveState<S> {
    return this.#state;
  }

  /** The newest corrections, saved or not. */
  get corrections(): Corrections {
    return this.#wanted;
  }

  get version(): number {
    return this.#stored.version;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Starts saving the draft that an earlier visit has left in the browser. */
  start(): void {
    if (this.#state.kind === "waiting") this.#schedule(0);
  }

  change(corrections: Corrections): void {
    this.#wanted = corrections;
    this.#options.writeDraft({ version: this.#stored.version, corrections });
    if (this.#state.kind === "conflict") return;
    if (this.#running === undefined) this.#set({ kind: "waiting" });
    this.#schedule(this.#options.delayMs);
  }

  /** Saves now instead of after the delay. Resolves to true if everything is saved. */
  flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    if (this.#state.kind === "conflict") return Promise.resolve(false);
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Discards unsaved corrections and uses those that the service has stored. */
  adopt(stored: S): void {
    clearTimeout(this.#timer);
    this.#stored = stored;
    this.#wanted = stored.corrections;
    this.#options.writeDraft(undefined);
    this.#set({ kind: "saved" });
  }

  /** Ends a conflict by saving this user's corrections over those of the other user. */
  overwrite(latest: S): Promise<boolean> {
    this.#stored = latest;
    this.#set({ kind: "waiting" });
    return this.flush();
  }

  /** Stops the timer. Unsaved corrections stay in the browser. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  async #run(): Promise<boolean> {
    const { save, isConflict, mayPass, onSaved, writeDraft } = this.#options;
    while (!isSame(this.#wanted, this.#stored.corrections)) {
      const sent = this.#wanted;
      this.#set({ kind: "saving" });
      try {
        const stored = await save(sent, this.#stored.version);
        this.#stored = { version: stored.version, corrections: sent };
        onSaved(stored);
      } catch (error) {
        if (isConflict(error) && (await this.#isOwn(sent))) continue;
        if (this.#state.kind === "conflict") return false;
        this.#set({ kind: "failed", error });
        if (mayPass(error)) this.#schedule(this.#options.retryMs);
        return false;
      }
    }
    writeDraft(undefined);
    this.#set({ kind: "saved" });
    return true;
  }

  /**
   * Loads the stored corrections after a conflict. Returns true if they equal the sent corrections.
   * In that case, there is no conflict: an earlier request succeeded, but its response was lost.
   * Otherwise another user has made changes.
   */
  async #isOwn(sent: Corrections): Promise<boolean> {
    try {
      const latest = await this.#options.load();
      if (isSame(latest.corrections, sent)) {
        this.#stored = { version: latest.version, corrections: sent };
        this.#options.onSaved(latest);
        return true;
      }
      this.#set({ kind: "conflict", latest });
    } catch {
      // The caller reports the conflict instead of this error.
    }
    return false;
  }

  #schedule(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), delayMs);
  }

  #set(state: SaveState<S>): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** Returns true if the corrections are equal, regardless of the order of their members. */
function isSame(one: Corrections, other: Corrections): boolean {
  if (one === other) return true;
  const text = (corrections: Corrections) =>
    JSON.stringify(
      corrections.map(({ path, op = "set", value, confirmed, reason, page, boxes }) => [
        path,
        op,
        value,
        confirmed,
        reason,
        page,
        boxes,
      ]),
    );
  return one.length === other.length && text(one) === text(other);
}
