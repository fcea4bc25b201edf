/**
 * System calls that a reading process does not need, grouped by what they would allow it to do. The
 * numbers are from the kernel's `unistd.h` for each processor. A call that has no number for a
 * processor does not exist on that processor.
 */
export type Processor = "x64" | "arm64";
export type Call = Partial<Record<Processor, number>>;

/**
 * Calls that open or accept connections. `io_uring` is included because a process could use it to
 * open connections without a call that the filter sees.
 */
export const connections: Record<string, Call> = {
  socket: { x64: 41, arm64: 198 },
  connect: { x64: 42, arm64: 203 },
  bind: { x64: 49, arm64: 200 },
  listen: { x64: 50, arm64: 201 },
  accept: { x64: 43, arm64: 202 },
  accept4: { x64: 288, arm64: 242 },
  sendmmsg: { x64: 307, arm64: 269 },
  io_uring_setup: { x64: 425, arm64: 425 },
};

/** Calls that inspect other processes, or change how they run. */
export const otherProcesses: Record<string, Call> = {
  ptrace: { x64: 101, arm64: 117 },
  process_vm_readv: { x64: 310, arm64: 270 },
  process_vm_writev: { x64: 311, arm64: 271 },
  pidfd_open: { x64: 434, arm64: 434 },
  pidfd_getfd: { x64: 438, arm64: 438 },
  kcmp: { x64: 312, arm64: 272 },
  process_madvise: { x64: 440, arm64: 440 },
  process_mrelease: { x64: 448, arm64: 448 },
  ioprio_set: { x64: 251, arm64: 30 },
  migrate_pages: { x64: 256, arm64: 238 },
  move_pages: { x64: 279, arm64: 239 },
  perf_event_open: { x64: 298, arm64: 241 },
  bpf: { x64: 321, arm64: 280 },
  userfaultfd: { x64: 323, arm64: 282 },
};

/** Calls for the memory, queues and keys that the kernel shares between the processes of a user. */
export const sharedMemory: Record<string, Call> = {
  shmget: { x64: 29, arm64: 194 },
  shmat: { x64: 30, arm64: 196 },
  shmctl: { x64: 31, arm64: 195 },
  semget: { x64: 64, arm64: 190 },
  semop: { x64: 65, arm64: 193 },
  semtimedop: { x64: 220, arm64: 192 },
  semctl: { x64: 66, arm64: 191 },
  msgget: { x64: 68, arm64: 186 },
  msgsnd: { x64: 69, arm64: 189 },
  msgrcv: { x64: 70, arm64: 188 },
  msgctl: { x64: 71, arm64: 187 },
  mq_open: { x64: 240, arm64: 180 },
  mq_unlink: { x64: 241, arm64: 181 },
  add_key: { x64: 248, arm64: 217 },
  request_key: { x64: 249, arm64: 218 },
  keyctl: { x64: 250, arm64: 219 },
};

/** Calls that change or watch files without opening them. Landlock does not restrict these. */
export const fileAttributes: Record<string, Call> = {
  chmod: { x64: 90 },
  fchmod: { x64: 91, arm64: 52 },
  fchmodat: { x64: 268, arm64: 53 },
  fchmodat2: { x64: 452, arm64: 452 },
  chown: { x64: 92 },
  lchown: { x64: 94 },
  fchown: { x64: 93, arm64: 55 },
  fchownat: { x64: 260, arm64: 54 },
  utime: { x64: 132 },
  utimes: { x64: 235 },
  futimesat: { x64: 261 },
  utimensat: { x64: 280, arm64: 88 },
  setxattr: { x64: 188, arm64: 5 },
  lsetxattr: { x64: 189, arm64: 6 },
  fsetxattr: { x64: 190, arm64: 7 },
  setxattrat: { x64: 463, arm64: 463 },
  removexattr: { x64: 197, arm64: 14 },
  lremovexattr: { x64: 198, arm64: 15 },
  fremovexattr: { x64: 199, arm64: 16 },
  removexattrat: { x64: 466, arm64: 466 },
  truncate: { x64: 76, arm64: 45 },
  inotify_init: { x64: 253 },
  inotify_init1: { x64: 294, arm64: 26 },
  inotify_add_watch: { x64: 254, arm64: 27 },
  fanotify_init: { x64: 300, arm64: 262 },
  fanotify_mark: { x64: 301, arm64: 263 },
  name_to_handle_at: { x64: 303, arm64: 264 },
  open_by_handle_at: { x64: 304, arm64: 265 },
};

/**
 * Calls for the administration of the machine. They are listed because services in containers often
 * run as root.
 */
export const machine: Record<string, Call> = {
  unshare: { x64: 272, arm64: 97 },
  setns: { x64: 308, arm64: 268 },
  mount: { x64: 165, arm64: 40 },
  umount2: { x64: 166, arm64: 39 },
  pivot_root: { x64: 155, arm64: 41 },
  chroot: { x64: 161, arm64: 51 },
  fsopen: { x64: 430, arm64: 430 },
  fsconfig: { x64: 431, arm64: 431 },
  fsmount: { x64: 432, arm64: 432 },
  fspick: { x64: 433, arm64: 433 },
  open_tree: { x64: 428, arm64: 428 },
  move_mount: { x64: 429, arm64: 429 },
  mount_setattr: { x64: 442, arm64: 442 },
  swapon: { x64: 167, arm64: 224 },
  swapoff: { x64: 168, arm64: 225 },
  quotactl: { x64: 179, arm64: 60 },
  quotactl_fd: { x64: 443, arm64: 443 },
  kexec_load: { x64: 246, arm64: 104 },
  kexec_file_load: { x64: 320, arm64: 294 },
  init_module: { x64: 175, arm64: 105 },
  finit_module: { x64: 313, arm64: 273 },
  delete_module: { x64: 176, arm64: 106 },
  reboot: { x64: 169, arm64: 142 },
  syslog: { x64: 103, arm64: 116 },
  acct: { x64: 163, arm64: 89 },
  sethostname: { x64: 170, arm64: 161 },
  setdomainname: { x64: 171, arm64: 162 },
  settimeofday: { x64: 164, arm64: 170 },
  clock_settime: { x64: 227, arm64: 112 },
  clock_adjtime: { x64: 305, arm64: 266 },
  adjtimex: { x64: 159, arm64: 171 },
  iopl: { x64: 172 },
  ioperm: { x64: 173 },
  vhangup: { x64: 153, arm64: 58 },
  personality: { x64: 135, arm64: 92 },
  setuid: { x64: 105, arm64: 146 },
  setgid: { x64: 106, arm64: 144 },
  setreuid: { x64: 113, arm64: 145 },
  setregid: { x64: 114, arm64: 143 },
  setgroups: { x64: 116, arm64: 159 },
  setresuid: { x64: 117, arm64: 147 },
  setresgid: { x64: 119, arm64: 149 },
  setfsuid: { x64: 122, arm64: 151 },
  setfsgid: { x64: 123, arm64: 152 },
  capset: { x64: 126, arm64: 91 },
};

/**
 * Calls that send signals to other processes. They are denied unless the process starts programs,
 * which it must be able to stop.
 */
export const signals: Record<string, Call> = {
  kill: { x64: 62, arm64: 129 },
  tkill: { x64: 200, arm64: 130 },
  tgkill: { x64: 234, arm64: 131 },
  rt_sigqueueinfo: { x64: 129, arm64: 138 },
  rt_tgsigqueueinfo: { x64: 297, arm64: 240 },
  pidfd_send_signal: { x64: 424, arm64: 424 },
};

/** Calls that create, move and remove files. They are denied unless the process starts programs. */
export const folders: Record<string, Call> = {
  mknod: { x64: 133 },
  mknodat: { x64: 259, arm64: 33 },
  link: { x64: 86 },
  linkat: { x64: 265, arm64: 37 },
  symlink: { x64: 88 },
  symlinkat: { x64: 266, arm64: 36 },
  rename: { x64: 82 },
  renameat: { x64: 264, arm64: 38 },
  renameat2: { x64: 316, arm64: 276 },
  unlink: { x64: 87 },
  unlinkat: { x64: 263, arm64: 35 },
  rmdir: { x64: 84 },
  mkdir: { x64: 83 },
  mkdirat: { x64: 258, arm64: 34 },
};

/** A system call that is denied only if one of its arguments has certain values. */
export interface ConditionalCall {
  call: Call;
  /** Index of the argument that is tested, counted from 0. */
  argument: number;
  /**
   * Which values of the argument are denied: each of these values (`oneOf`), all values except
   * these (`notOneOf`), or all values that have one of these bits set (`anyBitOf`). Only the lower
   * 32 bits of the argument are compared.
   */
  denied: { oneOf: readonly number[] } | { notOneOf: readonly number[] } | { anyBitOf: number };
}

/**
 * Denies all ids of processes, threads and process groups except 0, which stands for the caller's
 * own process, thread or group.
 */
const oneself = { notOneOf: [0] };
/**
 * Commands of `fcntl`. F_SETOWN, F_SETSIG and F_SETOWN_EX let a process make the kernel send a
 * signal to any other process when a file becomes ready. F_SETLEASE and F_NOTIFY cause signals too.
 */
const ownerCommands = { oneOf: [8, 10, 15, 1024, 1026] };
/**
 * Commands of `ioctl`. FIOSETOWN, SIOCSPGRP and FIOASYNC have the same effect as F_SETOWN. With
 * TIOCSTI and TIOCLINUX, a process can type into the terminal of the service.
 */
const ownerRequests = { oneOf: [0x8901, 0x8902, 0x5452, 0x5412, 0x541c] };
/** All CLONE_NEW… flags of `clone`, which create namespaces. */
const namespaces = { anyBitOf: 0x7e020000 };

export const conditionalCalls: readonly ConditionalCall[] = [
  { call: { x64: 72, arm64: 25 }, argument: 1, denied: ownerCommands },
  { call: { x64: 16, arm64: 29 }, argument: 1, denied: ownerRequests },
  { call: { x64: 302, arm64: 261 }, argument: 0, denied: oneself },
  { call: { x64: 141, arm64: 140 }, argument: 0, denied: oneself },
  { call: { x64: 141, arm64: 140 }, argument: 1, denied: oneself },
  { call: { x64: 144, arm64: 119 }, argument: 0, denied: oneself },
  { call: { x64: 142, arm64: 118 }, argument: 0, denied: oneself },
  { call: { x64: 314, arm64: 274 }, argument: 0, denied: oneself },
  { call: { x64: 203, arm64: 122 }, argument: 0, denied: oneself },
  { call: { x64: 56, arm64: 220 }, argument: 0, denied: namespaces },
  // Only AF_UNIX streams are allowed. Node needs them for the pipes to programs that it starts.
  // Datagram sockets are denied, because one could be connected to any other datagram socket.
  { call: { x64: 53, arm64: 199 }, argument: 0, denied: { notOneOf: [1] } },
  // Only SOCK_STREAM is allowed, with or without SOCK_NONBLOCK and SOCK_CLOEXEC.
  { call: { x64: 53, arm64: 199 }, argument: 1, denied: { notOneOf: [0x1, 0x801, 0x80001, 0x80801] } },
];

/**
 * Calls that fail with ENOSYS. The arguments of `clone3` are in memory, where a filter can't see
 * them. If `clone3` fails with ENOSYS, libraries use `clone` instead.
 */
export const unknownCalls: Record<string, Call> = {
  clone3: { x64: 435, arm64: 435 },
};

/**
 * Number of the system call that sets options of the calling process. It also installs the filter.
 */
export const prctl: Required<Call> = { x64: 157, arm64: 167 };
