/** Runs the `sheaf` command line as a child process, as a user would. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const main = join(import.meta.dirname, "../../src/main.ts");

export interface Finished {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Running extends AsyncDisposable {
  child: ChildProcess;
  finished: Promise<Finished>;
  /**
   * Waits until the standard output matches `pattern`, and returns the match. Rejects if the
   * process exits first.
   */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
}

/**
 * Returns an environment that contains `settings` and the few variables that every process needs.
 * Leaves out all other environment variables of the user who runs the tests.
 */
const environmentWith = (settings: Record<string, string | undefined>): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  // This folder does not exist, so that the output does not depend on whether the web application
  // has been built.
  SHEAF_WEB_DIR: join(import.meta.dirname, "no-web-application"),
  SHEAF_DOCS_DIR: join(import.meta.dirname, "no-documentation"),
  ...settings,
});

/**
 * Starts the command line. If `under` is given, starts that program instead, and passes it the
 * command to run.
 */
export function start(args: string[], settings: Record<string, string | undefined>, under: string[] = []): Running {
  const [program = process.execPath, ...words] = [...under, process.execPath, main, ...args];
  const child = spawn(program, words, {
    env: environmentWith(settings),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const finished = once(child, "close").then(([code, signal]) => ({ code, signal, stdout, stderr }) as Finished);
  return {
    child,
    finished,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(stdout);
          if (match) resolve(match);
        };
        child.stdout.on("data", look);
        finished.then(({ stderr }) => reject(new Error(`ended without printing ${pattern}: ${stderr}`)));
        look();
      }),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await finished;
    },
  };
}

export const run = (args: string[], settings: Record<string, string | undefined> = {}): Promise<Finished> =>
  start(args, settings).finished;

/**
 * Returns the credential that the service creates at its first start. Without a terminal, the
 * service writes it to a file.
 */
export async function firstCredentialOf(running: Running): Promise<{ id: string; secret: string; text: string }> {
  const [, path = ""] = await running.printed(/Your API credential is in (\S+),/);
  // If the service runs in its own mount namespace, its file is visible only through `/proc`.
  const text = await readFile(path, "utf8").catch(() => readFile(`/proc/${running.child.pid}/root${path}`, "utf8"));
  const [, id = "", secret = ""] = /client id {6}(\S+)\n {2}client secret {2}(\S+)/.exec(text) ?? [];
  return { id, secret, text };
}

export interface Folder extends AsyncDisposable {
  path: string;
}

export async function temporaryFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), "sheaf-test-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
