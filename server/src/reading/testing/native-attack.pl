# Tries what native code in a reading process could do to other processes and files, with system calls only.
# For each attempt, prints "name: done" if it succeeded, and otherwise "name: " and the number of the error (errno).
use strict;
use warnings;
my ($victim, $key, $socket) = @ARGV;
my %call = (
  chmod => 90, fchmodat => 268, fchmodat2 => 452, chown => 92, utimensat => 280, setxattr => 188, truncate => 76,
  socket => 41, socketpair => 53, connect => 42, fcntl => 72, ioctl => 16, prlimit64 => 302, setpriority => 141,
  sched_setaffinity => 203, kill => 62, pidfd_open => 434, kcmp => 312, shmget => 29, mq_open => 240, add_key => 248,
  inotify_init1 => 294, unshare => 272, perf_event_open => 298, clone3 => 435, ptrace => 101,
);
$victim += 0;
my $here = -100;
my $path = "$key\0";
# Perl passes a string to a system call only if it is in a variable, because the call might change it.
my ($attribute, $letter, $queue, $type, $description) = ("user.a\0", "b", "sheaf$$\0", "user\0", "sheaf\0");
sub tried {
  my ($name, $act) = @_;
  $! = 0;
  my $result = $act->();
  print "$name: ", ($result >= 0 ? "done" : 0 + $!), "\n";
  return $result;
}
pipe(my $reader, my $writer) or die;
my $fd = fileno $reader;
for my $command ([F_SETOWN => 8, $victim], [F_SETSIG => 10, 9], [F_SETOWN_EX => 15, pack("l l", 1, $victim)]) {
  my ($name, $number, $value) = @$command;
  tried($name, sub { syscall($call{fcntl}, $fd, $number, $value) });
}
for my $request ([FIOSETOWN => 0x8901], [SIOCSPGRP => 0x8902]) {
  my ($name, $number) = @$request;
  tried($name, sub { syscall($call{ioctl}, $fd, $number, pack("l", $victim)) });
}
tried("kill", sub { syscall($call{kill}, $victim, 0) });
tried("ptrace", sub { syscall($call{ptrace}, 16, $victim, 0, 0) });
tried("pidfd_open", sub { syscall($call{pidfd_open}, $victim, 0) });
tried("kcmp", sub { syscall($call{kcmp}, $victim, $victim, 0, 0, 0) });
tried("chmod", sub { syscall($call{chmod}, $path, 0666) });
tried("fchmodat", sub { syscall($call{fchmodat}, $here, $path, 0666) });
tried("fchmodat2", sub { syscall($call{fchmodat2}, $here, $path, 0666, 0) });
tried("chown", sub { syscall($call{chown}, $path, $<, $( + 0) });
tried("utimensat", sub { syscall($call{utimensat}, $here, $path, 0, 0) });
tried("setxattr", sub { syscall($call{setxattr}, $path, $attribute, $letter, 1, 0) });
tried("truncate", sub { syscall($call{truncate}, $path, 0) });
tried("inotify_init1", sub { syscall($call{inotify_init1}, 0) });
my $limits = pack("Q Q", 64, 64);
my $processors = pack("Q", 1);
my $event = pack("L L x112", 1, 120);
tried("prlimit64", sub { syscall($call{prlimit64}, $victim, 7, $limits, 0) });
tried("setpriority", sub { syscall($call{setpriority}, 0, $victim, 19) });
tried("sched_setaffinity", sub { syscall($call{sched_setaffinity}, $victim, 8, $processors) });
tried("shmget", sub { syscall($call{shmget}, 0, 4096, 01600) });
tried("mq_open", sub { syscall($call{mq_open}, $queue, 0102, 0600, 0) });
tried("add_key", sub { syscall($call{add_key}, $type, $description, $letter, 1, -4) });
tried("unshare", sub { syscall($call{unshare}, 0x10000000) });
tried("perf_event_open", sub { syscall($call{perf_event_open}, $event, 0, -1, -1, 0) });
# The address of the socket, as a struct sockaddr_un.
my $address = pack("S a108", 1, $socket);
tried("socket", sub { syscall($call{socket}, 1, 2, 0) });
my $pair = pack("l l", 0, 0);
tried("datagram socketpair", sub { syscall($call{socketpair}, 1, 2, 0, $pair) });
my ($end) = unpack "l", $pair;
tried("connect", sub { syscall($call{connect}, $end, $address, length $address) });
my $word = "LEAKED";
syscall(1, $end, $word, 6) if $end > 0;
tried("clone3", sub { syscall($call{clone3}, 0, 0) });
# Sets O_ASYNC: when the pipe becomes ready, the kernel sends the signal that F_SETSIG has set to the process that
# F_SETOWN has set.
syscall($call{fcntl}, $fd, 4, 020000);
syswrite $writer, "x";
print "end: done\n";
