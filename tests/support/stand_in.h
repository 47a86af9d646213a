/* Instructions that the CPU lacks: what includes this header first, by -include, has functions in
 * their place. scripts/stand_in.sh says which are lacking, and rewrites kernels for some of them.
 *
 * AMX, always: the instructions of tiles for bytes in plain C. They do what Intel's manual says
 * ("Intel 64 and IA-32 Architectures Software Developer's Manual", volume 2: LDTILECFG, TILELOADD,
 * TDPBSUD and others), and stop the program where the manual has a fault.
 * With TEST_AVX_VNNI: AVX-VNNI by the same instruction of AVX-512.
 * With TEST_AVX512: AVX-512, VNNI and AVX-VNNI by AVX2 (stand_in_avx512.h). */
#ifndef TEST_STAND_IN_H
#define TEST_STAND_IN_H

#include <stddef.h>
#include <stdint.h>

void test_tiles_load(const void *config);
void test_tiles_release(void);
void test_tile_zero(int tile);
void test_tile_read(int tile, const void *from, size_t stride);
void test_tile_write(int tile, void *to, size_t stride);
void test_tile_multiply(int to, int a, int b);

/* Whoever compares both says so. */
#if defined(__x86_64__) && !defined(TEST_TILES_BESIDE)
/* Theirs are there before a kernel asks for them. */
#include <immintrin.h>
#undef _tile_loadconfig
#undef _tile_release
#undef _tile_zero
#undef _tile_loadd
#undef _tile_stored
#undef _tile_dpbsud
#define _tile_loadconfig(config) test_tiles_load(config)
#define _tile_release() test_tiles_release()
#define _tile_zero(tile) test_tile_zero(tile)
#define _tile_loadd(tile, from, stride) test_tile_read(tile, from, stride)
#define _tile_stored(tile, to, stride) test_tile_write(tile, to, stride)
#define _tile_dpbsud(to, a, b) test_tile_multiply(to, a, b)

#ifdef TEST_AVX512
#include "stand_in_avx512.h"
#elif defined(TEST_AVX_VNNI)
/* What gcc's kernels say to the assembler, stand_in.sh rewrites. */
#define _mm256_dpbusd_avx_epi32(sum, a, b) _mm256_dpbusd_epi32(sum, a, b)
#endif

/* This CPU and its system, with what has a stand-in; cpu.c calls these. */
#define FFN_CPUID test_cpuid
#define FFN_XGETBV test_xgetbv
#define FFN_ARCH_PRCTL test_arch_prctl
#endif

#endif
