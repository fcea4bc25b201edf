/** Runs the system's clamd with its own configuration and signatures in a temporary folder. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ping } from "../clamd.ts";
import { eicar } from "../self-test.ts";

const program = ["/usr/sbin/clamd", "/usr/local/sbin/clamd", "/usr/bin/clamd"].find((path) => existsSync(path));

/**
 * Reason why tests that need clamd are skipped; false if they are not skipped. If REQUIRE_SERVICES
 * is set, they are never skipped.
 */
export const withoutClamd: string | false =
  program === undefined && process.env.REQUIRE_SERVICES === undefined && "clamd is not installed";

/** Lines of clamd.conf with which clamd scans the largest accepted file completely. */
export const highLimits = { StreamMaxLength: "64M", MaxFileSize: "64M", MaxScanSize: "200M" };

/**
 * `everywhere` finds the test file anywhere inside a file. `asFile`, like real signatures, finds it
 * only as a whole file or archive member.
 */
const signatures = {
  everywhere: ["eicar.ndb", `Eicar-Test-Signature:0:*:${eicar.toString("hex")}\n`],
  asFile: ["eicar.hdb", `${createHash("md5").update(eicar).digest("hex")}:${eicar.length}:Eicar-Test-Signature\n`],
  /** Contains no signature that matches the test file. */
  none: ["other.hdb", `${"0".repeat(32)}:12345:Other\n`],
} as const;

export interface ClamdDaemon extends AsyncDisposable {
  /** The value of SHEAF_ANTIVIRUS. */
  url: string;
  path: string;
  /** Stops clamd. `start` starts it again, optionally with different lines in clamd.conf. */
  stop(): Promise<void>;
  start(conf?: Record<string, string>): Promise<void>;
}

export async function openClamdDaemon(
  conf: Record<string, string> = highLimits,
  known: keyof typeof signatures = "everywhere",
): Promise<ClamdDaemon> {
  if (program === undefined) throw new Error("clamd is not installed");
  const folder = await mkdtemp(join(tmpdir(), "sheaf-clamd-"));
  const path = join(folder, "clamd.socket");
  const [name, signature] = signatures[known];
  await mkdir(join(folder, "signatures"));
  await writeFile(join(folder, "signatures", name), signature);
  let running: ChildProcess | undefined;
  const daemon: ClamdDaemon = {
    url: `clamd://${path}`,
    path,
    start: async (lines = conf) => {
      const all = {
        DatabaseDirectory: join(folder, "signatures"),
        TemporaryDirectory: folder,
        LocalSocket: path,
        Foreground: "true",
        MaxThreads: "4",
        ...lines,
      };
      const text = Object.entries(all).map((line) => line.join(" "));
      await writeFile(join(folder, "clamd.conf"), `${text.join("\n")}\n`);
      const child = spawn(program, ["--config-file", join(folder, "clamd.conf")], { stdio: "ignore" });
      running = child;
      for (const until = performance.now() + 20_000; ; await sleep(20)) {
        if (await answers(path)) return;
        if (child.exitCode !== null || performance.now() > until) throw new Error("clamd does not start");
      }
    },
    stop: async () => {
      const child = running;
      running = undefined;
      if (child === undefined || child.exitCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
      await rm(path, { force: true });
    },
    [Symbol.asyncDispose]: async () => {
      await daemon.stop();
      await rm(folder, { recursive: true });
    },
  };
  await daemon.start();
  return daemon;
}

const answers = (path: string): Promise<boolean> =>
  ping({ path }, AbortSignal.timeout(1_000)).then(
    () => true,
    () => false,
  );
