#include "COssicle.h"

// Embedded at compile time, so that nothing is opened at start and the bytes do not depend on the system's files.
#pragma clang diagnostic ignored "-Wc23-extensions"
static const unsigned char kemar[] = {
#embed "Resources/kemar.hrtf"
};

const unsigned char *ossicle_kemar(void) { return kemar; }
size_t ossicle_kemar_size(void) { return sizeof kemar; }
