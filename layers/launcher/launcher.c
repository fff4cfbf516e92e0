// Starts a program that reads hostile files, with the least that it needs: no new privileges, no capabilities, a filter
// of system calls (seccomp), and files and ports of its own (Landlock). A layer that this kernel lacks is left out.
//   launcher                   prints the layers that this kernel has, one a line
//   launcher -f BYTES [-r PATH] [-w PATH] [-p PORT] PROGRAM [ARGUMENT]
//       -f  size that a file may reach    -r  may be read and run    -w  may be read and written
//       -p  TCP port to connect to. Without it there is no `socket`; before Landlock's ABI 4, it opens all ports.
// Descriptor 3 is a pipe whose only writer is the caller: once that closes, the process group is killed.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void check(long result, const char *what) { if (result < 0) perror(what), exit(126); }

// Seccomp: a program that reads the number of a call, and of some calls one argument.
static struct sock_filter filter[200];
static unsigned short length;
static void add(unsigned short code, uint32_t operand, unsigned char skipIf, unsigned char skipElse) {
  filter[length++] = (struct sock_filter){code, skipIf, skipElse, operand};
}
static void load(uint32_t offset) { add(BPF_LD | BPF_W | BPF_ABS, offset, 0, 0); }
static void answer(uint32_t action) { add(BPF_RET | BPF_K, action, 0, 0); }
static void deny(uint32_t first, uint32_t last, int error) {
  add(BPF_JMP | BPF_JGE | BPF_K, first, 0, 2), add(BPF_JMP | BPF_JGT | BPF_K, last, 1, 0);
  answer(SECCOMP_RET_ERRNO | error);
}
// Denies a call unless the masked argument has this value. The half of 32 bits that is read holds all of it.
static void allowOnly(uint32_t call, int argument, uint32_t mask, uint32_t value) {
  add(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 5);
  load(__builtin_offsetof(struct seccomp_data, args) + 8 * argument);
  add(BPF_ALU | BPF_AND | BPF_K, mask, 0, 0);
  add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
  answer(SECCOMP_RET_ERRNO | EPERM);
  load(__builtin_offsetof(struct seccomp_data, nr));
}
// From 424 on, a call has one number on every architecture: pidfd_send_signal, io_uring, the new calls of mount, and
// pidfd_open; pidfd_getfd; process_madvise; mount_setattr. A session or a signal would reach past the process group.
static const struct { uint32_t first, last; } denied[] = {{424, 434}, {438, 438}, {440, 440}, {442, 442},
#define CALL(name) {__NR_##name, __NR_##name}
    CALL(ptrace), CALL(process_vm_readv), CALL(process_vm_writev), CALL(mount), CALL(umount2), CALL(pivot_root),
    CALL(chroot), CALL(unshare), CALL(setns), CALL(bpf), CALL(perf_event_open), CALL(userfaultfd), CALL(add_key),
    CALL(request_key), CALL(keyctl), CALL(setsid), CALL(setpgid), CALL(tkill), CALL(rt_sigqueueinfo),
    CALL(rt_tgsigqueueinfo), CALL(bind), CALL(listen), CALL(sendmsg), CALL(sendmmsg), {0, 0}};
static void filterCalls(int connects) {
  load(__builtin_offsetof(struct seccomp_data, arch));
  add(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
  answer(SECCOMP_RET_KILL_PROCESS);
  load(__builtin_offsetof(struct seccomp_data, nr));
  for (int i = 0; denied[i].last; i++) deny(denied[i].first, denied[i].last, EPERM);
  deny(435, 435, ENOSYS);  // clone3, whose flags no filter can read: the C library then uses clone.
  deny(463, UINT32_MAX, ENOSYS);  // Calls that are newer than this list, and those of x32.
  if (!connects) deny(__NR_socket, __NR_socket, EPERM);
  uint32_t namespaces = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
  allowOnly(__NR_clone, 0, namespaces | CLONE_NEWCGROUP, 0);
  allowOnly(__NR_kill, 0, UINT32_MAX, getpid());
  allowOnly(__NR_tgkill, 0, UINT32_MAX, getpid());
  allowOnly(__NR_prlimit64, 0, UINT32_MAX, 0);
  // Landlock sees neither TCP Fast Open nor Multipath TCP.
  allowOnly(__NR_sendto, 3, MSG_FASTOPEN, 0);
  allowOnly(__NR_socket, 0, UINT32_MAX, AF_INET);
  allowOnly(__NR_socket, 1, ~(SOCK_CLOEXEC | SOCK_NONBLOCK), SOCK_STREAM);
  allowOnly(__NR_socket, 2, ~IPPROTO_TCP, 0);
  answer(SECCOMP_RET_ALLOW);
  struct sock_fprog program = {length, filter};
  // Without this flag, kernels before 5.16 slow the program down against speculation within itself.
  if (syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) < 0 && errno != ENOSYS)
    check(-1, "seccomp");
}

// Landlock, as in linux/landlock.h of Linux 6.12: older headers lack some.
enum { createRuleset = 444, addRule, restrictSelf, pathRule = 1, portRule = 2, bindPort = 1, connectPort = 2 };
static struct { uint64_t files, ports, scopes; } handled;
static const uint64_t executes = 1, reads = 1 | 4 | 8, ofFiles = 1 | 2 | 4 | 1 << 14 | 1 << 15;
// The C library, what encoders ask of the processors, the programs of the image, and the shell of one that is a script.
static const char *const ofSystem[] = {"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache", "/opt",
    "/bin/sh", "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system", "/dev/urandom", "/dev/zero", NULL};

static void allowPath(int rules, const char *path, uint64_t access) {
  struct landlock_path_beneath_attr rule = {.parent_fd = open(path, O_PATH | O_CLOEXEC)};
  struct stat found;
  if (rule.parent_fd < 0 || fstat(rule.parent_fd, &found) < 0) return;
  rule.allowed_access = handled.files & access & (S_ISDIR(found.st_mode) ? ~0ULL : ofFiles);
  check(syscall(addRule, rules, pathRule, &rule, 0), path);
}
static long landlockAbi(void) { return syscall(createRuleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION); }
static int createRules(void) {
  long abi = landlockAbi();
  if (abi < 1) return -1;
  handled.files = (1 << (abi >= 5 ? 16 : abi >= 3 ? 15 : abi == 2 ? 14 : 13)) - 1;
  handled.ports = abi >= 4 ? bindPort | connectPort : 0;
  handled.scopes = abi >= 6 ? 3 : 0;  // Abstract sockets and signals.
  int rules = syscall(createRuleset, &handled, sizeof handled, 0);
  check(rules, "landlock_create_ruleset");
  for (int i = 0; ofSystem[i]; i++) allowPath(rules, ofSystem[i], reads);
  allowPath(rules, "/dev/null", ~executes);
  return rules;
}
static void killGroupWithCaller(void) {
  // Nothing restricts the other process: the program must not write its memory. It is dumpable itself, as it starts.
  prctl(PR_SET_DUMPABLE, 0);
  if (fork() == 0) {
    close(STDOUT_FILENO), close(STDERR_FILENO);
    for (char byte; read(3, &byte, 1) > 0;) continue;
    kill(0, SIGKILL);
  }
  close(3);
}

int main(int argc, char **argv) {
  if (argc == 1) {
    puts("no_new_privs");
    if (syscall(__NR_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &(uint32_t){SECCOMP_RET_ERRNO}) == 0) puts("seccomp");
    if (landlockAbi() > 0) printf("landlock %ld\n", landlockAbi());
    return 0;
  }
  int rules = createRules(), connects = 0, option;
  while ((option = getopt(argc, argv, "+f:r:w:p:")) != -1) {
    if (option == '?') return 126;
    uint64_t number = strtoull(optarg, NULL, 10), port[] = {connectPort, number};
    if (option == 'f') check(setrlimit(RLIMIT_FSIZE, &(struct rlimit){number, number}), optarg);
    if (option == 'r' && rules >= 0) allowPath(rules, optarg, reads);
    if (option == 'w' && rules >= 0) allowPath(rules, optarg, ~executes);
    if (option == 'p') connects = 1;
    if (option == 'p' && handled.ports) check(syscall(addRule, rules, portRule, port, 0), optarg);
  }
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  killGroupWithCaller();
  check(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs");
  struct __user_cap_data_struct none[2] = {{0}};
  check(syscall(__NR_capset, &(struct __user_cap_header_struct){_LINUX_CAPABILITY_VERSION_3, 0}, none), "capset");
  if (rules >= 0) check(syscall(restrictSelf, rules, 0), "landlock_restrict_self");
  filterCalls(connects);
  return execv(argv[optind], argv + optind), perror(argv[optind]), 127;
}
