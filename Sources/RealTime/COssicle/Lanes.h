// What the kernels share. Each lane is one output, whose sum has one order: so every vector width, and every cut of a block,
// gives the same bytes. Contraction to fused multiply-add would not; each file switches it off.
#pragma once
#include "COssicle.h"

// The choice among clones is made before ThreadSanitizer is there, which would watch it.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WATCHES_THREADS
#endif
#endif

#if defined(__x86_64__) && defined(__ELF__) && !defined(WATCHES_THREADS)
#define CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define CLONES
#endif
#define INLINE static inline __attribute__((always_inline))

typedef float lanes4 __attribute__((vector_size(16)));
typedef float lanes8 __attribute__((vector_size(32)));
typedef float lanes __attribute__((vector_size(64)));
typedef double doubles __attribute__((vector_size(32)));
typedef float unaligned_lanes4 __attribute__((vector_size(16), aligned(4)));
typedef float unaligned_lanes8 __attribute__((vector_size(32), aligned(4)));
typedef float unaligned_lanes __attribute__((vector_size(64), aligned(4)));
typedef double unaligned_doubles __attribute__((vector_size(32), aligned(8)));

#define LOAD4(address) (*(const unaligned_lanes4 *)(address))
#define STORE4(address, value) (*(unaligned_lanes4 *)(address) = (value))
#define LOAD8(address) (*(const unaligned_lanes8 *)(address))
#define STORE8(address, value) (*(unaligned_lanes8 *)(address) = (value))
#define LOAD(address) (*(const unaligned_lanes *)(address))
#define STORE(address, value) (*(unaligned_lanes *)(address) = (value))
#define LOAD_DOUBLES(address) (*(const unaligned_doubles *)(address))
#define STORE_DOUBLES(address, value) (*(unaligned_doubles *)(address) = (value))
