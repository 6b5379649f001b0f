// Renders a block, in pieces between which ports get other values.
#include "plugin.h"
#include <stdlib.h>
#include <string.h>

/// Sets the ports whose time has come and gives the end of the piece that begins at `from`. `since` is where the last piece began, -1 for none.
static uint32_t take_values(ossicle_plugin *p, const ossicle_exchange *x, int64_t since, uint32_t from, uint32_t frames) {
    ossicle_exchange_head *block = ossicle_exchange_top(x);
    uint32_t end = frames;
    for (uint32_t place = 0; place + sizeof(ossicle_event) <= block->bytes_in && block->bytes_in <= OSSICLE_EVENT_ROOM;) {
        const ossicle_event *event = (const ossicle_event *)(ossicle_exchange_events_in(x) + place);
        place += (uint32_t)sizeof *event + ((event->size + 7u) & ~7u);
        if (event->kind != OSSICLE_EVENT_VALUE || event->port >= p->port_count) continue;
        ossicle_port *port = &p->ports[event->port];
        if (!ossicle_is(port, OSSICLE_PORT_CONTROL | OSSICLE_PORT_INPUT)) continue;
        if (event->frame <= from && (int64_t)event->frame > since) port->value = event->value;
        if (event->frame > from && event->frame < end) end = event->frame;
    }
    return end;
}

static void connect(ossicle_plugin *p, const ossicle_exchange *x, uint32_t copy, uint32_t from) {
    LilvInstance *instance = p->copies[copy].instance;
    for (uint32_t i = 0; i < p->port_count; i++) {
        ossicle_port *port = &p->ports[i];
        if (!ossicle_is(port, OSSICLE_PORT_AUDIO)) continue;
        float *plane = ossicle_is_output(port) ? ossicle_exchange_output(x, copy * p->outputs + port->channel)
                                               : ossicle_exchange_input(x, copy * p->inputs + port->channel);
        instance->descriptor->connect_port(instance->handle, i, plane + from);
    }
}

static void run_piece(ossicle_plugin *p, const ossicle_exchange *x, uint32_t from, uint32_t to) {
    bool is_offline = ossicle_exchange_top(x)->is_offline;
    // The first last: what ports of control and events give is its.
    for (uint32_t copy = p->copies_made; copy-- > 0;) {
        ossicle_fill_sequences(p, x, from, to);
        connect(p, x, copy, from);
        ossicle_worker_set_offline(p->copies[copy].worker, is_offline);
        LilvInstance *instance = p->copies[copy].instance;
        instance->descriptor->run(instance->handle, to - from);
        p->copies[copy].has_run = true;
        ossicle_worker_deliver(p->copies[copy].worker);
    }
    ossicle_drain_sequences(p, x, from, to);
}

static bool fits(const ossicle_plugin *p, const ossicle_exchange *x) {
    return x->ports >= p->port_count && x->inputs >= p->inputs * p->copies_made && x->outputs >= p->outputs * p->copies_made
        && x->capacity <= p->shape.capacity;
}

bool ossicle_plugin_run(ossicle_plugin *p, const ossicle_exchange *x) {
    ossicle_exchange_head *block = ossicle_exchange_top(x);
    uint32_t frames = block->frames < x->capacity ? block->frames : x->capacity;
    block->bytes_out = 0;
    if (!fits(p, x) || __atomic_exchange_n(&p->turn, 1, __ATOMIC_ACQUIRE)) {
        for (uint32_t i = 0; i < x->outputs; i++) memset(ossicle_exchange_output(x, i), 0, frames * sizeof(float));
        return false;
    }
    int64_t since = -1;
    for (uint32_t from = 0; from < frames;) {
        uint32_t to = take_values(p, x, since, from, frames);
        run_piece(p, x, from, to);
        since = from;
        from = to;
    }
    for (uint32_t i = 0; i < p->port_count; i++)
        if (ossicle_is(&p->ports[i], OSSICLE_PORT_CONTROL)) __atomic_store(&ossicle_exchange_values_out(x)[i], &p->ports[i].value, __ATOMIC_RELAXED);
    ossicle_unlock_turn(p);
    return true;
}

float ossicle_plugin_latency(ossicle_plugin *p) {
    uint32_t index = 0;
    while (index < p->port_count && (!ossicle_is(&p->ports[index], OSSICLE_PORT_LATENCY) || !ossicle_is_output(&p->ports[index]))) index++;
    if (index == p->port_count) return 0;
    // An instance of its own, so that the one that sounds begins at its beginning.
    ossicle_copy probe = {0};
    uint32_t frames = p->shape.capacity < 256 ? p->shape.capacity : 256;
    float *silence = calloc(frames, sizeof *silence), *sound = calloc(frames, sizeof *sound);
    ossicle_lock_turn(p);
    if (silence && sound && ossicle_copy_begin(p, &probe)) {
        ossicle_empty_sequences(p);
        const LV2_Descriptor *descriptor = probe.instance->descriptor;
        for (uint32_t i = 0; i < p->port_count; i++)
            if (ossicle_is(&p->ports[i], OSSICLE_PORT_AUDIO))
                descriptor->connect_port(probe.instance->handle, i, ossicle_is_output(&p->ports[i]) ? sound : silence);
        ossicle_worker_set_offline(probe.worker, true);
        descriptor->run(probe.instance->handle, frames);
    }
    ossicle_copy_end(&probe);
    ossicle_unlock_turn(p);
    free(silence);
    free(sound);
    return p->ports[index].value;
}
