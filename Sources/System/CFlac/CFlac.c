#include "shim.h"

// Of FLAC 1.5, 1.4 and 1.3: what is used is the same in all of them.
RUNTIME_LIBRARY(ossicle_load_flac, "libFLAC.so.14 libFLAC.so.12 libFLAC.so.8", FLAC_FUNCTIONS)
