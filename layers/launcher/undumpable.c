// A module of Node that makes its process undumpable: the kernel then shows the memory and the environment in /proc to no
// other process of the same user. Node has no call for it. The interface is Node-API's, which needs no headers for this.
#include <stdio.h>
#include <sys/prctl.h>

void *napi_register_module_v1(void *environment, void *exports) {
  (void)environment;
  if (prctl(PR_SET_DUMPABLE, 0) < 0) perror("PR_SET_DUMPABLE");
  return exports;
}
