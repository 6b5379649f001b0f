#include "shim.h"

RUNTIME_LIBRARY(ossicle_load_pulse, "libpulse.so.0", PULSE_FUNCTIONS)
