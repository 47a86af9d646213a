/* The head of a file of packed weights, made or changed by a test. */
#ifndef TEST_FORGED_HEAD_H
#define TEST_FORGED_HEAD_H

#include "ffn_file.h"
#include "xxh64.h"

#include <string.h>

static ffn_file_header *test_header_of(void *memory) { return (ffn_file_header *)memory; }

/* The checksum of the head anew, as a forger would: from what ffn_file.h says, not by the runtime's
 * own function, whose meaning files depend on. */
static void test_seal(void *memory) {
  ffn_file_header *header = test_header_of(memory);
  ffn_xxh64 state = ffn_xxh64_begin();
  ffn_xxh64_take(&state, header, sizeof *header - sizeof header->checksum);
  ffn_xxh64_take(&state, (const char *)memory + sizeof *header,
                 header->head_bytes - sizeof *header);
  header->checksum = ffn_xxh64_end(&state);
}

/* Writes a word at *at, which moves behind it. Its place. */
static uint32_t test_word_of(void *memory, size_t *at, const char *text) {
  const size_t first = *at;
  strcpy((char *)memory + first, text);
  *at += strlen(text) + 1;
  return (uint32_t)first;
}

#endif
