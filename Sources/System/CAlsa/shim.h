// The part of ALSA's binary interface that is used, in our own declarations: a build needs no headers of ALSA's.
#pragma once
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct _snd_pcm snd_pcm_t;
typedef struct _snd_pcm_hw_params snd_pcm_hw_params_t;
typedef struct _snd_pcm_sw_params snd_pcm_sw_params_t;

/// Directions of a stream.
enum { OSSICLE_ALSA_PLAYBACK = 0, OSSICLE_ALSA_CAPTURE = 1 };
/// Opening fails at once where the device is in use.
enum { OSSICLE_ALSA_NONBLOCK = 1 };
/// One frame after the other, its channels side by side.
enum { OSSICLE_ALSA_INTERLEAVED = 3 };
/// Formats of samples with the lowest byte first; those with the highest first follow each. S24 is the lower three bytes of four.
enum { OSSICLE_ALSA_S16 = 2, OSSICLE_ALSA_S24 = 6, OSSICLE_ALSA_S32 = 10, OSSICLE_ALSA_FLOAT = 14 };

typedef struct _snd_seq snd_seq_t;
typedef struct _snd_seq_client_info snd_seq_client_info_t;
typedef struct _snd_seq_port_info snd_seq_port_info_t;
typedef struct snd_midi_event snd_midi_event_t;

/// A port of a client of the sequencer.
typedef struct {
    uint8_t client, port;
} ossicle_alsa_address;

/// An event of the sequencer, as it lies in memory.
typedef struct {
    uint8_t type, flags, tag, queue;
    uint32_t time[2];
    ossicle_alsa_address source, destination;
    union {
        uint8_t bytes[12];
        /// Of the system's announcements: what has come or gone.
        ossicle_alsa_address address;
    } data;
} ossicle_alsa_event;

/// Both directions, and calls that do not wait.
enum { OSSICLE_ALSA_SEQ_DUPLEX = 3, OSSICLE_ALSA_SEQ_NONBLOCK = 1 };
/// Capabilities of ports: others may read from it or write to it, by subscription; it is not to be listed.
enum {
    OSSICLE_ALSA_CAN_READ = 1 << 0 | 1 << 5,
    OSSICLE_ALSA_CAN_WRITE = 1 << 1 | 1 << 6,
    OSSICLE_ALSA_NO_EXPORT = 1 << 7
};
/// Type of a port: MIDI of a program.
enum { OSSICLE_ALSA_PROGRAM = 1 << 1 | 1 << 20 };
/// Types of events: clients and ports that come, go or change are between these; nothing.
enum { OSSICLE_ALSA_FIRST_ANNOUNCEMENT = 60, OSSICLE_ALSA_LAST_ANNOUNCEMENT = 67, OSSICLE_ALSA_NO_EVENT = 255 };
/// An event that is delivered at once.
enum { OSSICLE_ALSA_DIRECT_QUEUE = 253 };

#include "functions.h"

#define ALSA_DECLARE(result, name, parameters, arguments, otherwise) result name parameters __asm__("ossicle_" #name);
ALSA_FUNCTIONS(ALSA_DECLARE)

/// Looks for libasound, once, and has it write nothing to standard error; whether it is there. Call it before any function of the library's.
bool ossicle_load_alsa(void);
