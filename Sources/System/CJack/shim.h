// The part of JACK's binary interface that is used, in our own declarations: a build needs no headers of JACK's.
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct _jack_client jack_client_t;
typedef struct _jack_port jack_port_t;
/// Frames from the port to the device, or from the device to the port, on the shortest and the longest path.
typedef struct {
    uint32_t least, most;
} ossicle_jack_latency;
/// One MIDI message in a port's buffer, at a frame of the cycle.
typedef struct {
    uint32_t frame;
    unsigned long size;
    uint8_t *bytes;
} ossicle_jack_midi_event;

typedef int (*ossicle_jack_process)(uint32_t frames, void *data);
typedef int (*ossicle_jack_notice)(void *data);
typedef void (*ossicle_jack_port_notice)(uint32_t port, int isThere, void *data);
typedef void (*ossicle_jack_shutdown)(void *data);
typedef void (*ossicle_jack_message)(const char *text);

/// Directions of `jack_port_get_latency_range`.
enum { OSSICLE_JACK_CAPTURE = 0, OSSICLE_JACK_PLAYBACK = 1 };
/// Flags of ports. An input is a port that takes sound: one of a loudspeaker's.
enum { OSSICLE_JACK_INPUT = 1, OSSICLE_JACK_OUTPUT = 2, OSSICLE_JACK_PHYSICAL = 4 };
/// Bits of the status: no server is there, or it does not answer; its memory cannot be opened, as that of another user's; it has
/// another version than the library.
enum { OSSICLE_JACK_SERVER_FAILED = 0x10, OSSICLE_JACK_MEMORY_FAILED = 0x200, OSSICLE_JACK_WRONG_VERSION = 0x400 };

#include "functions.h"

#define JACK_DECLARE(result, name, parameters, arguments, otherwise) result name parameters __asm__("ossicle_" #name);
JACK_FUNCTIONS(JACK_DECLARE)

/// Looks for libjack, once; whether it is there. Call it before any function of the library's.
bool ossicle_load_jack(void);
/// Connects to the server that JACK_DEFAULT_SERVER names, else to "default"; starts none, and writes nothing to standard error.
/// - Returns: null where that fails, with bits in `status` that say why.
jack_client_t *ossicle_open_jack_client(const char *name, int *status);
