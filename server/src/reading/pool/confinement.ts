/**
 * Uses the kernel to restrict reading processes where Node's permission model does not. A system
 * call filter (seccomp) denies connections, signals to other processes, and access to their memory
 * and limits. It also denies changes to files that need no open file, such as `chmod`. Landlock
 * allows only the files of the program and the system's libraries to be opened. Unlike the
 * permission model, it also applies to native code. A process must set both restrictions on itself
 * before the program starts. Node can't do that, but Perl can, and every Debian and Ubuntu has
 * Perl.
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

/** Numbers by which the kernel identifies the processor architectures (`AUDIT_ARCH_…`). */
const architectures: Record<Processor, number> = { x64: 0xc000003e, arm64: 0xc00000b7 };

const perl = "/usr/bin/perl";

/**
 * Perl script that restricts its own process and then runs a command in it. Its arguments are: the
 * system call number of `prctl`, the filter in hexadecimal digits, the number of paths, those
 * paths, and the command. If there are no paths, the command can open every file that its user can
 * open. The script exits with 126 if the kernel refuses a restriction.
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
 * Paths that the dynamic loader and Node itself read. A Landlock rule for a path under `/proc` is
 * valid only while the kernel keeps that inode in memory, so the script leaves the file descriptor
 * of `/proc/self` open.
 */
const systemPaths = [
  ...["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/etc/ssl/openssl.cnf"],
  ...["/etc/localtime", "/usr/share/zoneinfo", "/sys/fs/cgroup", "/sys/devices/system", "/dev/null", "/dev/urandom"],
  ...["/proc/self", "/proc/meminfo", "/proc/stat", "/proc/cpuinfo"],
];

/** The restrictions that this machine can enforce on a program. */
export interface Confinement {
  /**
   * True if the machine can restrict connections, signals and access to the memory of other
   * processes.
   */
  calls: boolean;
  /**
   * True if the machine can deny access to all files that are not part of the program, even by
   * native code.
   */
  files: boolean;
}

export interface Needs {
  /** Files and folders that the program may read. */
  paths: readonly string[];
  /**
   * True if the program starts other programs. Files and signals are then not restricted, because
   * the other programs need more files, and the program stops them with signals.
   */
  startsPrograms: boolean;
}

/**
 * Returns a command that runs `command` with as many restrictions as this machine can enforce. If
 * it can enforce none, returns `command` itself.
 */
export function confined(command: readonly string[], { paths, startsPrograms }: Needs): string[] {
  const { calls, files } = confinement();
  if (!calls) return [...command];
  return [...starter(files && !startsPrograms ? paths : undefined, startsPrograms), ...command];
}

let known: Confinement | undefined;

/**
 * Returns the restrictions that this machine can enforce. The first call finds out by starting Node
 * with the restrictions, which blocks the event loop for about 50 ms.
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
 * Like `confinement`, but does not block the event loop, so that a service that has just become
 * ready can respond. Later calls of `confinement` use this result.
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
 * Returns a message for the operator: which actions of reading processes this machine cannot
 * prevent, and why. Returns undefined if the machine can enforce every restriction.
 */
export async function findSandboxGap(): Promise<string | undefined> {
  const { calls, files } = await findConfinement();
  if (!calls) return "Reading processes can open network connections: preventing this needs Linux and /usr/bin/perl.";
  if (!files)
    return "Native code in reading processes can open files of this user: preventing this needs Landlock (Linux 5.13 or later, permitted by the container).";
  return undefined;
}

/**
 * Returns arguments for Perl that start Node with the system call filter and, if `paths` are given,
 * with access to those files only. Returns undefined if this machine can't do that.
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
 * Returns the arguments to put before a command so that it runs with the restrictions. Returns an
 * empty array if the system call numbers of this processor are unknown.
 */
function starter(paths: readonly string[] | undefined, startsPrograms: boolean): string[] {
  const { arch } = process;
  if (arch !== "x64" && arch !== "arm64") return [];
  const filter = filterOf(arch, startsPrograms).toString("hex");
  const readable = paths === undefined ? [] : [...systemPaths, process.execPath, ...paths];
  return [perl, "-e", script, String(prctl[arch]), filter, String(readable.length), ...readable];
}

/**
 * Operation codes of classic BPF, the kernel's filter language. They work on `struct seccomp_data`,
 * which describes a system call.
 */
const [load, jump, jumpIfEqual, jumpIfAtLeast, jumpIfBits, end] = [0x20, 0x05, 0x15, 0x35, 0x45, 0x06];
const [numberAt, architectureAt, argumentsAt] = [0, 4, 16];
const allow = 0x7fff0000;
/** Result that makes the system call fail with EPERM. */
const deny = 0x00050001;
/** Result that makes the system call fail with ENOSYS, as if the kernel did not have that call. */
const unknown = 0x00050026;
/**
 * System calls with this number or a higher one belong to the x32 interface of x64 processors. They
 * have the same effects as the usual calls, so all of them are denied.
 */
const foreignCalls = 0x40000000;

/**
 * An instruction of the filter. A jump skips `ifTrue` instructions if its condition is true, and
 * `ifFalse` instructions otherwise.
 */
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
 * Returns instructions that check one argument of a system call, and deny the call if the value of
 * this argument is denied. Otherwise they load the system call number again for the instructions
 * that follow.
 */
function conditionOf({ call, argument, denied }: ConditionalCall, processor: Processor): Instruction[] {
  const number = call[processor];
  if (number === undefined) return [];
  const tests = testsOf(denied);
  // Both processors are little-endian, so the lower half of an argument comes first in memory.
  const inside: Instruction[] = [[load, 0, 0, argumentsAt + 8 * argument], ...tests, endWith(deny), loadNumber];
  return [[jumpIfEqual, 0, inside.length, number], ...inside];
}

/**
 * Returns instructions that test the loaded argument. They must be followed by an instruction that
 * denies the call. That instruction is skipped if the value of the argument is allowed.
 */
function testsOf(denied: ConditionalCall["denied"]): Instruction[] {
  if ("anyBitOf" in denied) return [[jumpIfBits, 0, 1, denied.anyBitOf]];
  const values = "oneOf" in denied ? denied.oneOf : denied.notOneOf;
  const skip = (index: number): number => values.length - index;
  const tests = values.map((value, index): Instruction => [jumpIfEqual, skip(index), 0, value]);
  // In `oneOf`, a match jumps over the last instruction to the denial; without a match, the last
  // instruction jumps over the denial. In `notOneOf`, a match jumps over the denial.
  return "oneOf" in denied ? [...tests, [jump, 0, 0, 1]] : tests;
}
