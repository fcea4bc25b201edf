/** Records the system calls of a service, or makes them fail. Needs Linux and strace. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";

const works = spawnSync("strace", ["-e", "trace=fsync", "true"]).status === 0;

/** Reason to skip tests that need strace; false if they can run. */
export const noStrace = !works && process.env.REQUIRE_SERVICES === undefined && "strace is not possible here";

/**
 * Records the system calls of the given processes and of processes that they start. `end` stops
 * recording and returns the calls.
 */
export async function strace(pids: readonly (number | undefined)[], ...args: string[]) {
  const child = spawn("strace", ["-f", "-y", "-s", "64", ...pids.flatMap((pid) => ["-p", String(pid)]), ...args], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let seen = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      seen += text;
      if (pids.every((pid) => seen.includes(`Process ${pid} attached`))) resolve();
    });
    child.once("exit", () => reject(new Error(seen)));
  });
  const end = async (): Promise<string> => {
    child.kill("SIGINT");
    if (child.exitCode === null && child.signalCode === null) await once(child, "close");
    return seen;
  };
  return { end, [Symbol.asyncDispose]: async () => void (await end()) };
}
