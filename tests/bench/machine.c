#define _DEFAULT_SOURCE /* sysconf of caches */
#include "machine.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *bench_level_name(bench_level level) {
  static const char *const names[] = {"L2", "L3", "DRAM"};
  return names[level];
}

/* "model name : ..." of /proc/cpuinfo, or what stands there on other machines. */
static void read_cpu(char *cpu, size_t size) {
  char line[256];
  FILE *file = fopen("/proc/cpuinfo", "r");
  snprintf(cpu, size, "unknown CPU");
  while (file && fgets(line, sizeof line, file)) {
    const char *value = strchr(line, ':');
    if (!value || strncmp(line, "model name", 10) != 0)
      continue;
    snprintf(cpu, size, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
    break;
  }
  if (file)
    fclose(file);
}

static size_t configured(int name, size_t otherwise) {
  const long value = sysconf(name);
  return value > 0 ? (size_t)value : otherwise;
}

bench_machine bench_machine_read(void) {
  bench_machine m;
  const size_t page = configured(_SC_PAGESIZE, 4096);
  read_cpu(m.cpu, sizeof m.cpu);
  m.cores = configured(_SC_NPROCESSORS_ONLN, 1);
  m.cache[BENCH_L2] = configured(_SC_LEVEL2_CACHE_SIZE, (size_t)1 << 20);
  m.cache[BENCH_L3] = configured(_SC_LEVEL3_CACHE_SIZE, 4 * m.cores * m.cache[BENCH_L2]);
  m.cache[BENCH_DRAM] = configured(_SC_PHYS_PAGES, 1 << 20) * page;
  /* What was read lies 2.5 caches back; never more than a sixteenth of memory, as every peer keeps
   * its own. */
  m.cold_bytes = m.cache[BENCH_L3] / 2 * 5;
  if (m.cold_bytes > m.cache[BENCH_DRAM] / 16)
    m.cold_bytes = m.cache[BENCH_DRAM] / 16;
  return m;
}

bench_level bench_home(const bench_machine *machine, size_t bytes, size_t threads) {
  if (bytes <= machine->cache[BENCH_L2] / 4 * 3 * threads)
    return BENCH_L2;
  return bytes <= machine->cache[BENCH_L3] ? BENCH_L3 : BENCH_DRAM;
}
