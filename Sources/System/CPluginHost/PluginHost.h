// Runs LV2 plug-ins: in this process, or in one of their own with which sound is exchanged through shared memory.
//
// All of it is C, for three reasons: LV2 is an interface of C structures and callbacks, one of them with variable arguments; a process of a plug-in's own
// begins before `main` (process.c), where no Swift may be presumed; and the same lines serve both places.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: The exchange

/// Numbers that two processes share about blocks of sound. Each block has a number: the host counts `request` up and wakes the other side, which
/// renders and sets `reply` to the same number.
typedef struct {
    uint32_t request, reply;
    /// Not 0 once the other side is gone: set by the host's watching thread.
    uint32_t is_gone;
    /// Of the block that was requested.
    uint32_t frames, is_offline, bytes_in;
    /// Of the block that was rendered.
    uint32_t bytes_out;
    /// Transport: quarter notes a minute, 0 for unknown; quarter notes and frames since the start.
    uint32_t is_rolling;
    double tempo, beat, beats_in_bar;
    int64_t frame;
} ossicle_exchange_head;

/// Memory of an exchange: head, values of all ports by index (in, out), events (in, out), planes of sound (inputs, then outputs). Each side
/// computes the places itself and believes none that the other side writes.
typedef struct {
    void *memory;
    uint64_t size;
    uint32_t ports, inputs, outputs, capacity;
} ossicle_exchange;

enum { OSSICLE_EVENT_ROOM = 65536, OSSICLE_EVENT_VALUE = 1, OSSICLE_EVENT_MIDI = 2, OSSICLE_EVENT_PROPERTY = 3 };
/// An event of a block: a port gets a value, MIDI bytes come by a port, or the property of that number, in place of a port's, gets a value. `size` bytes follow, filled up to a multiple of 8.
typedef struct {
    uint32_t frame;
    uint16_t kind, size;
    uint32_t port;
    float value;
} ossicle_event;

uint64_t ossicle_exchange_size(uint32_t ports, uint32_t inputs, uint32_t outputs, uint32_t capacity);
ossicle_exchange_head *ossicle_exchange_top(const ossicle_exchange *exchange);
float *ossicle_exchange_values_in(const ossicle_exchange *exchange);
float *ossicle_exchange_values_out(const ossicle_exchange *exchange);
/// One of them, also while the other side renders.
float ossicle_exchange_value_out(const ossicle_exchange *exchange, uint32_t port);
uint8_t *ossicle_exchange_events_in(const ossicle_exchange *exchange);
uint8_t *ossicle_exchange_events_out(const ossicle_exchange *exchange);
float *ossicle_exchange_input(const ossicle_exchange *exchange, uint32_t channel);
float *ossicle_exchange_output(const ossicle_exchange *exchange, uint32_t channel);

/// Appends an event to those of the block to come. False where there is no room. Any order of frames is put right by the other side, block by block.
bool ossicle_exchange_put(const ossicle_exchange *exchange, ossicle_event event, const uint8_t *bytes);
/// Copies the event at `*place` of those that came out, and moves `*place` on. False behind the last and where what is there makes no sense.
bool ossicle_exchange_next(const ossicle_exchange *exchange, uint32_t *place, ossicle_event *event, const uint8_t **bytes);
bool ossicle_exchange_is_idle(const ossicle_exchange *exchange);

enum { OSSICLE_BLOCK_DONE = 0, OSSICLE_BLOCK_LATE = 1, OSSICLE_BLOCK_GONE = 2 };
/// Requests the block that was laid down, and waits for it for so many nanoseconds at most. No allocation and no lock: two system calls on a futex.
int ossicle_exchange_render(const ossicle_exchange *exchange, uint32_t frames, uint64_t patience);
/// Waits for the block under way.
int ossicle_exchange_wait(const ossicle_exchange *exchange, uint64_t patience);
/// The other side is gone: who waits for it is woken.
void ossicle_exchange_end(const ossicle_exchange *exchange);

// MARK: Instances

/// A plug-in that runs, with as many copies as are needed for the channels.
typedef struct ossicle_plugin ossicle_plugin;
typedef struct {
    double rate;
    uint32_t capacity, copies;
} ossicle_plugin_shape;

bool ossicle_plugins_are_there(void);
/// Loads, instantiates and activates. Null where that fails; `reason` then says why. `bundles` are the paths of the bundles that say something of the
/// plug-in, each ended by 0, with an empty text behind the last: no other is read, unless the plug-in is in none of them. `folder` is where files of its
/// state are made, with a stroke at its end; empty for a plug-in that makes none.
ossicle_plugin *ossicle_plugin_make(
    const char *uri, const char *folder, const char *bundles, ossicle_plugin_shape shape, char *reason, size_t room);
void ossicle_plugin_free(ossicle_plugin *plugin);
/// Renders the block that the exchange requests. False, and silence, while a state is being restored. Render thread.
bool ossicle_plugin_run(ossicle_plugin *plugin, const ossicle_exchange *exchange);
/// Forgets what was heard: fresh instances with the state of the old, because `activate` leaves much as it was in many plug-ins. Not while rendering.
void ossicle_plugin_reset(ossicle_plugin *plugin);
/// Frames of delay that a fresh instance states after a block of silence; 0 where it states none.
float ossicle_plugin_latency(ossicle_plugin *plugin);
/// The state as Turtle, to be freed by `ossicle_plugin_free_text`; null where there is none.
char *ossicle_plugin_save(ossicle_plugin *plugin, size_t *size);
void ossicle_plugin_free_text(char *text);
/// Restores a state, or the preset of a URI; false where it is none of this plug-in. `values` receives those of the ports.
bool ossicle_plugin_restore(ossicle_plugin *plugin, const char *text, float *values);
bool ossicle_plugin_load_preset(ossicle_plugin *plugin, const char *uri, float *values);
void ossicle_plugin_get_values(ossicle_plugin *plugin, float *values);
void ossicle_plugin_set_values(ossicle_plugin *plugin, const float *values);
/// Sets a property that is a path, a text or a URI, with the next block. False where there is no such property.
bool ossicle_plugin_set_text(ossicle_plugin *plugin, uint32_t property, const char *text);
/// URIs and labels of the presets: pairs of texts, each ended by 0; to be freed by `ossicle_plugin_free_text`.
char *ossicle_plugin_presets(ossicle_plugin *plugin, size_t *size);

// MARK: Processes

/// A process for plug-ins: this program started anew, which takes another turn before `main`. It ends with the socket.
typedef struct {
    int pid, socket, memory;
} ossicle_plugin_process;
/// Starts one; 0, or the error of the system.
int ossicle_plugin_launch(ossicle_plugin_process *process);

/// Commands on the socket: number and bytes, both 32 bits, then so many bytes. Replies are the same, with 0 for success or 1 and a reason.
enum {
    OSSICLE_COMMAND_DESCRIBE = 1, OSSICLE_COMMAND_MAKE, OSSICLE_COMMAND_RESET, OSSICLE_COMMAND_LATENCY, OSSICLE_COMMAND_SAVE, OSSICLE_COMMAND_RESTORE,
    OSSICLE_COMMAND_PRESETS, OSSICLE_COMMAND_LOAD_PRESET, OSSICLE_COMMAND_VALUES,
    /// Number of a property, 32 bits, and a text, ended by 0.
    OSSICLE_COMMAND_TEXT
};
/// The body of `OSSICLE_COMMAND_MAKE`, with the URI, the folder and the bundles of `ossicle_plugin_make` behind it, each ended by 0.
typedef struct {
    double rate;
    uint32_t capacity, copies, ports, inputs, outputs, unused;
} ossicle_make_command;

/// Kinds of properties that messages set (`patch:writable`), as descriptions hold them.
enum { OSSICLE_PROPERTY_REAL = 1, OSSICLE_PROPERTY_INTEGER, OSSICLE_PROPERTY_TOGGLED, OSSICLE_PROPERTY_PATH, OSSICLE_PROPERTY_TEXT, OSSICLE_PROPERTY_URI };

/// Flags of ports, as descriptions hold them.
enum {
    OSSICLE_PORT_INPUT = 1, OSSICLE_PORT_AUDIO = 2, OSSICLE_PORT_CONTROL = 4, OSSICLE_PORT_CV = 8, OSSICLE_PORT_ATOM = 16, OSSICLE_PORT_MIDI = 32,
    OSSICLE_PORT_OPTIONAL = 64, OSSICLE_PORT_INTEGER = 128, OSSICLE_PORT_TOGGLED = 256, OSSICLE_PORT_ENUMERATION = 512, OSSICLE_PORT_LOGARITHMIC = 1024,
    OSSICLE_PORT_LATENCY = 2048, OSSICLE_PORT_ENABLED = 4096, OSSICLE_PORT_SIDECHAIN = 8192, OSSICLE_PORT_HIDDEN = 16384, OSSICLE_PORT_RATE = 32768,
    OSSICLE_PORT_TIME = 65536, OSSICLE_PORT_TRIGGER = 131072
};
