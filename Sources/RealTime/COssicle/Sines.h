// Sines and cosines of four angles: the steps of `DeterministicMath.sincos`, one angle in each lane.
#pragma once
#include "Lanes.h"

#pragma STDC FP_CONTRACT OFF

typedef int64_t bits __attribute__((vector_size(32)));

INLINE void find_magnitudes(const doubles *x, doubles *magnitudes) {
    *magnitudes = (doubles)((bits)*x & INT64_MAX);
}

// To the nearest whole number, halfway away from 0: the largest number below ½ is added before the rest is cut off.
INLINE void round_away(const doubles *x, doubles *whole) {
    const doubles half = (doubles){0} + 0.49999999999999994;
    *whole = __builtin_elementwise_trunc(*x + (doubles)((bits)half | ((bits)*x & INT64_MIN)));
}

// Of angles up to 10⁶ radians.
INLINE void find_sines(const doubles *angles, doubles *sines, doubles *cosines) {
    const doubles x = *angles, turns = x * 0.6366197723675814;
    doubles k;
    round_away(&turns, &k);
    const doubles r = ((x - k * 1.5707963267341256) - k * 6.077100506303966e-11) - k * 2.0222662487959506e-21, square = r * r;
    doubles s = 1.0 / 1307674368000 - square * (1.0 / 355687428096000); // 1/15! and 1/17!
    s = 1.0 / 6227020800 - square * s;
    s = 1.0 / 39916800 - square * s;
    s = 1.0 / 362880 - square * s;
    s = 1.0 / 5040 - square * s;
    s = 1.0 / 120 - square * s;
    s = 1.0 / 6 - square * s;
    s = r - r * square * s;
    doubles c = 1.0 / 87178291200 - square * (1.0 / 20922789888000); // 1/14! and 1/16!
    c = 1.0 / 479001600 - square * c;
    c = 1.0 / 3628800 - square * c;
    c = 1.0 / 40320 - square * c;
    c = 1.0 / 720 - square * c;
    c = 1.0 / 24 - square * c;
    c = 0.5 - square * c;
    c = 1 - square * c;
    // Of this sum the last bits are k.
    const bits quadrant = (bits)(k + 6755399441055744.0), odd = -(quadrant & 1);
    const bits sine = ((bits)s & ~odd) | ((bits)c & odd), cosine = ((bits)c & ~odd) | ((bits)s & odd);
    *sines = (doubles)(sine ^ ((quadrant & 2) << 62));
    *cosines = (doubles)(cosine ^ (((quadrant + 1) & 2) << 62));
}
