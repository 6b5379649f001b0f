// Events of a block as atom sequences, and back.
#include "plugin.h"
#include <string.h>

enum { head = 2 * sizeof(uint32_t) };
static uint32_t padded(uint32_t size) { return (size + 7u) & ~7u; }

void ossicle_empty_sequences(ossicle_plugin *p) {
    for (uint32_t i = 0; i < p->port_count; i++) {
        ossicle_port *port = &p->ports[i];
        if (!port->sequence) continue;
        bool is_output = ossicle_is_output(port);
        // An output is told its room.
        port->sequence->atom = is_output ? (lv2_atom){port->room - (uint32_t)sizeof(lv2_atom), p->numbers.chunk} : (lv2_atom){head, p->numbers.sequence};
        port->sequence->unit = port->sequence->unused = 0;
    }
}

/// False where there is no room.
static bool append(ossicle_port *port, int64_t frame, uint32_t type, const void *bytes, uint32_t size) {
    uint32_t place = (uint32_t)sizeof(lv2_atom) + port->sequence->atom.size, need = (uint32_t)sizeof(lv2_sequence_event) + padded(size);
    if (place + need > port->room) return false;
    lv2_sequence_event event = {frame, {size, type}};
    memcpy((uint8_t *)port->sequence + place, &event, sizeof event);
    memcpy((uint8_t *)port->sequence + place + sizeof event, bytes, size);
    port->sequence->atom.size += need;
    return true;
}

// MARK: The transport

typedef struct {
    uint32_t key, context;
    lv2_atom atom;
    uint64_t value;
} property;

static const char *const keys[] = {
    LV2_TIME "speed", LV2_TIME "frame", LV2_TIME "beatsPerMinute", LV2_TIME "beat", LV2_TIME "beatsPerBar", LV2_TIME "beatUnit",
};
static const char *const types[] = {
    LV2_ATOM "Float", LV2_ATOM "Long", LV2_ATOM "Float", LV2_ATOM "Double", LV2_ATOM "Float", LV2_ATOM "Int",
};

ossicle_numbers ossicle_make_numbers(void) {
    ossicle_numbers numbers = {
        ossicle_urid(LV2_ATOM "Sequence"), ossicle_urid(LV2_ATOM "Chunk"), ossicle_urid(LV2_MIDI_EVENT), ossicle_urid(LV2_ATOM "Object"),
        ossicle_urid(LV2_TIME "Position"), ossicle_urid(LV2_PATCH "Set"), ossicle_urid(LV2_PATCH "property"), ossicle_urid(LV2_PATCH "value"),
        ossicle_urid(LV2_ATOM "URID"), ossicle_urid(LV2_ATOM "Float"), ossicle_urid(LV2_ATOM "Double"), ossicle_urid(LV2_ATOM "Int"),
        ossicle_urid(LV2_ATOM "Long"), ossicle_urid(LV2_ATOM "Bool"), ossicle_urid(LV2_ATOM "Path"), ossicle_urid(LV2_ATOM "String"),
        ossicle_urid(LV2_ATOM "URI"), {0}, {0},
    };
    for (int i = 0; i < 6; i++) {
        numbers.keys[i] = ossicle_urid(keys[i]);
        numbers.types[i] = ossicle_urid(types[i]);
    }
    return numbers;
}

/// The transport at the beginning of a block, as an object of LV2's extension for time.
static void append_position(const ossicle_numbers *numbers, ossicle_port *port, const ossicle_exchange_head *block) {
    struct {
        uint32_t id, type;
        property fields[6];
    } object = {0, numbers->position, {{0}}};
    const float speed = block->is_rolling ? 1 : 0, tempo = (float)block->tempo, bar = (float)block->beats_in_bar;
    const int32_t unit = 4;
    const struct { const void *value; uint32_t size; } values[] = {{&speed, 4}, {&block->frame, 8}, {&tempo, 4}, {&block->beat, 8}, {&bar, 4}, {&unit, 4}};
    for (int i = 0; i < 6; i++) {
        object.fields[i].key = numbers->keys[i];
        object.fields[i].atom = (lv2_atom){values[i].size, numbers->types[i]};
        memcpy(&object.fields[i].value, values[i].value, values[i].size);
    }
    append(port, 0, numbers->object, &object, sizeof object);
}

// MARK: Properties

/// The head of a message that sets a property: all but the value's bytes.
typedef struct {
    uint32_t id, type;
    property key;
    uint32_t value_key, context;
    lv2_atom value;
} set_head;

static set_head make_set(const ossicle_plugin *p, uint32_t index, uint32_t size) {
    return (set_head){
        0, p->numbers.set, {p->numbers.property, 0, {sizeof(uint32_t), p->numbers.number}, p->properties[index].key}, p->numbers.value, 0,
        {size, p->properties[index].type},
    };
}

static void append_value(const ossicle_plugin *p, ossicle_port *port, int64_t frame, uint32_t index, float value) {
    if (index >= p->property_count) return;
    const uint32_t type = p->properties[index].type;
    const int32_t whole = (int32_t)value;
    const int64_t wide = (int64_t)value;
    const double real = value;
    struct {
        set_head head;
        uint64_t value;
    } message = {make_set(p, index, 4), 0};
    const void *bytes = &whole;
    if (type == p->numbers.real) bytes = &value;
    if (type == p->numbers.wide || type == p->numbers.long_integer) {
        message.head.value.size = 8;
        bytes = type == p->numbers.wide ? (const void *)&real : (const void *)&wide;
    }
    memcpy(&message.value, bytes, message.head.value.size);
    append(port, frame, p->numbers.object, &message, sizeof message);
}

/// Texts that were set since the last block.
static void append_texts(ossicle_plugin *p, ossicle_port *port) {
    enum { longest = 4096 };
    for (uint32_t i = 0; i < p->property_count; i++) {
        ossicle_property *one = &p->properties[i];
        if (!one->is_pending) continue;
        const bool is_number = one->type == p->numbers.number;
        const void *value = is_number ? (const void *)&one->number : one->text;
        const uint32_t size = is_number ? (uint32_t)sizeof one->number : (uint32_t)strlen(one->text) + 1;
        struct {
            set_head head;
            char text[longest];
        } message;
        if (size <= longest) {
            memset(&message, 0, sizeof message.head + padded(size));
            message.head = make_set(p, i, size);
            memcpy(message.text, value, size);
            // What finds no room comes with the next block.
            if (!append(port, 0, p->numbers.object, &message, (uint32_t)sizeof message.head + padded(size))) return;
        }
        one->is_pending = false;
    }
}

// MARK: MIDI

void ossicle_fill_sequences(ossicle_plugin *p, const ossicle_exchange *x, uint32_t from, uint32_t to) {
    ossicle_exchange_head *block = ossicle_exchange_top(x);
    ossicle_empty_sequences(p);
    for (uint32_t i = 0; i < p->port_count; i++)
        if (p->ports[i].sequence && ossicle_is(&p->ports[i], OSSICLE_PORT_INPUT | OSSICLE_PORT_TIME) && from == 0 && block->tempo > 0)
            append_position(&p->numbers, &p->ports[i], block);
    if (from == 0 && p->message_port < p->port_count) append_texts(p, &p->ports[p->message_port]);
    uint32_t last = from;
    for (uint32_t place = 0; place + sizeof(ossicle_event) <= block->bytes_in && block->bytes_in <= OSSICLE_EVENT_ROOM;) {
        const ossicle_event *event = (const ossicle_event *)(ossicle_exchange_events_in(x) + place);
        place += (uint32_t)sizeof *event + padded(event->size);
        if (event->frame < from || event->frame >= to) continue;
        if (event->kind == OSSICLE_EVENT_PROPERTY && p->message_port < p->port_count) {
            last = event->frame > last ? event->frame : last;
            append_value(p, &p->ports[p->message_port], last - from, event->port, event->value);
        }
        if (event->kind != OSSICLE_EVENT_MIDI) continue;
        if (event->port >= p->port_count || !p->ports[event->port].sequence || !ossicle_is(&p->ports[event->port], OSSICLE_PORT_INPUT)) continue;
        last = event->frame > last ? event->frame : last;
        append(&p->ports[event->port], last - from, p->numbers.midi, event + 1, event->size);
    }
}

void ossicle_drain_sequences(ossicle_plugin *p, const ossicle_exchange *x, uint32_t from, uint32_t to) {
    ossicle_exchange_head *block = ossicle_exchange_top(x);
    for (uint32_t i = 0; i < p->port_count; i++) {
        ossicle_port *port = &p->ports[i];
        // A plug-in that wrote nothing leaves a chunk.
        if (!port->sequence || !ossicle_is_output(port) || port->sequence->atom.type != p->numbers.sequence) continue;
        uint32_t end = port->sequence->atom.size;
        if (end > port->room - sizeof(lv2_atom)) continue;
        for (uint32_t place = head; place + sizeof(lv2_sequence_event) <= end;) {
            lv2_sequence_event event;
            const uint8_t *at = (const uint8_t *)port->sequence + sizeof(lv2_atom) + place;
            memcpy(&event, at, sizeof event);
            if (event.body.size > end - place - sizeof event) break;
            place += (uint32_t)sizeof event + padded(event.body.size);
            uint32_t size = event.body.size, need = (uint32_t)sizeof(ossicle_event) + padded(size);
            if (event.body.type != p->numbers.midi || size == 0 || size > UINT16_MAX || need > OSSICLE_EVENT_ROOM - block->bytes_out) continue;
            int64_t frame = event.frame < 0 ? 0 : event.frame >= to - from ? to - from - 1 : event.frame;
            ossicle_event out = {from + (uint32_t)frame, OSSICLE_EVENT_MIDI, (uint16_t)size, i, 0};
            memcpy(ossicle_exchange_events_out(x) + block->bytes_out, &out, sizeof out);
            memcpy(ossicle_exchange_events_out(x) + block->bytes_out + sizeof out, at + sizeof event, size);
            block->bytes_out += need;
        }
    }
}
