#include "shim.h"
#include <RuntimeLibrary.h>

RUNTIME_LIBRARY(ossicle_load_avahi, "libavahi-client.so.3", AVAHI_FUNCTIONS)
