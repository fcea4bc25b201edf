/**
 * Shows the progress of `sheaf ingest`: a bar on a terminal, otherwise one line per finished
 * document. At the end it prints totals and failures.
 */
import type { DocumentState } from "../features/documents/documents.service.ts";

const barWidth = 30;

interface CorpusPath {
  path: string;
  name: string;
}

/** Numbers of files that were not ingested in this run. */
interface Outcome {
  /** Files that were ingested in an earlier run. */
  there: number;
  otherKinds: number;
  /** Symbolic links, which are skipped. */
  links: number;
  stopped: boolean;
}

export class IngestProgress {
  readonly #all: number;
  readonly #startedAt = performance.now();
  readonly #bar = process.stdout.isTTY === true;
  #ready = 0;
  #pages = 0;
  /** Refused or failed documents, with the reason. */
  readonly #failures: string[] = [];

  constructor(all: number) {
    this.#all = all;
  }

  get failed(): boolean {
    return this.#failures.length > 0;
  }

  refused(place: CorpusPath, message: string): void {
    this.#fail(`refused  ${shown(place)}: ${message}`);
  }

  ended(state: DocumentState): void {
    if (state.status === "error") {
      this.#fail(`error    ${shown(state)}: ${state.failure_message}`);
      return;
    }
    this.#ready++;
    this.#pages += state.pages ?? 0;
    if (!this.#bar) console.log(`ready    ${shown(state)}: ${pagesIn(state.pages ?? 0)}`);
  }

  show(): void {
    if (!this.#bar) return;
    const done = this.#ready + this.#failures.length;
    const filled = this.#all === 0 ? barWidth : Math.floor((barWidth * done) / this.#all);
    const bar = "#".repeat(filled).padEnd(barWidth, ".");
    process.stdout.write(
      `\r[${bar}] ${done}/${this.#all}, ${this.#failures.length} failed, ${this.#speed()} documents/s `,
    );
  }

  end({ there, otherKinds, links, stopped }: Outcome): void {
    if (this.#bar) process.stdout.write("\n");
    if (this.#bar) for (const line of this.#failures) console.log(line);
    console.log(
      `${this.#ready} ready with ${pagesIn(this.#pages)}, ${this.#failures.length} failed, ${there} were already in the corpus, ` +
        `${otherKinds} files have other types; ${this.#speed()} documents/s`,
    );
    if (links > 0) console.log(`${links} ${links === 1 ? "link was" : "links were"} not followed.`);
    if (stopped) console.log("Stopped before the end: run the command again to continue.");
  }

  #fail(line: string): void {
    this.#failures.push(line);
    if (!this.#bar) console.log(line);
  }

  #speed(): string {
    const seconds = (performance.now() - this.#startedAt) / 1000;
    return ((this.#ready + this.#failures.length) / seconds).toPrecision(3);
  }
}

const shown = ({ path, name }: CorpusPath): string => (path === "" ? name : `${path}/${name}`);

const pagesIn = (count: number): string => (count === 1 ? "1 page" : `${count} pages`);
