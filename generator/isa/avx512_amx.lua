--- AMX beside AVX-512 with VNNI: its tiles multiply the bytes of many rows. Few rows have VNNI's
--- text.
local avx512_vnni = require 'isa.avx512_vnni'
local derived = require 'isa.derived'

local own = derived(avx512_vnni, 'avx512_amx')
own.title, own.rank = 'AMX', 40
own.target = own.target .. ',amx-tile,amx-int8'
-- CPUID, beside VNNI's: AMX-TILE, AMX-INT8; the operating system saves tiles, and lets the process
-- use them. (AMX-BF16, which all CPUs with AMX-INT8 have, is not needed.)
own.detect = own.detect .. ' && ffn_cpu_bit(7, FFN_EDX, 24) && ffn_cpu_bit(7, FFN_EDX, 25) && '
  .. 'ffn_cpu_saves(0x600e6) && ffn_cpu_lets_tiles()'
-- Half of the second cache of the first CPU with AMX.
own.matrix = { rows = 16, opened = 1 << 20 }
own.matrix_helpers = [[
#if defined(_WIN64) && defined(__GNUC__) && !defined(__clang__)
/* The header of gcc 12 makes a long of strides, which has 32 bits here: no assembler takes that. */
#undef _tile_loadd
#undef _tile_stored
#define _tile_loadd(tile, from, stride) \
  __asm__ volatile("{tileloadd (%0,%1,1), %%tmm" #tile "|tileloadd %%tmm" #tile ", [%0+%1*1]}" \
                   : : "r"((const void *)(from)), "r"((size_t)(stride)) : "memory")
#define _tile_stored(tile, to, stride) \
  __asm__ volatile("{tilestored %%tmm" #tile ", (%0,%1,1)|tilestored [%0+%1*1], %%tmm" #tile "}" \
                   : : "r"((void *)(to)), "r"((size_t)(stride)) : "memory")
#endif

/* What is written through a pointer is in memory before a tile is read from there: intrinsics of
 * gcc 12 do not tell that they read. */
FFN_INLINE void ffn_matrix_written_avx512_amx(const void *to) {
#if defined(__GNUC__)
  __asm__ volatile("" : : "r"(to) : "memory");
#else
  (void)to;
#endif
}

/* Gives this thread tiles: 0 for sums of so many rows and 16 outputs, 1 for rows of `group` bytes,
 * 2 for as many bytes of the 16 outputs, four in a lane. */
FFN_INLINE void ffn_matrix_begin_avx512_amx(size_t rows, size_t group) {
  struct {
    uint8_t palette, start, reserved[14];
    uint16_t bytes[16]; /* of a row of each tile */
    uint8_t rows[16];
  } tiles = {
      1, 0, {0}, {64, (uint16_t)group, 64}, {(uint8_t)rows, (uint8_t)rows, (uint8_t)(group / 4)}};
  ffn_matrix_written_avx512_amx(&tiles);
  _tile_loadconfig(&tiles);
}

/* to[row][16]: the products of rows of x, which lie so many bytes apart, with a group of weights,
 * whose lines of 16 outputs do so too. */
FFN_INLINE void ffn_matrix_products_avx512_amx(
    void *to, const void *x, size_t row, const void *w, size_t line) {
  ffn_matrix_written_avx512_amx(to);
  _tile_zero(0);
  _tile_loadd(1, x, row);
  _tile_loadd(2, w, line);
  _tile_dpbsud(0, 1, 2);
  _tile_stored(0, to, 64);
}

/* The thread has no tiles any more: the system need not save them. */
FFN_INLINE void ffn_matrix_end_avx512_amx(void) { _tile_release(); }]]

return own
