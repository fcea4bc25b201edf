/**
 * What Node's permission model leaves open to a process, closed by the kernel. A filter of system calls (seccomp) denies connections of any
 * kind, signals to other processes, their memory and limits, and changes to files that need not be opened. Files are kept from native code, too, which the permission model
 * knows nothing of: beside the program only those of the system's libraries can be opened (Landlock). Both must be set from within
 * before the program starts, which Node can't do; Perl can, and is part of every Debian and Ubuntu.
 */
import { spawn, spawnSync } from "node:child_process";
import {
  type Call,
  type ConditionalCall,
  conditionalCalls,
  connections,
  fileAttributes,
  folders,
  machine,
  otherProcesses,
  type Processor,
  prctl,
  sharedMemory,
  signals,
  unknownCalls,
} from "./denied-calls.ts";

/** How the kernel names the processors. */
const architectures: Record<Processor, number> = { x64: 0xc000003e, arm64: 0xc00000b7 };

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

/** Returns what this machine can enforce. Found out once, by starting Node confined, which blocks the event loop for about 50 ms. */
export function confinement(): Confinement {
  if (known === undefined) {
    const files = runsNode(trial([]));
    known = { files, calls: files || runsNode(trial(undefined)) };
  }
  return known;
}

/** Like `confinement`, without blocking the event loop: a service that has just become ready must respond. */
export async function findConfinement(): Promise<Confinement> {
  const files = await startsNode(trial([]));
  known = { files, calls: files || (await startsNode(trial(undefined))) };
  return known;
}

/** Returns a command that starts Node under the filter and, if `paths` are given, with no other files than those. */
function trial(paths: readonly string[] | undefined): readonly string[] | undefined {
  const command = [...starter(paths, false), process.execPath, "--eval", "0"];
  return process.platform === "linux" && command[0] === perl ? command.slice(1) : undefined;
}

const trialOptions = { env: {}, stdio: "ignore" } as const;

const runsNode = (options: readonly string[] | undefined): boolean =>
  options !== undefined && spawnSync(perl, options, trialOptions).status === 0;

async function startsNode(options: readonly string[] | undefined): Promise<boolean> {
  if (options === undefined) return false;
  const child = spawn(perl, options, trialOptions);
  return new Promise((resolve) => child.on("error", () => resolve(false)).on("exit", (code) => resolve(code === 0)));
}

/** What goes before a command to confine it; nothing on a processor whose calls are not known. */
function starter(paths: readonly string[] | undefined, startsPrograms: boolean): string[] {
  const { arch } = process;
  if (arch !== "x64" && arch !== "arm64") return [];
  const filter = filterOf(arch, startsPrograms).toString("hex");
  const readable = paths === undefined ? [] : [...systemPaths, process.execPath, ...paths];
  return [perl, "-e", script, String(prctl[arch]), filter, String(readable.length), ...readable];
}

/** Operation codes of the kernel's filter machine (classic BPF), on `struct seccomp_data`. */
const [load, jump, jumpIfEqual, jumpIfAtLeast, jumpIfBits, end] = [0x20, 0x05, 0x15, 0x35, 0x45, 0x06];
const [numberAt, architectureAt, argumentsAt] = [0, 4, 16];
const allow = 0x7fff0000;
/** The call fails with EPERM. */
const deny = 0x00050001;
/** The call fails with ENOSYS. */
const unknown = 0x00050026;
/** Above it are the calls of another way to use the same processor (x32), with the same meanings. */
const foreignCalls = 0x40000000;

/** Jumps count instructions from the next one. */
type Instruction = [code: number, ifTrue: number, ifFalse: number, value: number];

const loadNumber: Instruction = [load, 0, 0, numberAt];
const endWith = (result: number): Instruction => [end, 0, 0, result];

function filterOf(processor: Processor, startsPrograms: boolean): Buffer {
  const numbersIn = (calls: Record<string, Call>) => Object.values(calls).flatMap((call) => call[processor] ?? []);
  const denied = {
    ...{ ...connections, ...otherProcesses, ...sharedMemory, ...fileAttributes, ...machine },
    ...(startsPrograms ? {} : { ...signals, ...folders }),
  };
  const program: Instruction[] = [
    [load, 0, 0, architectureAt],
    [jumpIfEqual, 1, 0, architectures[processor]],
    endWith(deny),
    loadNumber,
    [jumpIfAtLeast, 0, 1, foreignCalls],
    endWith(deny),
    ...numbersIn(denied).flatMap((number): Instruction[] => [[jumpIfEqual, 0, 1, number], endWith(deny)]),
    ...numbersIn(unknownCalls).flatMap((number): Instruction[] => [[jumpIfEqual, 0, 1, number], endWith(unknown)]),
    ...conditionalCalls.flatMap((each) => conditionOf(each, processor)),
    endWith(allow),
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

/** Returns instructions that deny the call by its argument and go on with the next instruction otherwise, the number of the call loaded. */
function conditionOf({ call, argument, denied }: ConditionalCall, processor: Processor): Instruction[] {
  const number = call[processor];
  if (number === undefined) return [];
  const tests = testsOf(denied);
  // Both processors are little-endian: the lower half of an argument comes first.
  const inside: Instruction[] = [[load, 0, 0, argumentsAt + 8 * argument], ...tests, endWith(deny), loadNumber];
  return [[jumpIfEqual, 0, inside.length, number], ...inside];
}

/** Returns instructions that go on with the next instruction if the loaded argument is denied, and else skip one. */
function testsOf(denied: ConditionalCall["denied"]): Instruction[] {
  if ("anyBitOf" in denied) return [[jumpIfBits, 0, 1, denied.anyBitOf]];
  const values = "oneOf" in denied ? denied.oneOf : denied.notOneOf;
  const skip = (index: number): number => values.length - index;
  const tests = values.map((value, index): Instruction => [jumpIfEqual, skip(index), 0, value]);
  // One of them: to the denial, over the jump that skips it. None of them: over the denial.
  return "oneOf" in denied ? [...tests, [jump, 0, 0, 1]] : tests;
}
