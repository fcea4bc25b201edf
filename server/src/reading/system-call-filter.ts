/**
 * What Node's permission model leaves open to a process, closed by the kernel: connections of any kind, signals to other processes, and
 * looking into their memory. Such a filter (seccomp) must be set from within before the program starts, which Node can't do; Perl can,
 * and is part of every Debian and Ubuntu.
 */
import { spawnSync } from "node:child_process";

interface Calls {
  /** How the kernel names the processor. */
  architecture: number;
  prctl: number;
  /** That open a connection. `io_uring` would do it past the filter. */
  network: readonly number[];
  /** That look into other processes. */
  inspection: readonly number[];
  signals: readonly number[];
}

/** Numbers of system calls, from the kernel's `unistd.h` of each processor. */
const callsOf: Partial<Record<NodeJS.Architecture, Calls>> = {
  x64: {
    architecture: 0xc000003e,
    prctl: 157,
    // socket, io_uring_setup
    network: [41, 425],
    // ptrace, process_vm_readv, process_vm_writev, pidfd_getfd
    inspection: [101, 310, 311, 438],
    // kill, tkill, tgkill, rt_sigqueueinfo, rt_tgsigqueueinfo, pidfd_send_signal
    signals: [62, 200, 234, 129, 297, 424],
  },
  arm64: {
    architecture: 0xc00000b7,
    prctl: 167,
    network: [198, 425],
    inspection: [117, 270, 271, 438],
    signals: [129, 130, 131, 138, 240, 424],
  },
};

const perl = "/usr/bin/perl";

/** Takes the number of `prctl`, the filter in hexadecimal digits, and the command that is to run under it. */
const script = `
my ($prctl, $digits, @command) = @ARGV;
my ($noNewPrivileges, $seccomp, $filter) = (38, 22, 2);
my $code = pack "H*", $digits;
my $program = pack "S x6 P", length($code) / 8, $code;
syscall(0 + $prctl, $noNewPrivileges, 1, 0, 0, 0) == 0 && syscall(0 + $prctl, $seccomp, $filter, $program) == 0 or exit 126;
exec { $command[0] } @command;
exit 127;
`;

/**
 * The command that runs `command` under the filter; `command` itself where this machine can't set one. With `startsPrograms` it may send
 * signals, for it has to end what it starts.
 */
export function underFilter(command: readonly string[], { startsPrograms }: { startsPrograms: boolean }): string[] {
  const calls = callsOf[process.arch];
  return calls === undefined || !canFilter() ? [...command] : [...starter(calls, startsPrograms), ...command];
}

let possible: boolean | undefined;

/** Whether reading processes are under the filter on this machine. */
export function canFilter(): boolean {
  const calls = callsOf[process.arch];
  possible ??=
    process.platform === "linux" &&
    calls !== undefined &&
    spawnSync(perl, [...starter(calls, false).slice(1), "/bin/true"], { env: {}, stdio: "ignore" }).status === 0;
  return possible;
}

function starter({ prctl, ...calls }: Calls, startsPrograms: boolean): string[] {
  return [perl, "-e", script, String(prctl), filterOf(calls, startsPrograms).toString("hex")];
}

/** Instructions of the kernel's filter machine, on `struct seccomp_data`. */
const [load, jumpIfEqual, jumpIfAtLeast, answer] = [0x20, 0x15, 0x35, 0x06];
const [numberAt, architectureAt] = [0, 4];
const allow = 0x7fff0000;
/** The call fails with EPERM. */
const deny = 0x00050001;
/** Above it are the calls of another way to use the same processor (x32), with the same meanings. */
const foreignCalls = 0x40000000;

function filterOf(calls: Omit<Calls, "prctl">, startsPrograms: boolean): Buffer {
  const denied = [...calls.network, ...calls.inspection, ...(startsPrograms ? [] : calls.signals)];
  const last = denied.length + 5;
  const program: [code: number, ifTrue: number, ifFalse: number, value: number][] = [
    [load, 0, 0, architectureAt],
    [jumpIfEqual, 0, last - 2, calls.architecture],
    [load, 0, 0, numberAt],
    [jumpIfAtLeast, last - 4, 0, foreignCalls],
    ...denied.map((call, index): [number, number, number, number] => [jumpIfEqual, last - 5 - index, 0, call]),
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
