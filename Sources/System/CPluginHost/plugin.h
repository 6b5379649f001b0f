// A plug-in that runs, as the files that work on it see it.
#pragma once
#include "internal.h"

typedef struct {
    uint32_t flags;
    /// Which of the audio inputs or outputs it is.
    uint32_t channel;
    /// Of a control port.
    float value;
    char *symbol;
    /// Of an atom port, with so many bytes.
    lv2_sequence *sequence;
    uint32_t room;
    /// Of a port of control voltage: a block that stays what it is.
    float *voltage;
} ossicle_port;

typedef struct {
    LilvInstance *instance;
    ossicle_worker *worker;
    bool is_active, has_run;
} ossicle_copy;

/// A property that messages set.
typedef struct {
    /// Numbers of its URI and of the type of its values.
    uint32_t key, type;
    /// Of one whose values are paths, texts or URIs; sent with the next block where it is pending.
    char *text;
    /// Of a text that is a URI.
    uint32_t number;
    bool is_pending;
} ossicle_property;

/// The numbers that the render thread needs, looked up ahead of it.
typedef struct {
    uint32_t sequence, chunk, midi, object, position;
    /// Of messages that set a property, and of the types of values.
    uint32_t set, property, value, number, real, wide, integer, long_integer, truth, path, text, uri;
    /// Keys of the transport's properties and the types of their values.
    uint32_t keys[6], types[6];
} ossicle_numbers;

struct ossicle_plugin {
    ossicle_numbers numbers;
    LilvWorld *world;
    const LilvPlugin *plugin;
    ossicle_plugin_shape shape;
    uint32_t port_count, inputs, outputs;
    ossicle_port *ports;
    ossicle_copy *copies;
    uint32_t copies_made;
    ossicle_property *properties;
    uint32_t property_count;
    /// The input that messages go to; `port_count` for none.
    uint32_t message_port;
    /// 1 while it renders or a state is restored: only one of them at a time.
    uint32_t turn;
    int32_t least_block, block, sequence_size;
    float rate;
    /// Where files of its state are made, with a stroke at its end; null where the plug-in makes none.
    char *folder;
    lv2_make_path make_path;
};

static inline bool ossicle_is(const ossicle_port *port, uint32_t flags) { return (port->flags & flags) == flags; }
static inline bool ossicle_is_output(const ossicle_port *port) { return !(port->flags & OSSICLE_PORT_INPUT); }
/// A path inside the plug-in's folder, whose own folders are there then; null for one that leads out of it. To be freed by `free`.
char *ossicle_make_path(void *plugin, const char *path);
/// Begins an instance with its worker; `copy` is empty before. False where the plug-in refuses.
bool ossicle_copy_begin(ossicle_plugin *plugin, ossicle_copy *copy);
void ossicle_copy_end(ossicle_copy *copy);
void ossicle_lock_turn(ossicle_plugin *plugin);
void ossicle_unlock_turn(ossicle_plugin *plugin);
ossicle_numbers ossicle_make_numbers(void);
/// Makes the sequences of a piece of a block: inputs with the events from frame `from` up to `to`, outputs empty.
void ossicle_fill_sequences(ossicle_plugin *plugin, const ossicle_exchange *exchange, uint32_t from, uint32_t to);
void ossicle_empty_sequences(ossicle_plugin *plugin);
/// Writes what came out of the MIDI outputs behind the events that are out already.
void ossicle_drain_sequences(ossicle_plugin *plugin, const ossicle_exchange *exchange, uint32_t from, uint32_t to);
