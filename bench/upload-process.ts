/**
 * Starts a Node process that is measured from inside. Works with any script that can be started
 * with an IPC channel.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { ProcessReport } from "./upload-watch.ts";

const watch = new URL("./upload-watch.ts", import.meta.url).href;

export class MeasuredProcess implements AsyncDisposable {
  readonly child: ChildProcess;

  constructor(script: URL, args: readonly string[] = [], env: NodeJS.ProcessEnv = process.env) {
    this.child = fork(fileURLToPath(script), args, { execArgv: ["--import", watch], env });
  }

  /**
   * Returns the first message of the process that has this key. Fails if the process ends before.
   */
  async message<T>(key: string): Promise<T> {
    const ended = new AbortController();
    const onExit = (code: number | null) => ended.abort(new Error(`The measured process exited with code ${code}.`));
    this.child.once("exit", onExit);
    try {
      for (;;) {
        const [message] = await once(this.child, "message", { signal: ended.signal });
        if (key in message) return message[key];
      }
    } finally {
      this.child.off("exit", onExit);
    }
  }

  /** Begins a measurement. */
  async reset(): Promise<void> {
    this.child.send("reset");
    await this.message("reset");
  }

  /** Ends the measurement. */
  async report(): Promise<ProcessReport> {
    this.child.send("report");
    return this.message("report");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await exited;
  }
}
