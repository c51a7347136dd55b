#include "instructions.h"

#include <linux/perf_event.h>
#include <math.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

int instructions_start(void)
{
  struct perf_event_attr what = {.type = PERF_TYPE_HARDWARE,
                                 .size = sizeof what,
                                 .config = PERF_COUNT_HW_INSTRUCTIONS,
                                 .exclude_kernel = 1,
                                 .exclude_hv = 1};
  return (int)syscall(SYS_perf_event_open, &what, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

double instructions_end(int counter)
{
  uint64_t n = 0;
  if (counter < 0) {
    return NAN;
  }
  ssize_t got = read(counter, &n, sizeof n);
  close(counter);
  return got == (ssize_t)sizeof n && n > 0 ? (double)n : NAN;
}
