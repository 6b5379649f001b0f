#include "COssicle.h"

#if defined(__x86_64__)
#include <x86intrin.h>
uint64_t ossicle_ticks(void) { return __rdtsc(); }
#else
#include <time.h>
uint64_t ossicle_ticks(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
#endif
