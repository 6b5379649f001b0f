#include "shim.h"
#include <RuntimeLibrary.h>

RUNTIME_LIBRARY(ossicle_load_lilv, "liblilv-0.so.0", LILV_FUNCTIONS)
