/**
 * What Node's permission model leaves open to a process, closed by the kernel. A filter of system calls (seccomp) denies connections of any
 * kind, signals to other processes, and looking into their memory. Files are kept from native code, too, which the permission model
 * knows nothing of: beside the program only those of the system's libraries can be opened (Landlock). Both must be set from within
 * before the program starts, which Node can't do; Perl can, and is part of every Debian and Ubuntu.
 */
import { spawnSync } from "node:child_process";

type Processor = "x64" | "arm64";

/** Numbers of system calls, from the kernel's `unistd.h` of each processor. Those of Landlock are the same everywhere. */
type Call = Record<Processor, number>;

/** How the kernel names the processors. */
const architectures: Record<Processor, number> = { x64: 0xc000003e, arm64: 0xc00000b7 };
const prctl: Call = { x64: 157, arm64: 167 };

/** That open a connection. `io_uring` would do it past the filter. */
const network: Record<string, Call> = {
  socket: { x64: 41, arm64: 198 },
  io_uring_setup: { x64: 425, arm64: 425 },
};
/** That look into other processes. */
const inspection: Record<string, Call> = {
  ptrace: { x64: 101, arm64: 117 },
  process_vm_readv: { x64: 310, arm64: 270 },
  process_vm_writev: { x64: 311, arm64: 271 },
  pidfd_getfd: { x64: 438, arm64: 438 },
};
const signals: Record<string, Call> = {
  kill: { x64: 62, arm64: 129 },
  tkill: { x64: 200, arm64: 130 },
  tgkill: { x64: 234, arm64: 131 },
  rt_sigqueueinfo: { x64: 129, arm64: 138 },
  rt_tgsigqueueinfo: { x64: 297, arm64: 240 },
  pidfd_send_signal: { x64: 424, arm64: 424 },
};

const perl = "/usr/bin/perl";

/**
 * Takes the number of `prctl`, the filter in hexadecimal digits, how many paths follow, those paths, and the command that is to run so
 * confined. Without a path it can open what its user can. Ends with 126 where the kernel refuses.
 */
const script = `
my ($prctl, $digits, $count, @command) = @ARGV;
my ($noNewPrivileges, $seccomp, $filter) = (38, 22, 2);
my ($createRuleset, $addRule, $restrictSelf) = (444, 445, 446);
my ($versionFlag, $pathBeneath) = (1, 1);
my ($execute, $write, $read, $readFolder) = (1, 2, 4, 8);
my $pathAlone = 010000000;
my @places;
sub must { $_[0] >= 0 or exit 126; $_[0] }
must(syscall(0 + $prctl, $noNewPrivileges, 1, 0, 0, 0));
if ($count > 0) {
  my $version = must(syscall($createRuleset, 0, 0, $versionFlag));
  my $rights = $version >= 5 ? 16 : $version >= 3 ? 15 : 12 + $version;
  my $ruleset = must(syscall($createRuleset, pack("Q", (1 << $rights) - 1), 8, 0));
  for my $path (splice @command, 0, $count) {
    $^F = $path eq "/proc/self" ? 255 : 2;
    sysopen(my $place, $path, $pathAlone) or next;
    push @places, $place;
    my $allowed = -c $place ? $read | $write : -d $place ? $execute | $read | $readFolder : $execute | $read;
    must(syscall($addRule, $ruleset, $pathBeneath, pack("Q l", $allowed, fileno $place), 0));
  }
  must(syscall($restrictSelf, $ruleset, 0));
}
my $code = pack "H*", $digits;
my $program = pack "S x6 P", length($code) / 8, $code;
must(syscall(0 + $prctl, $seccomp, $filter, $program));
exec { $command[0] } @command;
exit 127;
`;

/**
 * What the loader of programs and Node itself read of the system. Of what is under `/proc` a rule holds only while the kernel remembers
 * the very place, so that of the process is kept open.
 */
const systemPaths = [
  ...["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/etc/ssl/openssl.cnf"],
  ...["/etc/localtime", "/usr/share/zoneinfo", "/sys/fs/cgroup", "/sys/devices/system", "/dev/null", "/dev/urandom"],
  ...["/proc/self", "/proc/meminfo", "/proc/stat", "/proc/cpuinfo"],
];

/** From what a program can be kept on this machine. */
export interface Confinement {
  /** Connections, signals and the memory of others. */
  calls: boolean;
  /** Files that are not its own, whatever opens them. */
  files: boolean;
}

export interface Needs {
  /** Files and folders of the program. */
  paths: readonly string[];
  /** It starts programs that need files of theirs, and ends them by signals. */
  startsPrograms: boolean;
}

/** The command that runs `command` confined as far as that is possible here, or `command` itself. */
export function confined(command: readonly string[], { paths, startsPrograms }: Needs): string[] {
  const { calls, files } = confinement();
  if (!calls) return [...command];
  return [...starter(files && !startsPrograms ? paths : undefined, startsPrograms), ...command];
}

let known: Confinement | undefined;

/** Tried out once: Node is started so. */
export function confinement(): Confinement {
  if (known === undefined) {
    const files = runsNode([]);
    known = { files, calls: files || runsNode(undefined) };
  }
  return known;
}

/** Whether Node starts under the filter, and where `paths` are given with no other files than those. */
function runsNode(paths: readonly string[] | undefined): boolean {
  if (process.platform !== "linux") return false;
  const [program, ...options] = [...starter(paths, false), process.execPath, "--eval", "0"];
  return program === perl && spawnSync(program, options, { env: {}, stdio: "ignore" }).status === 0;
}

/** What goes before a command to confine it; nothing on a processor whose calls are not known. */
function starter(paths: readonly string[] | undefined, startsPrograms: boolean): string[] {
  const { arch } = process;
  if (arch !== "x64" && arch !== "arm64") return [];
  const filter = filterOf(arch, startsPrograms).toString("hex");
  const readable = paths === undefined ? [] : [...systemPaths, process.execPath, ...paths];
  return [perl, "-e", script, String(prctl[arch]), filter, String(readable.length), ...readable];
}

/** Instructions of the kernel's filter machine, on `struct seccomp_data`. */
const [load, jumpIfEqual, jumpIfAtLeast, answer] = [0x20, 0x15, 0x35, 0x06];
const [numberAt, architectureAt] = [0, 4];
const allow = 0x7fff0000;
/** The call fails with EPERM. */
const deny = 0x00050001;
/** Above it are the calls of another way to use the same processor (x32), with the same meanings. */
const foreignCalls = 0x40000000;

function filterOf(processor: Processor, startsPrograms: boolean): Buffer {
  const denied = Object.values({ ...network, ...inspection, ...(startsPrograms ? {} : signals) });
  const last = denied.length + 5;
  const program: [code: number, ifTrue: number, ifFalse: number, value: number][] = [
    [load, 0, 0, architectureAt],
    [jumpIfEqual, 0, last - 2, architectures[processor]],
    [load, 0, 0, numberAt],
    [jumpIfAtLeast, last - 4, 0, foreignCalls],
    ...denied.map((call, index): [number, number, number, number] => [
      jumpIfEqual,
      last - 5 - index,
      0,
      call[processor],
    ]),
    [answer, 0, 0, allow],
    [answer, 0, 0, deny],
  ];
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  }
  return bytes;
}
