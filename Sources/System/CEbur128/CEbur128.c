#include "shim.h"

RUNTIME_LIBRARY(ossicle_load_ebur128, "libebur128.so.1", EBUR128_FUNCTIONS)
