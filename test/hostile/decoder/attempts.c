// Stands in ffmpeg's place and tries what code in a broken decoder could try. Prints a line for each attempt: its name, and
// `reached` or the error that stopped it. Compiled with BESIDE, the folder of another job, and OTHER_PORT, of a server that
// is not its range proxy.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t parent;
static char path[PATH_MAX], memory[64];
static struct iovec vector = {memory, sizeof memory};

static const char *of(pid_t pid, const char *file) {
  snprintf(path, sizeof path, "/proc/%d/%s", pid, file);
  return path;
}
static long reads(const char *file) {
  int opened = open(file, O_RDONLY);
  return opened < 0 ? -1 : read(opened, memory, sizeof memory) > 0 ? 0 : -1;
}
static long lists(const char *folder) { return opendir(folder) ? 0 : -1; }
static long links(const char *file) { return readlink(file, memory, sizeof memory) < 0 ? -1 : 0; }
static long creates(const char *file) { return open(file, O_WRONLY | O_CREAT | O_TRUNC, 0700) < 0 ? -1 : 0; }
static long connects(int family, int type, int protocol, int port) {
  int opened = socket(family, type, protocol);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  return opened < 0 || port == 0 ? opened : connect(opened, (struct sockaddr *)&address, sizeof address);
}
static long listens(void) {
  int opened = socket(AF_INET, SOCK_STREAM, 0);
  return opened < 0 ? -1 : listen(opened, 1);
}
static long opensFast(int port) {
  int opened = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  return opened < 0 ? -1 : sendto(opened, "x", 1, MSG_FASTOPEN, (struct sockaddr *)&address, sizeof address);
}
// The processes of this group besides this one: what started it, and what ends it.
static long siblings(const char *file, int flags) {
  DIR *all = opendir("/proc");
  if (!all) return -1;
  for (struct dirent *each; (each = readdir(all));) {
    pid_t pid = atoi(each->d_name);
    if (pid > 0 && pid != getpid() && getpgid(pid) == getpgrp() && open(of(pid, file), flags) >= 0) return 0;
  }
  return errno = EACCES, -1;
}
static long ends(long child) {
  int status = 0;
  if (child < 0) return -1;
  waitpid(child, &status, 0);
  return errno = EPERM, WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}
static long runs(const char *program) {
  pid_t child = fork();
  if (child == 0) execl(program, program, NULL), _exit(1);
  return ends(child);
}
static long writesAndRuns(const char *file) {
  int opened = open(file, O_WRONLY | O_CREAT, 0700);
  if (dprintf(opened, "#!/bin/sh\nexit 0\n") < 0) return -1;
  close(opened);
  return runs(file);
}
static long leaves(long (*attempt)(void)) {
  pid_t child = fork();
  if (child == 0) _exit(attempt() < 0);
  return ends(child);
}
static long startsSession(void) { return setsid(); }
static long startsGroup(void) { return setpgid(0, 0); }
static long startsUser(void) { return unshare(CLONE_NEWUSER); }
static long clonesUser(void) {
  long child = syscall(__NR_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  return ends(child);
}
static long hasVariables(void) {
  for (char **each = environ; *each; each++) if (strstr(*each, "AWS_")) return 0;
  return errno = ENOENT, -1;
}
static long hasCapabilities(void) {
  struct { unsigned version; int pid; } header = {0x20080522, 0};
  unsigned sets[6] = {0};
  syscall(__NR_capget, &header, sets);
  return errno = EPERM, sets[0] | sets[1] | sets[3] | sets[4] ? 0 : -1;
}

#define TRY(name, attempt) \
  errno = 0, fprintf(stderr, "%s: %s\n", name, (attempt) >= 0 ? "reached" : strerror(errno))

int main(int count, char **arguments) {
  if (count > 2 && strcmp(arguments[2], "-version") == 0) return puts("ffmpeg version 7.1"), 0;
  parent = getppid();
  TRY("its environment has credentials", hasVariables());
  TRY("it has capabilities", hasCapabilities());
  TRY("environment of the worker", reads(of(parent, "environ")));
  TRY("memory of the worker, to read", open(of(parent, "mem"), O_RDONLY));
  TRY("memory of the worker, to write", open(of(parent, "mem"), O_RDWR));
  TRY("map of the worker's memory", reads(of(parent, "maps")));
  TRY("auxiliary vector of the worker", reads(of(parent, "auxv")));
  TRY("descriptors of the worker", links(of(parent, "fd/0")));
  TRY("folder of the worker", links(of(parent, "cwd")));
  TRY("root of the worker", lists(of(parent, "root")));
  TRY("program of the worker", links(of(parent, "exe")));
  TRY("process_vm_readv", process_vm_readv(parent, &vector, 1, &vector, 1, 0));
  TRY("process_vm_writev", process_vm_writev(parent, &vector, 1, &vector, 1, 0));
  TRY("ptrace, attach", ptrace(PTRACE_ATTACH, parent, 0, 0));
  TRY("ptrace, seize", ptrace(PTRACE_SEIZE, parent, 0, 0));
  TRY("pidfd_open", syscall(434, parent, 0));
  TRY("kcmp", syscall(__NR_kcmp, parent, getpid(), 0, 0, 0));
  TRY("signal that opens the debugger of Node", kill(parent, SIGUSR1));
  TRY("signal to a thread of the worker", syscall(__NR_tgkill, parent, parent, SIGUSR1));
  TRY("queued signal", syscall(__NR_rt_sigqueueinfo, parent, SIGUSR1, &(siginfo_t){.si_code = SI_QUEUE}));
  TRY("limits of the worker", prlimit(parent, RLIMIT_NOFILE, &(struct rlimit){0, 0}, NULL));
  TRY("memory of the process that ends it", siblings("mem", O_RDWR));
  TRY("a session of its own", leaves(startsSession));
  TRY("a group of its own", leaves(startsGroup));
  TRY("socket, TCP", connects(AF_INET, SOCK_STREAM, 0, OTHER_PORT));
  TRY("socket, UDP", connects(AF_INET, SOCK_DGRAM, 0, OTHER_PORT));
  TRY("socket, IPv6", connects(AF_INET6, SOCK_STREAM, 0, 0));
  TRY("socket, Unix", connects(AF_UNIX, SOCK_STREAM, 0, 0));
  TRY("socket, Netlink", connects(AF_NETLINK, SOCK_RAW, 0, 0));
  TRY("socket, raw", connects(AF_INET, SOCK_RAW, IPPROTO_ICMP, 0));
  TRY("socket, Multipath TCP", connects(AF_INET, SOCK_STREAM, 262, 0));
  TRY("socket, that listens", listens());
  TRY("TCP Fast Open", opensFast(OTHER_PORT));
  TRY("io_uring", syscall(425, 1, &(char[120]){0}));
  TRY("mount", mount("none", "/tmp", "tmpfs", 0, NULL));
  TRY("user namespace, unshare", leaves(startsUser));
  TRY("user namespace, clone", clonesUser());
  TRY("bpf", syscall(__NR_bpf, 0, &(char[120]){0}, 120));
  TRY("keys of the kernel", syscall(__NR_keyctl, 0, -3, 0));
  TRY("a file beside its job, to read", reads(BESIDE "/input-1"));
  TRY("a file beside its job, to write", creates(BESIDE "/written"));
  TRY("the folder beside its job", lists(BESIDE));
  TRY("users of the system", reads("/etc/passwd"));
  TRY("processes of the system", lists("/proc"));
  TRY("a program beside its job", runs("/usr/bin/true"));
  TRY("a program that it wrote", writesAndRuns("./written"));
  return 1;
}
