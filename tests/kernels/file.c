/* Packed weights in a file: what ffn-pack writes is found, and what is no such file is refused
 * before anything of it is read. */
#define _POSIX_C_SOURCE 200809L
#include "ffn_file.h"
#include "ffn_moe.h"
#include "support/each.h"
#include "support/forged_head.h"
#include "support/guard.h"
#include "support/resident.h"
#include "xxh64.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LAYERS = 3, STEP = FFN_FILE_STEP, WORDS = 256 };

/* A file of three layers in memory, and their kernels. */
typedef struct image {
  char *memory;
  size_t bytes;
  const ffn_kernel *kernels[LAYERS];
  test_model models[LAYERS];
} image;

static ffn_file_header *header_of(const image *i) { return test_header_of(i->memory); }

static ffn_file_entry *entry_of(const image *i, size_t entry) {
  return (ffn_file_entry *)(void *)(i->memory + sizeof(ffn_file_header)) + entry;
}

static void seal(const image *i) { test_seal(i->memory); }

/* The first kernels whose packed weights are small, each of another layer: all of them in what a
 * system maps around a page that is read. */
static void choose(image *to) {
  size_t count = 0;
  for (const ffn_kernel *const *k = ffn_all(NULL); *k && count < LAYERS; k++) {
    int taken = (*k)->packed_bytes > 20000;
    for (size_t i = 0; i < count; i++)
      taken |= strcmp(to->kernels[i]->packed, (*k)->packed) == 0;
    if (!taken)
      to->kernels[count++] = *k;
  }
  cr_assert(count == LAYERS);
}

/* Layers 2, 5 part 0 and 5 part 1. */
static image *image_open(void) {
  static const uint32_t layers[LAYERS] = {2, 5, 5}, parts[LAYERS] = {0, 0, 1};
  image *to = test_memory(sizeof *to);
  uint64_t place[LAYERS];
  size_t words = sizeof(ffn_file_header) + LAYERS * sizeof(ffn_file_entry), at = words;
  choose(to);
  to->bytes = words + LAYERS * WORDS;
  for (size_t i = 0; i < LAYERS; i++) {
    place[i] = (to->bytes + STEP - 1) / STEP * STEP;
    to->bytes = place[i] + to->kernels[i]->packed_bytes;
  }
  to->memory = ffn_alloc(to->bytes);
  memset(to->memory, 0, to->bytes);
  for (size_t i = 0; i < LAYERS; i++) {
    char name[64];
    const ffn_kernel *kernel = to->kernels[i];
    test_model_open(&to->models[i], kernel, TEST_REALS, 7 + i);
    test_model_pack(&to->models[i]);
    memcpy(to->memory + place[i], to->models[i].packed, kernel->packed_bytes);
    ffn_xxh64 state = ffn_xxh64_begin();
    ffn_xxh64_take(&state, to->memory + place[i] + 64, kernel->packed_bytes - 64);
    ffn_xxh64_take(&state, to->memory + place[i], 64);
    snprintf(name, sizeof name, "layers.%u.part.%u", (unsigned)layers[i], (unsigned)parts[i]);
    ffn_file_entry *entry = entry_of(to, i);
    entry->at = place[i], entry->bytes = kernel->packed_bytes;
    entry->checksum = ffn_xxh64_end(&state);
    entry->layer = layers[i], entry->part = parts[i];
    entry->name_at = test_word_of(to->memory, &at, name);
    entry->packed_at = test_word_of(to->memory, &at, kernel->packed);
    char formats[WORDS / 2] = "f32";
    for (size_t s = 1; s < kernel->stage_count; s++)
      strcat(formats, " f32");
    entry->formats_at = test_word_of(to->memory, &at, formats);
    memcpy(&entry->packed, to->memory + place[i] + 8, sizeof entry->packed);
    entry->inputs = kernel->inputs, entry->hidden = kernel->hidden;
    entry->outputs = kernel->outputs, entry->stages = (uint32_t)kernel->stage_count;
  }
  const ffn_file_header header = {{'F', 'F', 'N', 'M', 'O', 'D', 'E', 'L'},
                                  FFN_FILE_ORDER,
                                  FFN_FILE_VERSION,
                                  FFN_LAYOUT,
                                  LAYERS,
                                  to->bytes,
                                  at,
                                  0,
                                  0,
                                  0};
  memcpy(to->memory, &header, sizeof header);
  seal(to);
  return to;
}

static void image_close(image *i) {
  for (size_t l = 0; l < LAYERS; l++)
    test_model_close(&i->models[l]);
  ffn_free(i->memory);
  free(i);
}

/* Says what is wrong with an image, and that nothing is open then. */
static ffn_file_status status_of(const image *i) {
  ffn_file file = {i, 1, 1, 1, 1};
  const ffn_file_status status = ffn_file_in(&file, i->memory, i->bytes);
  if (status)
    cr_assert(!file.memory && file.bytes == 0 && file.layers == 0 && !file.mapped);
  return status;
}

Test(file, hash_of_published_vectors) {
  /* Of xxHash's own check: bytes of a generator, lengths around a stripe. */
  static const struct {
    size_t bytes;
    uint64_t hash;
  } known[] = {{0, UINT64_C(0xef46db3751d8e999)},
               {1, UINT64_C(0xe934a84adb052768)},
               {4, UINT64_C(0x9136a0dca57457ee)},
               {14, UINT64_C(0x8282dcc4994e35c8)},
               {222, UINT64_C(0xb641ae8cb691c174)}};
  unsigned char bytes[222];
  uint64_t generator = UINT64_C(2654435761);
  for (size_t i = 0; i < sizeof bytes; i++) {
    bytes[i] = (unsigned char)(generator >> 56);
    generator *= UINT64_C(11400714785074694797);
  }
  for (size_t v = 0; v < sizeof known / sizeof *known; v++)
    for (size_t step = 1; step <= 40; step++) {
      ffn_xxh64 state = ffn_xxh64_begin();
      for (size_t at = 0; at < known[v].bytes; at += step)
        ffn_xxh64_take(&state, bytes + at, known[v].bytes - at < step ? known[v].bytes - at : step);
      cr_assert(ffn_xxh64_end(&state) == known[v].hash, "%zu bytes, %zu at a time", known[v].bytes,
                step);
    }
}

Test(file, layers) {
  image *i = image_open();
  ffn_file file;
  cr_assert(ffn_file_in(&file, i->memory, i->bytes) == FFN_FILE_OK && file.layers == LAYERS);
  cr_assert(ffn_file_find(&file, 2, 0) == 0 && ffn_file_find(&file, 5, 0) == 1);
  cr_assert(ffn_file_find(&file, 5, 1) == 2 && ffn_file_find(&file, 5, 2) == LAYERS);
  cr_assert(ffn_file_find(&file, 0, 0) == LAYERS && ffn_file_find(&file, 2, 1) == LAYERS);
  cr_assert(ffn_file_find(&file, 9, 0) == LAYERS && ffn_file_find(NULL, 2, 0) == 0);
  cr_assert(ffn_file_named(&file, "layers.5.part.1") == 2);
  cr_assert(ffn_file_named(&file, "layers.5.part.") == LAYERS);
  for (size_t l = 0; l < LAYERS; l++) {
    const void *packed = i;
    cr_assert(ffn_file_packed(&file, l, i->kernels[l], &packed) == FFN_FILE_OK);
    cr_assert(packed == i->memory + entry_of(i, l)->at);
    cr_assert(ffn_file_check(&file, l) == FFN_FILE_OK);
    cr_assert(strcmp(ffn_file_kernel(&file, l), i->kernels[l]->packed) == 0);
    cr_assert(strncmp(ffn_file_formats(&file, l), "f32", 3) == 0);
    const ffn_kernel *other = i->kernels[(l + 1) % LAYERS];
    cr_assert(ffn_file_packed(&file, l, other, &packed) == FFN_FILE_OTHER_KERNEL && !packed);
    cr_assert(ffn_file_packed(&file, l, NULL, &packed) == FFN_FILE_OTHER_KERNEL && !packed);
  }
  const void *packed = i;
  cr_assert(ffn_file_packed(&file, LAYERS, i->kernels[0], &packed) == FFN_FILE_NO_LAYER && !packed);
  cr_assert(ffn_file_check(&file, LAYERS) == FFN_FILE_NO_LAYER);
  cr_assert(*ffn_file_name(&file, LAYERS) == 0 && !ffn_file_entry_of(&file, LAYERS));
  ffn_file_close(&file);
  cr_assert(!file.memory && file.layers == 0);
  ffn_file_close(&file), ffn_file_close(NULL);
  image_close(i);
}

/* The number of its plan is the last word, behind all that entries name. */
Test(file, plan) {
  static const char *const words[] = {"plan 0123456789abcdef",  "plan 0123456789abcde",
                                      "plan 0123456789abcdef0", "blan 0123456789abcdef",
                                      "plan 0123456789abcdeF",  NULL};
  image *i = image_open();
  ffn_file file = {NULL, 0, 0, 0, 0};
  const uint64_t before = header_of(i)->head_bytes;
  cr_assert(*ffn_file_plan(&file) == 0 && *ffn_file_plan(NULL) == 0);
  cr_assert(ffn_file_in(&file, i->memory, i->bytes) == FFN_FILE_OK && *ffn_file_plan(&file) == 0);
  for (size_t w = 0; words[w]; w++) {
    size_t at = before;
    test_word_of(i->memory, &at, words[w]);
    header_of(i)->head_bytes = at;
    seal(i);
    cr_assert(ffn_file_in(&file, i->memory, i->bytes) == FFN_FILE_OK && file.layers == LAYERS);
    cr_assert(strcmp(ffn_file_plan(&file), w == 0 ? "0123456789abcdef" : "") == 0);
  }
  /* What only ends so is the end of another word. */
  size_t at = before;
  test_word_of(i->memory, &at, "a plan 0123456789abcdef");
  header_of(i)->head_bytes = at;
  seal(i);
  cr_assert(ffn_file_in(&file, i->memory, i->bytes) == FFN_FILE_OK && *ffn_file_plan(&file) == 0);
  image_close(i);
}

/* A mixture of one expert, a shared one and a router: each pointer is its entry's. */
Test(file, mixture) {
  static const uint32_t named[LAYERS] = {0, FFN_PART_SHARED, FFN_PART_ROUTER};
  image *i = image_open();
  ffn_file file;
  const void *experts[2] = {NULL, NULL};
  ffn_moe moe = {.shared = FFN_MOE_SHARED, .rule = {.experts = 1}};
  ffn_moe_parts parts = {.expert_kernel = i->kernels[0],
                         .shared_kernel = i->kernels[1],
                         .router_kernel = i->kernels[2]};
  for (size_t e = 0; e < LAYERS; e++)
    entry_of(i, e)->layer = 5, entry_of(i, e)->part = named[e];
  seal(i);
  cr_assert(ffn_file_in(&file, i->memory, i->bytes) == FFN_FILE_OK);
  cr_assert(ffn_moe_open(&moe, &file, 5, &parts, experts) == FFN_FILE_OK);
  cr_assert(parts.experts == experts && experts[0] == i->memory + entry_of(i, 0)->at);
  cr_assert(parts.shared == i->memory + entry_of(i, 1)->at);
  cr_assert(parts.router == i->memory + entry_of(i, 2)->at);
  /* A layer that is not there, an expert too many, and a kernel of another layer. */
  cr_assert(ffn_moe_open(&moe, &file, 4, &parts, experts) != FFN_FILE_OK);
  moe.rule.experts = 2;
  cr_assert(ffn_moe_open(&moe, &file, 5, &parts, experts) != FFN_FILE_OK);
  moe.rule.experts = 1, parts.shared_kernel = i->kernels[0];
  cr_assert(ffn_moe_open(&moe, &file, 5, &parts, experts) == FFN_FILE_OTHER_KERNEL);
  /* No shared expert is looked for where the layer has none. */
  moe.shared = FFN_MOE_NONE_SHARED, parts.shared = NULL;
  cr_assert(ffn_moe_open(&moe, &file, 5, &parts, experts) == FFN_FILE_OK && !parts.shared);
  /* A look at the router's weights, and none at those of experts. */
  i->memory[entry_of(i, 0)->at + 8] ^= 1;
  cr_assert(ffn_moe_open(&moe, &file, 5, &parts, experts) == FFN_FILE_OK);
  i->memory[entry_of(i, 2)->at + 8] ^= 1;
  cr_assert(ffn_moe_open(&moe, &file, 5, &parts, experts) == FFN_FILE_CORRUPTED);
  ffn_file_close(&file);
  image_close(i);
}

/* A kernel of the same name and other bytes: of another version, say. */
Test(file, kernel_of_other_bytes) {
  image *i = image_open();
  ffn_file file;
  const void *packed;
  ffn_kernel other = *i->kernels[0];
  cr_assert(ffn_file_in(&file, i->memory, i->bytes) == FFN_FILE_OK);
  other.packed_bytes += FFN_ALIGNMENT;
  cr_assert(ffn_file_packed(&file, 0, &other, &packed) == FFN_FILE_OTHER_KERNEL && !packed);
  i->memory[entry_of(i, 0)->at + 8] ^= 1; /* the hash that its packed weights begin with */
  cr_assert(ffn_file_packed(&file, 0, i->kernels[0], &packed) == FFN_FILE_CORRUPTED && !packed);
  image_close(i);
}

Test(file, every_bit) {
  image *i = image_open();
  ffn_file file;
  const size_t head = (size_t)header_of(i)->head_bytes;
  for (size_t bit = 0; bit < 8 * head; bit++) {
    i->memory[bit / 8] ^= (char)(1 << bit % 8);
    cr_assert(status_of(i) != FFN_FILE_OK, "bit %zu", bit);
    i->memory[bit / 8] ^= (char)(1 << bit % 8);
  }
  cr_assert(ffn_file_in(&file, i->memory, i->bytes) == FFN_FILE_OK);
  const ffn_file_entry *last = entry_of(i, LAYERS - 1);
  for (size_t byte = 0; byte < last->bytes; byte += byte < 128 ? 1 : 61) {
    i->memory[last->at + byte] ^= 16;
    cr_assert(ffn_file_check(&file, LAYERS - 1) == FFN_FILE_CORRUPTED, "byte %zu", byte);
    i->memory[last->at + byte] ^= 16;
  }
  image_close(i);
}

Test(file, cut_short) {
  image *i = image_open();
  for (size_t bytes = 0; bytes < i->bytes; bytes += bytes < 4096 ? 1 : 997) {
    ffn_file file;
    const test_guard guard =
        test_guard_copy(i->memory, bytes ? bytes : 1, 1, bytes % 64 ? TEST_AT_START : TEST_AT_END);
    const ffn_file_status status = ffn_file_in(&file, guard.memory, bytes);
    cr_assert(status == (bytes == 0 ? FFN_FILE_FOREIGN : FFN_FILE_TRUNCATED) ||
                  (status == FFN_FILE_UNALIGNED && bytes >= sizeof(ffn_file_header)),
              "%zu bytes: %s", bytes, ffn_file_status_text(status));
    test_guard_close(&guard);
  }
  image_close(i);
}

Test(file, foreign) {
  image *i = image_open();
  ffn_file_header *header = header_of(i);
  const ffn_file_header right = *header;
  ffn_file file;
  header->order = 0x04030201;
  cr_assert(status_of(i) == FFN_FILE_OTHER_ORDER);
  *header = right, header->version = FFN_FILE_VERSION + 1;
  cr_assert(status_of(i) == FFN_FILE_OTHER_VERSION);
  *header = right, header->layout++;
  cr_assert(status_of(i) == FFN_FILE_OTHER_LAYOUT);
  *header = right, header->magic[3] = 'P';
  cr_assert(status_of(i) == FFN_FILE_FOREIGN);
  *header = right;
  cr_assert(status_of(i) == FFN_FILE_OK);
  cr_assert(ffn_file_in(&file, NULL, 0) == FFN_FILE_FOREIGN);
  cr_assert(ffn_file_in(&file, "FFNM", 4) == FFN_FILE_TRUNCATED);
  cr_assert(ffn_file_in(&file, "FFNP", 4) == FFN_FILE_FOREIGN);
  char *off = ffn_alloc(i->bytes + 64);
  memcpy(off + 8, i->memory, i->bytes);
  cr_assert(ffn_file_in(&file, off + 8, i->bytes) == FFN_FILE_UNALIGNED);
  ffn_free(off);
  image_close(i);
}

/* Heads whose checksum is right and whose numbers are not. */
Test(file, forged) {
  image *i = image_open();
  const size_t head = (size_t)header_of(i)->head_bytes;
  char *right = test_memory(head);
  memcpy(right, i->memory, head);
  for (int forgery = 0; forgery < 28; forgery++) {
    ffn_file_header *header = header_of(i);
    ffn_file_entry *first = entry_of(i, 0), *last = entry_of(i, LAYERS - 1);
    memcpy(i->memory, right, head);
    int sealed = 1;
    switch (forgery) {
    case 0:
      last->at += 64;
      break;
    case 1:
      last->at += STEP;
      break;
    case 2:
      last->at = UINT64_MAX / STEP * STEP;
      break;
    case 3:
      last->at = first->at;
      break;
    case 4:
      first->at = 0;
      break;
    case 5:
      last->bytes += 64;
      break;
    case 6:
      last->bytes = 0;
      break;
    case 7:
      last->bytes = UINT64_MAX - 63;
      break;
    case 8:
      last->bytes -= 1;
      break;
    case 9:
      first->bytes += STEP;
      break;
    case 10:
      last->name_at = (uint32_t)head;
      break;
    case 11:
      last->packed_at = UINT32_MAX;
      break;
    case 12:
      last->formats_at = sizeof *header;
      break;
    case 13:
      last->part = 0;
      break;
    case 14:
      first->layer = 6;
      break;
    case 15:
      header->layers = 0;
      header->head_bytes = sizeof *header, sealed = 0;
      break;
    case 16:
      header->layers = UINT32_MAX, sealed = 0;
      break;
    case 17:
      header->head_bytes = i->bytes + 1, sealed = 0;
      break;
    case 18:
      header->head_bytes = UINT64_MAX, sealed = 0;
      break;
    case 19:
      header->head_bytes = 0, sealed = 0;
      break;
    case 20:
      header->bytes -= 64;
      break;
    case 21:
      header->zero = 1;
      break;
    case 22:
      last->zeros[0] = 1;
      break;
    case 23:
      last->stages++;
      break;
    case 24:
      first->stages = 0;
      break;
    case 25:
      first->formats_at = first->name_at; /* a word more or less than there are stages */
      first->stages = 7;
      break;
    case 26:
      header->rows = UINT64_MAX;
      break;
    default:
      i->memory[head - 1] = 'x';
      break;
    }
    if (sealed)
      seal(i);
    cr_assert(status_of(i) == FFN_FILE_CORRUPTED, "forgery %d", forgery);
  }
  memcpy(i->memory, right, head);
  cr_assert(status_of(i) == FFN_FILE_OK);
  free(right);
  image_close(i);
}

/* Entries that say other things than the weights and the kernel. */
Test(file, contradicted) {
  image *i = image_open();
  ffn_file_entry *entry = entry_of(i, 0);
  const ffn_file_entry right = *entry;
  uint64_t *const fields[] = {&entry->packed, &entry->inputs, &entry->hidden, &entry->outputs};
  for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
    for (int way = 0; way < 3; way++) {
      ffn_file file;
      const void *packed = i;
      *fields[f] = way == 0 ? *fields[f] + 1 : way == 1 ? *fields[f] ^ (UINT64_C(1) << 40) : 99991;
      seal(i);
      cr_assert(ffn_file_in(&file, i->memory, i->bytes) == FFN_FILE_OK);
      cr_assert(ffn_file_packed(&file, 0, i->kernels[0], &packed) == FFN_FILE_CORRUPTED && !packed,
                "field %zu, way %d", f, way);
      *entry = right;
    }
  image_close(i);
}

/* A new file; its name. */
static FILE *new_file(char *path, size_t bytes) {
  const char *folder = getenv("TMPDIR");
  snprintf(path, bytes, "%s/ffn_file_%ld", folder ? folder : "/tmp", (long)getpid());
  FILE *file = fopen(path, "wb");
  cr_assert(file != NULL, "%s", path);
  return file;
}

Test(file, mapped) {
  image *i = image_open();
  char path[512];
  FILE *to = new_file(path, sizeof path);
  cr_assert(fwrite(i->memory, 1, i->bytes, to) == i->bytes && fclose(to) == 0);
  ffn_file file;
  const void *packed;
  cr_assert(ffn_file_open(&file, path) == FFN_FILE_OK && file.mapped && file.bytes == i->bytes);
  for (size_t l = 0; l < LAYERS; l++) {
    cr_assert(ffn_file_packed(&file, l, i->kernels[l], &packed) == FFN_FILE_OK);
    cr_assert(memcmp(packed, i->models[l].packed, i->kernels[l]->packed_bytes) == 0);
  }
  const size_t bytes = i->kernels[0]->packed_bytes;
  ffn_arena arena = {ffn_alloc(bytes), bytes, 0};
  cr_assert(ffn_file_copy(&file, 0, i->kernels[0], &arena, &packed) == FFN_FILE_OK);
  cr_assert(packed == arena.memory && memcmp(packed, i->models[0].packed, bytes) == 0);
  cr_assert(ffn_file_copy(&file, 0, i->kernels[0], &arena, &packed) == FFN_FILE_NO_MEMORY);
  cr_assert(!packed);
  cr_assert(ffn_file_copy(&file, 0, i->kernels[1], &arena, &packed) == FFN_FILE_OTHER_KERNEL);
  ffn_free(arena.memory);
  /* Closed twice, it takes no mapping from who has it next. */
  ffn_file again;
  ffn_file_close(&file);
  cr_assert(!file.memory && !file.mapped && file.bytes == 0 && file.layers == 0);
  cr_assert(ffn_file_open(&again, path) == FFN_FILE_OK);
  ffn_file_close(&file);
  cr_assert(ffn_file_check(&again, 0) == FFN_FILE_OK);
  ffn_file_close(&again);
  cr_assert(truncate(path, (off_t)i->bytes - 1) == 0);
  cr_assert(ffn_file_open(&file, path) == FFN_FILE_TRUNCATED && !file.memory);
  cr_assert(truncate(path, 0) == 0 && ffn_file_open(&file, path) == FFN_FILE_FOREIGN);
  remove(path);
  errno = 0;
  cr_assert(ffn_file_open(&file, path) == FFN_FILE_SYSTEM && errno == ENOENT);
  cr_assert(ffn_file_open(&file, "/") == FFN_FILE_FOREIGN);
  cr_assert(ffn_file_open(&file, "/dev/null") == FFN_FILE_FOREIGN);
  /* Nobody writes to a pipe: who waits for that hangs until the signal. */
  cr_assert(mkfifo(path, 0600) == 0);
  alarm(30);
  cr_assert(ffn_file_open(&file, path) == FFN_FILE_FOREIGN && !file.memory);
  alarm(0);
  remove(path);
  image_close(i);
}

/* A gigabyte is opened by its head alone: no more of it is in memory. */
Test(file, opens_at_once) {
  image *i = image_open();
  char path[512];
  FILE *to = new_file(path, sizeof path);
  const size_t bytes = (size_t)1 << 30;
  if (sizeof(size_t) < 8) {
    fclose(to), remove(path), image_close(i);
    return;
  }
  header_of(i)->bytes = bytes;
  entry_of(i, LAYERS - 1)->bytes = bytes - entry_of(i, LAYERS - 1)->at;
  seal(i);
  cr_assert(fwrite(i->memory, 1, i->bytes, to) == i->bytes && fflush(to) == 0);
  cr_assert(ftruncate(fileno(to), (off_t)bytes) == 0 && fclose(to) == 0);
  ffn_file file;
  const ffn_file_status status = ffn_file_open(&file, path);
  cr_assert(status == FFN_FILE_OK && test_resident(file.memory) <= 64, "%ld kB",
            test_resident(file.memory));
  ffn_file_close(&file);
  remove(path);
  image_close(i);
}

/* What is forgotten leaves memory, and nothing else does; and has the same bytes when it is read
 * again. Memory of the host's keeps its bytes. */
Test(file, forgets) {
  image *i = image_open();
  char path[512];
  FILE *to = new_file(path, sizeof path);
  const size_t bytes = (size_t)1 << 23, last = LAYERS - 1;
  ffn_file file;
  /* Where pages begin, as else the system refuses the wish. */
  char *pages = aligned_alloc((size_t)1 << 16, (i->bytes + 0xffff) >> 16 << 16);
  memcpy(pages, i->memory, i->bytes);
  cr_assert(ffn_file_in(&file, pages, i->bytes) == FFN_FILE_OK);
  cr_assert(ffn_file_want(&file, last) == FFN_FILE_OK);
  cr_assert(ffn_file_forget(&file, last) == FFN_FILE_OK);
  cr_assert(ffn_file_check(&file, last) == FFN_FILE_OK);
  free(pages);
  header_of(i)->bytes = bytes;
  entry_of(i, last)->bytes = bytes - entry_of(i, last)->at;
  seal(i);
  cr_assert(fwrite(i->memory, 1, i->bytes, to) == i->bytes && fflush(to) == 0);
  cr_assert(ftruncate(fileno(to), (off_t)bytes) == 0 && fclose(to) == 0);
  cr_assert(ffn_file_open(&file, path) == FFN_FILE_OK);
  for (int again = 0; again < 2; again++) {
    const int all = test_resident(file.memory) >= 0; /* this system tells */
    cr_assert(ffn_file_want(&file, last) == FFN_FILE_OK);
    cr_assert(ffn_file_check(&file, last) == FFN_FILE_CORRUPTED); /* but it reads all */
    cr_assert(ffn_file_check(&file, 0) == FFN_FILE_OK);
    cr_assert(!all || test_resident(file.memory) > 8000, "%ld kB", test_resident(file.memory));
    cr_assert(ffn_file_forget(&file, 0) == FFN_FILE_OK);
    cr_assert(!all || test_resident(file.memory) > 8000, "%ld kB", test_resident(file.memory));
    cr_assert(ffn_file_check(&file, 1) == FFN_FILE_OK);
    cr_assert(ffn_file_forget(&file, last) == FFN_FILE_OK);
    const long left = test_resident(file.memory);
    cr_assert(!all || left <= 200, "%ld kB", left);
    /* The entry in front is still there: reading it maps nothing. */
    cr_assert(ffn_file_check(&file, 1) == FFN_FILE_OK);
    cr_assert(!all || test_resident(file.memory) == left, "%ld kB of %ld",
              test_resident(file.memory), left);
  }
  cr_assert(ffn_file_want(&file, LAYERS) == FFN_FILE_NO_LAYER);
  cr_assert(ffn_file_forget(&file, LAYERS) == FFN_FILE_NO_LAYER);
  ffn_file_close(&file);
  remove(path);
  image_close(i);
}

Test(file, texts) {
  for (int status = 0; status <= FFN_FILE_NO_ROW; status++)
    cr_assert(strlen(ffn_file_status_text((ffn_file_status)status)) > 10);
  cr_assert(strcmp(ffn_file_status_text((ffn_file_status)(FFN_FILE_NO_ROW + 1)), "?") == 0);
}
