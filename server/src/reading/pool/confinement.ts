/**
 * Closes with the kernel what Node's permission model leaves open to a process. A filter of system
 * calls (seccomp) denies connections, signals to other processes, access to their memory and
 * limits, and changes to files that need no open file. Landlock keeps files from native code, which
 * the permission model does not see: only the program and the system's libraries can be opened.
 * Both must be set inside the process before the program starts. Node can't do that; Perl can, and
 * every Debian and Ubuntu has it.
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

/** Audit numbers of the processor architectures in the kernel. */
const architectures: Record<Processor, number> = { x64: 0xc000003e, arm64: 0xc00000b7 };

const perl = "/usr/bin/perl";

/**
 * Arguments: the number of `prctl`, the filter in hexadecimal digits, the number of paths, those
 * paths, and the command to run confined. Without paths the command can open what its user can.
 * Exits with 126 if the kernel refuses.
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
 * Files that the dynamic loader and Node itself read. A rule for a path under `/proc` holds only
 * while the kernel keeps that inode, so the file descriptor of `/proc/self` stays open.
 */
const systemPaths = [
  ...["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/etc/ssl/openssl.cnf"],
  ...["/etc/localtime", "/usr/share/zoneinfo", "/sys/fs/cgroup", "/sys/devices/system", "/dev/null", "/dev/urandom"],
  ...["/proc/self", "/proc/meminfo", "/proc/stat", "/proc/cpuinfo"],
];

/** Restrictions that this machine can enforce on a program. */
export interface Confinement {
  /** True if it can restrict connections, signals and access to the memory of other processes. */
  calls: boolean;
  /** True if it can deny files that are not part of the program, also to native code. */
  files: boolean;
}

export interface Needs {
  /** Files and folders of the program. */
  paths: readonly string[];
  /**
   * True if the program starts other programs, which need files of their own and are killed by
   * signals.
   */
  startsPrograms: boolean;
}

/**
 * Returns the command that runs `command` confined as far as this machine can confine it; `command`
 * itself if it can't.
 */
export function confined(command: readonly string[], { paths, startsPrograms }: Needs): string[] {
  const { calls, files } = confinement();
  if (!calls) return [...command];
  return [...starter(files && !startsPrograms ? paths : undefined, startsPrograms), ...command];
}

let known: Confinement | undefined;

/**
 * Returns the restrictions that this machine can enforce. Tested once by starting Node confined,
 * which blocks the event loop for about 50 ms.
 */
export function confinement(): Confinement {
  if (known === undefined) {
    const files = runsNode(trial([]));
    known = { files, calls: files || runsNode(trial(undefined)) };
  }
  return known;
}

let found: Promise<Confinement> | undefined;

/**
 * Like `confinement`, without blocking the event loop: a service that has just become ready must
 * respond. `confinement` does not test again after this.
 */
export function findConfinement(): Promise<Confinement> {
  found ??= findOnce();
  return found;
}

async function findOnce(): Promise<Confinement> {
  const files = await startsNode(trial([]));
  known = { files, calls: files || (await startsNode(trial(undefined))) };
  return known;
}

/**
 * Returns a command that starts Node under the filter and, if `paths` are given, with access to
 * those files only.
 */
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

/**
 * Returns the arguments to put before a command, so that it runs confined. Returns none on a
 * processor whose call numbers are unknown.
 */
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
/** Makes the call fail with EPERM. */
const deny = 0x00050001;
/** Makes the call fail with ENOSYS. */
const unknown = 0x00050026;
/**
 * Calls above this number belong to the x32 interface of the same processor and have the same
 * effects.
 */
const foreignCalls = 0x40000000;

/** The distance of a jump is counted in instructions, from the next one. */
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

/**
 * Returns instructions that deny the call if its argument is denied. Otherwise they continue behind
 * themselves, with the call number loaded again.
 */
function conditionOf({ call, argument, denied }: ConditionalCall, processor: Processor): Instruction[] {
  const number = call[processor];
  if (number === undefined) return [];
  const tests = testsOf(denied);
  // Both processors are little-endian: the lower half of an argument comes first.
  const inside: Instruction[] = [[load, 0, 0, argumentsAt + 8 * argument], ...tests, endWith(deny), loadNumber];
  return [[jumpIfEqual, 0, inside.length, number], ...inside];
}

/**
 * Returns instructions that continue with the one behind them if the loaded argument is denied, and
 * otherwise skip that one.
 */
function testsOf(denied: ConditionalCall["denied"]): Instruction[] {
  if ("anyBitOf" in denied) return [[jumpIfBits, 0, 1, denied.anyBitOf]];
  const values = "oneOf" in denied ? denied.oneOf : denied.notOneOf;
  const skip = (index: number): number => values.length - index;
  const tests = values.map((value, index): Instruction => [jumpIfEqual, skip(index), 0, value]);
  // oneOf: jump to the denial, over the jump that skips it. notOneOf: jump over the denial.
  return "oneOf" in denied ? [...tests, [jump, 0, 0, 1]] : tests;
}
