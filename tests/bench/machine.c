#define _DEFAULT_SOURCE /* sysconf of caches */
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *bench_level_name(bench_level level) {
  static const char *const names[] = {"L2", "L3", "DRAM"};
  return names[level];
}

/* "model name : ..." of /proc/cpuinfo, or what stands there on other machines; with its family and
 * model, as virtual machines give many CPUs the same name. */
static void read_cpu(char *cpu, size_t size) {
  char line[256];
  int family = 0, model = 0;
  FILE *file = fopen("/proc/cpuinfo", "r");
  snprintf(cpu, size, "unknown CPU");
  while (file && fgets(line, sizeof line, file)) {
    const char *value = strchr(line, ':');
    if (!value)
      continue;
    if (strncmp(line, "cpu family", 10) == 0)
      family = atoi(value + 1);
    if (strncmp(line, "model\t", 6) == 0)
      model = atoi(value + 1);
    if (strncmp(line, "model name", 10) != 0)
      continue;
    snprintf(cpu, size, "%.*s, model %d-%d", (int)strcspn(value + 2, "\n"), value + 2, family,
             model);
    break;
  }
  if (file)
    fclose(file);
}

/* The number that a line of /sys begins with, and the letter after it; -1: there is none. */
static long first_number(int cpu, const char *file, char *unit) {
  char path[128];
  long number = -1;
  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cache/index3/%s", cpu, file);
  FILE *stream = fopen(path, "r");
  if (stream && fscanf(stream, "%ld%c", &number, unit) < 1)
    number = -1;
  if (stream)
    fclose(stream);
  return number;
}

/* Bytes of all last-level caches together: each is counted at the first CPU that shares it. */
static size_t all_last_levels(void) {
  size_t bytes = 0;
  for (int cpu = 0; cpu < 4096; ++cpu) {
    char unit = 0;
    if (first_number(cpu, "shared_cpu_list", &unit) != cpu)
      continue;
    const long size = first_number(cpu, "size", &unit);
    bytes += size > 0 ? (size_t)size << (unit == 'M' ? 20 : unit == 'K' ? 10 : 0) : 0;
  }
  return bytes;
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
  m.last_level = all_last_levels();
  if (m.last_level < m.cache[BENCH_L3])
    m.last_level = m.cache[BENCH_L3];
  /* 2.5 caches; never more than a sixteenth of memory; whole pages. */
  m.cold_bytes = m.last_level / 2 * 5;
  if (m.cold_bytes > m.cache[BENCH_DRAM] / 16)
    m.cold_bytes = m.cache[BENCH_DRAM] / 16;
  m.cold_bytes = m.cold_bytes / 4096 * 4096;
  return m;
}

bench_level bench_home(const bench_machine *machine, size_t bytes, size_t threads) {
  if (bytes <= machine->cache[BENCH_L2] / 4 * 3 * threads)
    return BENCH_L2;
  return bytes <= machine->cache[BENCH_L3] ? BENCH_L3 : BENCH_DRAM;
}
