// SwiftPM builds no target of headers alone.
#include "LV2Interface.h"
