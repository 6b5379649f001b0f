// From a plug-in's description to an instance that renders.
#define _GNU_SOURCE
#include "plugin.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

bool ossicle_plugins_are_there(void) { return ossicle_load_lilv(); }

// MARK: Features

/// Messages of plug-ins go to standard error where OSSICLE_PLUGIN_LOG is set, else nowhere.
static int vprint(void *handle, uint32_t type, const char *format, va_list arguments) {
    (void)handle, (void)type;
    return getenv("OSSICLE_PLUGIN_LOG") ? vfprintf(stderr, format, arguments) : 0;
}

static int print(void *handle, uint32_t type, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int count = vprint(handle, type, format, arguments);
    va_end(arguments);
    return count;
}

static lv2_log log_feature = {0, print, vprint};

static void release(void *handle, char *path) { (void)handle, free(path); }

bool ossicle_copy_begin(ossicle_plugin *p, ossicle_copy *copy) {
    uint32_t integer = ossicle_urid(LV2_ATOM "Int"), real = ossicle_urid(LV2_ATOM "Float");
    lv2_option options[] = {
        {0, 0, ossicle_urid(LV2_BUFFER "minBlockLength"), sizeof(int32_t), integer, &p->least_block},
        {0, 0, ossicle_urid(LV2_BUFFER "maxBlockLength"), sizeof(int32_t), integer, &p->block},
        {0, 0, ossicle_urid(LV2_BUFFER "nominalBlockLength"), sizeof(int32_t), integer, &p->block},
        {0, 0, ossicle_urid(LV2_BUFFER "sequenceSize"), sizeof(int32_t), integer, &p->sequence_size},
        {0, 0, ossicle_urid(LV2_EXT "parameters#sampleRate"), sizeof(float), real, &p->rate},
        {0},
    };
    copy->worker = ossicle_worker_make();
    if (!copy->worker) return false;
    static lv2_free_path free_path = {0, release};
    const LV2_Feature features[] = {
        {LV2_URID "map", &ossicle_urid_map}, {LV2_URID "unmap", &ossicle_urid_unmap}, {LV2_OPTIONS "options", options},
        {LV2_BUFFER "boundedBlockLength", 0}, {LV2_WORKER "schedule", ossicle_worker_schedule(copy->worker)}, {LV2_LOG "log", &log_feature},
        {LV2_STATE "loadDefaultState", 0}, {LV2_CORE "isLive", 0}, {LV2_STATE "freePath", &free_path}, {LV2_STATE "makePath", &p->make_path},
    };
    enum { count = sizeof features / sizeof *features };
    const LV2_Feature *list[count + 1] = {0};
    // The last of them needs a folder.
    for (int i = 0; i < (p->folder ? count : count - 1); i++) list[i] = &features[i];
    copy->instance = lilv_plugin_instantiate(p->plugin, p->shape.rate, list);
    if (!copy->instance) return false;
    const LV2_Descriptor *descriptor = copy->instance->descriptor;
    const lv2_worker *interface = descriptor->extension_data ? descriptor->extension_data(LV2_WORKER "interface") : 0;
    ossicle_worker_begin(copy->worker, copy->instance->handle, interface);
    for (uint32_t i = 0; i < p->port_count; i++) {
        ossicle_port *port = &p->ports[i];
        void *memory = ossicle_is(port, OSSICLE_PORT_CONTROL) ? (void *)&port->value : port->sequence ? (void *)port->sequence : (void *)port->voltage;
        // Audio ports follow with each block.
        if (!ossicle_is(port, OSSICLE_PORT_AUDIO)) descriptor->connect_port(copy->instance->handle, i, memory);
    }
    if (descriptor->activate) descriptor->activate(copy->instance->handle);
    copy->is_active = true;
    return true;
}

void ossicle_copy_end(ossicle_copy *copy) {
    if (copy->instance) {
        if (copy->is_active && copy->instance->descriptor->deactivate) copy->instance->descriptor->deactivate(copy->instance->handle);
        if (copy->worker) ossicle_worker_free(copy->worker);
        copy->worker = 0;
        lilv_instance_free(copy->instance);
    }
    if (copy->worker) ossicle_worker_free(copy->worker);
    memset(copy, 0, sizeof *copy);
}

// MARK: Ports

static float range_default(const ossicle_plugin *p, const LilvPort *port, uint32_t flags) {
    LilvNode *initial = 0, *least = 0, *greatest = 0;
    lilv_port_get_range(p->plugin, port, &initial, &least, &greatest);
    const LilvNode *node = initial ? initial : least;
    float value = node && (lilv_node_is_float(node) || lilv_node_is_int(node)) ? lilv_node_as_float(node)
        : node && lilv_node_is_bool(node) ? (float)lilv_node_as_bool(node) : 0;
    if (initial) lilv_node_free(initial);
    if (least) lilv_node_free(least);
    if (greatest) lilv_node_free(greatest);
    if (flags & OSSICLE_PORT_RATE) value *= (float)p->shape.rate;
    return isfinite(value) ? value : 0;
}

/// Bytes of an atom port's memory: what the plug-in asks for, within bounds.
static uint32_t sequence_room(ossicle_plugin *p, const LilvPort *port) {
    LilvNode *key = lilv_new_uri(p->world, LV2_EXT "resize-port#minimumSize"), *size = lilv_port_get(p->plugin, port, key);
    int wanted = size && lilv_node_is_int(size) ? lilv_node_as_int(size) : 0;
    if (size) lilv_node_free(size);
    lilv_node_free(key);
    return wanted > p->sequence_size ? (wanted < 1 << 24 ? ((uint32_t)wanted + 7) & ~7u : 1 << 24) : (uint32_t)p->sequence_size;
}

static bool make_ports(ossicle_plugin *p, char *reason, size_t room) {
    p->port_count = lilv_plugin_get_num_ports(p->plugin);
    p->ports = calloc(p->port_count + 1, sizeof *p->ports);
    for (uint32_t i = 0; p->ports && i < p->port_count; i++) {
        const LilvPort *description = lilv_plugin_get_port_by_index(p->plugin, i);
        if (!description) continue;
        ossicle_port *port = &p->ports[i];
        port->flags = ossicle_port_flags(p->world, p->plugin, description);
        const LilvNode *symbol = lilv_port_get_symbol(p->plugin, description);
        port->symbol = strdup(symbol ? lilv_node_as_string(symbol) : "");
        if (ossicle_is(port, OSSICLE_PORT_AUDIO)) {
            port->channel = ossicle_is_output(port) ? p->outputs++ : p->inputs++;
        } else if (ossicle_is(port, OSSICLE_PORT_CONTROL)) {
            port->value = range_default(p, description, port->flags);
        } else if (ossicle_is(port, OSSICLE_PORT_ATOM)) {
            port->room = sequence_room(p, description);
            port->sequence = calloc(1, port->room);
        } else if (ossicle_is(port, OSSICLE_PORT_CV)) {
            port->voltage = calloc(p->shape.capacity, sizeof(float));
        } else if (!ossicle_is(port, OSSICLE_PORT_OPTIONAL)) {
            snprintf(reason, room, "its port \"%s\" is of an unknown kind", port->symbol);
            return false;
        }
    }
    return p->ports;
}

// MARK: Properties

static void take_property(void *context, LilvWorld *world, const LilvNode *property, const char *type) {
    (void)world;
    ossicle_plugin *p = context;
    ossicle_property *grown = realloc(p->properties, (p->property_count + 1) * sizeof *grown);
    if (!grown) return;
    p->properties = grown;
    p->properties[p->property_count++] = (ossicle_property){ossicle_urid(lilv_node_as_uri(property)), ossicle_urid(type), 0, 0, false};
}

static void make_properties(ossicle_plugin *p) {
    ossicle_each_property(p->world, p->plugin, take_property, p);
    p->message_port = 0;
    while (p->message_port < p->port_count && !(p->ports[p->message_port].sequence && ossicle_is(&p->ports[p->message_port], OSSICLE_PORT_INPUT)))
        p->message_port++;
}

bool ossicle_plugin_set_text(ossicle_plugin *p, uint32_t property, const char *text) {
    if (property >= p->property_count) return false;
    ossicle_property *one = &p->properties[property];
    const ossicle_numbers *n = &p->numbers;
    if (one->type != n->path && one->type != n->text && one->type != n->uri && one->type != n->number) return false;
    uint32_t number = one->type == n->number ? ossicle_urid(text) : 0;
    char *copy = strdup(text);
    ossicle_lock_turn(p);
    char *old = one->text;
    one->text = copy;
    one->number = number;
    one->is_pending = copy != 0;
    ossicle_unlock_turn(p);
    free(old);
    return copy != 0;
}

// MARK: Life

static void restore_default(ossicle_plugin *p) {
    LilvNode *feature = lilv_new_uri(p->world, LV2_STATE "loadDefaultState");
    bool is_wanted = lilv_plugin_has_feature(p->plugin, feature);
    lilv_node_free(feature);
    if (!is_wanted) return;
    float *values = calloc(p->port_count + 1, sizeof *values);
    if (values) ossicle_plugin_load_preset(p, lilv_node_as_uri(lilv_plugin_get_uri(p->plugin)), values);
    free(values);
}

/// Reading all of three collections takes some 12 ms of processor time, and an instance less than one: only what is needed is read.
static const LilvPlugin *find(LilvWorld *world, const char *uri, const char *bundles) {
    for (; *bundles; bundles += strlen(bundles) + 1) {
        LilvNode *bundle = lilv_new_file_uri(world, 0, bundles);
        if (bundle) lilv_world_load_bundle(world, bundle);
        if (bundle) lilv_node_free(bundle);
    }
    const LilvPlugin *plugin = ossicle_find_plugin(world, uri);
    if (plugin) return plugin;
    // It was moved since it was described.
    lilv_world_load_all(world);
    return ossicle_find_plugin(world, uri);
}

static bool begin(ossicle_plugin *p, const char *uri, const char *bundles, char *reason, size_t room) {
    p->world = lilv_world_new();
    if (!p->world) return false;
    p->plugin = find(p->world, uri, bundles);
    if (!p->plugin) return snprintf(reason, room, "no bundle on the path LV2_PATH describes it") < 0;
    char *missing = ossicle_missing_feature(p->world, p->plugin);
    if (missing) {
        snprintf(reason, room, "it requires the feature %s, which is not offered", missing);
        free(missing);
        return false;
    }
    if (!make_ports(p, reason, room)) return false;
    make_properties(p);
    p->copies = calloc(p->shape.copies, sizeof *p->copies);
    for (; p->copies && p->copies_made < p->shape.copies; p->copies_made++) {
        if (ossicle_copy_begin(p, &p->copies[p->copies_made])) continue;
        p->copies_made++;
        snprintf(reason, room, "it refused to be instantiated at %g Hz, or its library could not be loaded", p->shape.rate);
        return false;
    }
    restore_default(p);
    return p->copies;
}

ossicle_plugin *ossicle_plugin_make(
    const char *uri, const char *folder, const char *bundles, ossicle_plugin_shape shape, char *reason, size_t room) {
    if (room) *reason = 0;
    if (!ossicle_load_lilv() || shape.copies == 0 || shape.copies > 64 || shape.capacity == 0) return 0;
    ossicle_plugin *p = calloc(1, sizeof *p);
    if (!p) return 0;
    p->shape = shape;
    p->least_block = 0;
    p->block = (int32_t)shape.capacity;
    p->sequence_size = 1 << 15;
    p->rate = (float)shape.rate;
    p->numbers = ossicle_make_numbers();
    p->folder = *folder ? strdup(folder) : 0;
    p->make_path = (lv2_make_path){p, ossicle_make_path};
    if (begin(p, uri, bundles, reason, room)) return p;
    ossicle_plugin_free(p);
    return 0;
}

void ossicle_plugin_free(ossicle_plugin *p) {
    for (uint32_t i = 0; i < p->copies_made; i++) ossicle_copy_end(&p->copies[i]);
    for (uint32_t i = 0; p->ports && i < p->port_count; i++) {
        free(p->ports[i].symbol);
        free(p->ports[i].sequence);
        free(p->ports[i].voltage);
    }
    for (uint32_t i = 0; i < p->property_count; i++) free(p->properties[i].text);
    free(p->properties);
    free(p->folder);
    free(p->ports);
    free(p->copies);
    if (p->world) lilv_world_free(p->world);
    free(p);
}

void ossicle_lock_turn(ossicle_plugin *p) {
    const struct timespec pause = {0, 100000};
    while (__atomic_exchange_n(&p->turn, 1, __ATOMIC_ACQUIRE)) nanosleep(&pause, 0);
}

void ossicle_unlock_turn(ossicle_plugin *p) { __atomic_store_n(&p->turn, 0, __ATOMIC_RELEASE); }
