#include "shim.h"

RUNTIME_LIBRARY(ossicle_load_soxr, "libsoxr.so.0", SOXR_FUNCTIONS)
