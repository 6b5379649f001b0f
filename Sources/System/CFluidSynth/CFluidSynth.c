#include "shim.h"
#include <RuntimeLibrary.h>

RUNTIME_LIBRARY(ossicle_load_fluidsynth, "libfluidsynth.so.3", FLUID_FUNCTIONS)
