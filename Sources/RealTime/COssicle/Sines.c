// Sine and cosine of four angles: the steps of `DeterministicMath.sincos`, one angle in each lane.
#include "Lanes.h"

#pragma STDC FP_CONTRACT OFF

typedef int64_t bits __attribute__((vector_size(32)));

CLONES
bool ossicle_sines(const double *angles, double *sines, double *cosines) {
    const doubles x = LOAD_DOUBLES(angles), turns = x * 0.6366197723675814;
    // The sum's last bits are k, and the difference is k as long as it is far below 2⁵¹.
    const doubles shifted = turns + 6755399441055744.0, k = shifted - 6755399441055744.0, rest = turns - k;
    const bits magnitude = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    // Half turns are rounded to the even one here.
    const bits fits = ((doubles)((bits)x & magnitude) < 1e6) & ((doubles)((bits)rest & magnitude) < 0.5);
    if (!(fits[0] & fits[1] & fits[2] & fits[3])) return false;
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
    const bits quadrant = (bits)shifted, odd = -(quadrant & 1);
    const bits sine = ((bits)s & ~odd) | ((bits)c & odd), cosine = ((bits)c & ~odd) | ((bits)s & odd);
    STORE_DOUBLES(sines, (doubles)(sine ^ ((quadrant & 2) << 62)));
    STORE_DOUBLES(cosines, (doubles)(cosine ^ (((quadrant + 1) & 2) << 62)));
    return true;
}
