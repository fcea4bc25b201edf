/**
 * Attacks a process, a file and a socket of the same user through system calls, as native code in a
 * reading process could.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { confined } from "../pool/confinement.ts";

/**
 * Attempts that succeed for any user if the process is not confined. The other attempts also depend
 * on the version of the kernel, the file system or the user's rights.
 */
export const reachable = [
  ...["F_SETOWN", "F_SETSIG", "F_SETOWN_EX", "kill", "pidfd_open", "chmod", "fchmodat", "utimensat", "truncate"],
  ...["inotify_init1", "prlimit64", "setpriority", "sched_setaffinity", "shmget"],
  ...["socket", "datagram socketpair", "connect"],
];

export interface NativeAttack {
  tried: string[];
  succeeded: string[];
  /** Descriptions of the damage that was done to the process and to the file. */
  harm: string[];
}

const receiveDatagrams = `
$| = 1;
socket(my $socket, AF_UNIX, SOCK_DGRAM, 0) or die;
bind($socket, pack_sockaddr_un($ARGV[0])) or die;
print "ready\\n";
sleep 60;
`;
// Perl is always installed here, because processes are confined by a Perl program. Its function
// `syscall` can do everything that native code can.
const perl = "/usr/bin/perl";

export async function attackNatively(isConfined: boolean): Promise<NativeAttack> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "native-attack-"));
  stack.defer(() => rm(folder, { recursive: true }));
  const [key, socket] = [join(folder, "signing.key"), join(folder, "datagrams")];
  await writeFile(key, "SECRET", { mode: 0o600 });
  await utimes(key, 1, 1);
  const victim = spawn(process.execPath, ["--eval", "setInterval(() => {}, 1e6)"], { stdio: "ignore" });
  stack.defer(() => void victim.kill("SIGKILL"));
  const receiver = spawn(perl, ["-MSocket", "-e", receiveDatagrams, socket], { stdio: ["ignore", "pipe", "ignore"] });
  stack.defer(() => void receiver.kill("SIGKILL"));
  await once(receiver.stdout, "data");
  const attack = [perl, join(import.meta.dirname, "native-attack.pl"), String(victim.pid), key, socket];
  const needs = { paths: [import.meta.dirname, perl, "/usr/share/perl", "/etc/perl"], startsPrograms: false };
  const [program = "", ...options] = isConfined ? confined(attack, needs) : attack;
  const { stdout, stderr } = spawnSync(program, options, { env: {}, encoding: "utf8" });
  const outcomes = stdout.split("\n").flatMap((line) => (line.includes(": ") ? [line.split(": ")] : []));
  if (outcomes.at(-1)?.[0] !== "end") throw new Error(`The attack stopped early: ${stderr}`);
  const attempts = outcomes.slice(0, -1).map(([name = "", outcome]) => ({ name, succeeded: outcome === "done" }));
  const harm: string[] = [];
  // Without confinement, the attack must end the process, which may take seconds. With confinement
  // nothing should happen, so a short wait is enough.
  await Promise.race([once(victim, "exit"), delay(isConfined ? 300 : 10_000)]);
  if (victim.exitCode !== null || victim.signalCode !== null) harm.push("the process was ended");
  const { mode, mtimeMs } = await stat(key);
  if ((mode & 0o777) !== 0o600 || mtimeMs !== 1_000 || (await readFile(key, "utf8")) !== "SECRET")
    harm.push("the file was changed");
  return {
    tried: attempts.map(({ name }) => name),
    succeeded: attempts.filter(({ succeeded }) => succeeded).map(({ name }) => name),
    harm,
  };
}
