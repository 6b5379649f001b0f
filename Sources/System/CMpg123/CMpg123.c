#include "shim.h"

RUNTIME_LIBRARY(ossicle_load_mpg123, "libmpg123.so.0", MPG123_FUNCTIONS)
