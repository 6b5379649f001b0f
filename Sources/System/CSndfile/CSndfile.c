#include "shim.h"

RUNTIME_LIBRARY(ossicle_load_sndfile, "libsndfile.so.1", SNDFILE_FUNCTIONS)
