/**
 * Starts a Node process that measures itself. Works with any script that can be started with an IPC
 * channel.
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
   * Resolves with the value of `key` in the first message from the process that contains this key.
   * Rejects if the process exits first.
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

  /** Starts a measurement. */
  async reset(): Promise<void> {
    this.child.send("reset");
    await this.message("reset");
  }

  /** Ends the measurement and returns its result. */
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
