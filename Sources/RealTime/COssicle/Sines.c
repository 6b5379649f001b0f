#include "Sines.h"

CLONES
bool ossicle_sines(double a, double b, double c, double d, double *sines, double *cosines) {
    // By value: a vector that was stored in halves a moment ago would be waited for.
    const doubles angles = {a, b, c, d};
    doubles magnitudes, s, cosine;
    find_magnitudes(&angles, &magnitudes);
    const bits fits = magnitudes < 1e6;
    if (!(fits[0] & fits[1] & fits[2] & fits[3])) return false;
    find_sines(&angles, &s, &cosine);
    STORE_DOUBLES(sines, s);
    STORE_DOUBLES(cosines, cosine);
    return true;
}
