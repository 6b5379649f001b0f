// What a plug-in is, without running it.
#include "internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void ossicle_append_bytes(ossicle_bytes *bytes, const void *data, size_t size) {
    if (bytes->size + size > bytes->room) {
        size_t room = (bytes->size + size) * 2 + 4096;
        uint8_t *grown = realloc(bytes->bytes, room);
        // Out of memory: a process that describes is bounded, and its end is what the host then sees.
        if (!grown) abort();
        bytes->bytes = grown;
        bytes->room = room;
    }
    if (size) memcpy(bytes->bytes + bytes->size, data, size);
    bytes->size += size;
}

static void add_word(ossicle_bytes *bytes, uint32_t word) { ossicle_append_bytes(bytes, &word, sizeof word); }
static void add_float(ossicle_bytes *bytes, float value) { ossicle_append_bytes(bytes, &value, sizeof value); }
void ossicle_add_text(ossicle_bytes *bytes, const char *text) {
    size_t size = text ? strlen(text) : 0;
    add_word(bytes, (uint32_t)size);
    ossicle_append_bytes(bytes, text, size);
}

static void add_node(ossicle_bytes *bytes, const LilvNode *node) { ossicle_add_text(bytes, node ? lilv_node_as_string(node) : ""); }
static void add_own(ossicle_bytes *bytes, LilvNode *node) {
    add_node(bytes, node);
    if (node) lilv_node_free(node);
}

const LilvPlugin *ossicle_find_plugin(LilvWorld *world, const char *uri) {
    LilvNode *name = lilv_new_uri(world, uri);
    if (!name) return 0;
    const LilvPlugin *plugin = lilv_plugins_get_by_uri(lilv_world_get_all_plugins(world), name);
    lilv_node_free(name);
    return plugin;
}

// MARK: Features

static const char *const offered[] = {
    LV2_URID "map", LV2_URID "unmap", LV2_OPTIONS "options", LV2_BUFFER "boundedBlockLength", LV2_WORKER "schedule", LV2_LOG "log",
    LV2_STATE "mapPath", LV2_STATE "freePath", LV2_STATE "makePath", LV2_STATE "loadDefaultState", LV2_CORE "isLive", LV2_CORE "hardRTCapable", LV2_CORE "inPlaceBroken",
};

char *ossicle_missing_feature(LilvWorld *world, const LilvPlugin *plugin) {
    (void)world;
    void *required = lilv_plugin_get_required_features(plugin);
    char *missing = 0;
    for (void *i = lilv_nodes_begin(required); !missing && !lilv_nodes_is_end(required, i); i = lilv_nodes_next(required, i)) {
        const char *uri = lilv_node_as_uri(lilv_nodes_get(required, i));
        bool is_offered = false;
        for (size_t k = 0; uri && k < sizeof offered / sizeof *offered; k++) is_offered |= strcmp(uri, offered[k]) == 0;
        if (!is_offered) missing = strdup(uri ? uri : "a feature without a URI");
    }
    lilv_nodes_free(required);
    return missing;
}

// MARK: Ports

typedef struct {
    const char *uri;
    uint32_t flag;
} meaning;
static const meaning kinds[] = {
    {LV2_CORE "InputPort", OSSICLE_PORT_INPUT}, {LV2_CORE "AudioPort", OSSICLE_PORT_AUDIO}, {LV2_CORE "ControlPort", OSSICLE_PORT_CONTROL},
    {LV2_CORE "CVPort", OSSICLE_PORT_CV}, {LV2_ATOM "AtomPort", OSSICLE_PORT_ATOM},
};
static const meaning properties[] = {
    {LV2_CORE "connectionOptional", OSSICLE_PORT_OPTIONAL}, {LV2_CORE "integer", OSSICLE_PORT_INTEGER}, {LV2_CORE "toggled", OSSICLE_PORT_TOGGLED},
    {LV2_CORE "enumeration", OSSICLE_PORT_ENUMERATION}, {LV2_PROPS "logarithmic", OSSICLE_PORT_LOGARITHMIC},
    {LV2_CORE "reportsLatency", OSSICLE_PORT_LATENCY}, {LV2_CORE "isSideChain", OSSICLE_PORT_SIDECHAIN}, {LV2_PROPS "notOnGUI", OSSICLE_PORT_HIDDEN},
    {LV2_CORE "sampleRate", OSSICLE_PORT_RATE}, {LV2_PROPS "trigger", OSSICLE_PORT_TRIGGER},
};
static const meaning designations[] = {{LV2_CORE "latency", OSSICLE_PORT_LATENCY}, {LV2_CORE "enabled", OSSICLE_PORT_ENABLED}};
static const meaning events[] = {{LV2_MIDI_EVENT, OSSICLE_PORT_MIDI}, {LV2_TIME "Position", OSSICLE_PORT_TIME}};

uint32_t ossicle_port_flags(LilvWorld *world, const LilvPlugin *plugin, const LilvPort *port) {
    uint32_t flags = 0;
    LilvNode *designation_key = lilv_new_uri(world, LV2_CORE "designation");
    LilvNode *designation = lilv_port_get(plugin, port, designation_key);
    const char *designated = designation && lilv_node_is_uri(designation) ? lilv_node_as_uri(designation) : 0;
#define EACH(table) for (const meaning *m = table; m < table + sizeof table / sizeof *table; m++)
    EACH(kinds) { LilvNode *n = lilv_new_uri(world, m->uri); if (lilv_port_is_a(plugin, port, n)) flags |= m->flag; lilv_node_free(n); }
    EACH(properties) { LilvNode *n = lilv_new_uri(world, m->uri); if (lilv_port_has_property(plugin, port, n)) flags |= m->flag; lilv_node_free(n); }
    EACH(designations) if (designated && strcmp(designated, m->uri) == 0) flags |= m->flag;
    if (flags & OSSICLE_PORT_ATOM)
        EACH(events) { LilvNode *n = lilv_new_uri(world, m->uri); if (lilv_port_supports_event(plugin, port, n)) flags |= m->flag; lilv_node_free(n); }
#undef EACH
    if (designation) lilv_node_free(designation);
    lilv_node_free(designation_key);
    return flags;
}

static float number(const LilvNode *node) {
    return node && (lilv_node_is_float(node) || lilv_node_is_int(node)) ? lilv_node_as_float(node)
        : node && lilv_node_is_bool(node) ? (float)lilv_node_as_bool(node) : NAN;
}

static void add_unit(LilvWorld *world, const LilvPlugin *plugin, const LilvPort *port, ossicle_bytes *reply) {
    LilvNode *key = lilv_new_uri(world, LV2_UNITS "unit"), *symbol_key = lilv_new_uri(world, LV2_UNITS "symbol");
    LilvNode *unit = lilv_port_get(plugin, port, key);
    if (unit && !lilv_node_is_uri(unit)) {
        // A unit of the maker's own: its symbol in place of a URI.
        LilvNode *symbol = lilv_world_get(world, unit, symbol_key, 0);
        lilv_node_free(unit);
        unit = symbol;
    }
    add_own(reply, unit);
    lilv_node_free(key);
    lilv_node_free(symbol_key);
}

static void add_points(const LilvPlugin *plugin, const LilvPort *port, ossicle_bytes *reply) {
    void *points = lilv_port_get_scale_points(plugin, port);
    uint32_t count = 0;
    size_t place = reply->size;
    add_word(reply, 0);
    for (void *i = points ? lilv_scale_points_begin(points) : 0; points && !lilv_scale_points_is_end(points, i); i = lilv_scale_points_next(points, i)) {
        const LilvScalePoint *point = lilv_scale_points_get(points, i);
        add_float(reply, number(lilv_scale_point_get_value(point)));
        add_node(reply, lilv_scale_point_get_label(point));
        count++;
    }
    memcpy(reply->bytes + place, &count, sizeof count);
    if (points) lilv_scale_points_free(points);
}

static void add_port(LilvWorld *world, const LilvPlugin *plugin, uint32_t index, ossicle_bytes *reply) {
    const LilvPort *port = lilv_plugin_get_port_by_index(plugin, index);
    LilvNode *initial = 0, *least = 0, *greatest = 0;
    add_word(reply, port ? ossicle_port_flags(world, plugin, port) : 0);
    add_node(reply, port ? lilv_port_get_symbol(plugin, port) : 0);
    add_own(reply, port ? lilv_port_get_name(plugin, port) : 0);
    if (port) lilv_port_get_range(plugin, port, &initial, &least, &greatest);
    const LilvNode *range[] = {least, greatest, initial};
    for (int i = 0; i < 3; i++) add_float(reply, number(range[i]));
    if (initial) lilv_node_free(initial);
    if (least) lilv_node_free(least);
    if (greatest) lilv_node_free(greatest);
    if (port) {
        add_unit(world, plugin, port, reply);
        add_points(plugin, port, reply);
    } else {
        ossicle_add_text(reply, "");
        add_word(reply, 0);
    }
}

// MARK: Properties

uint32_t ossicle_property_kind(const char *type) {
    static const struct { const char *type; uint32_t kind; } kinds[] = {
        {LV2_ATOM "Float", OSSICLE_PROPERTY_REAL}, {LV2_ATOM "Double", OSSICLE_PROPERTY_REAL}, {LV2_ATOM "Int", OSSICLE_PROPERTY_INTEGER},
        {LV2_ATOM "Long", OSSICLE_PROPERTY_INTEGER}, {LV2_ATOM "Bool", OSSICLE_PROPERTY_TOGGLED}, {LV2_ATOM "Path", OSSICLE_PROPERTY_PATH},
        {LV2_ATOM "String", OSSICLE_PROPERTY_TEXT}, {LV2_ATOM "URI", OSSICLE_PROPERTY_URI}, {LV2_ATOM "URID", OSSICLE_PROPERTY_URI},
    };
    for (size_t i = 0; type && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(type, kinds[i].type) == 0) return kinds[i].kind;
    return 0;
}

static int by_uri(const void *a, const void *b) {
    return strcmp(lilv_node_as_uri(*(const LilvNode *const *)a), lilv_node_as_uri(*(const LilvNode *const *)b));
}

void ossicle_each_property(LilvWorld *world, const LilvPlugin *plugin, ossicle_take_property take, void *context) {
    enum { most = 10000 };
    LilvNode *key = lilv_new_uri(world, LV2_PATCH "writable"), *range_key = lilv_new_uri(world, "http://www.w3.org/2000/01/rdf-schema#range");
    void *properties = lilv_plugin_get_value(plugin, key);
    const LilvNode **sorted = calloc(most, sizeof *sorted);
    size_t count = 0;
    for (void *i = properties ? lilv_nodes_begin(properties) : 0; sorted && properties && !lilv_nodes_is_end(properties, i) && count < most;
         i = lilv_nodes_next(properties, i))
        if (lilv_node_is_uri(lilv_nodes_get(properties, i))) sorted[count++] = lilv_nodes_get(properties, i);
    // The order of lilv's own lists is another in each process.
    if (count) qsort(sorted, count, sizeof *sorted, by_uri);
    for (size_t i = 0; i < count; i++) {
        LilvNode *range = lilv_world_get(world, sorted[i], range_key, 0);
        const char *type = range && lilv_node_is_uri(range) ? lilv_node_as_uri(range) : 0;
        if (ossicle_property_kind(type)) take(context, world, sorted[i], type);
        if (range) lilv_node_free(range);
    }
    free(sorted);
    if (properties) lilv_nodes_free(properties);
    lilv_node_free(key);
    lilv_node_free(range_key);
}

static void add_property(void *reply, LilvWorld *world, const LilvNode *property, const char *type) {
    static const char *const keys[] = {LV2_CORE "minimum", LV2_CORE "maximum", LV2_CORE "default"};
    LilvNode *label_key = lilv_new_uri(world, "http://www.w3.org/2000/01/rdf-schema#label");
    add_node(reply, property);
    add_own(reply, lilv_world_get(world, property, label_key, 0));
    lilv_node_free(label_key);
    add_word(reply, ossicle_property_kind(type));
    for (int i = 0; i < 3; i++) {
        LilvNode *key = lilv_new_uri(world, keys[i]), *value = lilv_world_get(world, property, key, 0);
        add_float(reply, number(value));
        if (value) lilv_node_free(value);
        lilv_node_free(key);
    }
}

static void count_property(void *count, LilvWorld *world, const LilvNode *property, const char *type) {
    (void)world, (void)property, (void)type;
    ++*(uint32_t *)count;
}

static void add_properties(LilvWorld *world, const LilvPlugin *plugin, ossicle_bytes *reply) {
    uint32_t count = 0;
    ossicle_each_property(world, plugin, count_property, &count);
    add_word(reply, count);
    ossicle_each_property(world, plugin, add_property, reply);
}

// MARK: Plug-ins

static int first_integer(LilvWorld *world, const LilvPlugin *plugin, const char *uri) {
    LilvNode *key = lilv_new_uri(world, uri);
    void *values = lilv_plugin_get_value(plugin, key);
    int value = 0;
    void *first = values ? lilv_nodes_begin(values) : 0;
    if (values && !lilv_nodes_is_end(values, first)) {
        const LilvNode *node = lilv_nodes_get(values, first);
        if (lilv_node_is_int(node)) value = lilv_node_as_int(node);
    }
    lilv_nodes_free(values);
    lilv_node_free(key);
    return value;
}

static bool has_feature(LilvWorld *world, const LilvPlugin *plugin, const char *uri) {
    LilvNode *feature = lilv_new_uri(world, uri);
    bool is_there = lilv_plugin_has_feature(plugin, feature);
    lilv_node_free(feature);
    return is_there;
}

/// All classes that a plug-in says it is of.
static void add_classes(LilvWorld *world, const LilvPlugin *plugin, ossicle_bytes *reply) {
    LilvNode *key = lilv_new_uri(world, "http://www.w3.org/1999/02/22-rdf-syntax-ns#type");
    void *classes = lilv_plugin_get_value(plugin, key);
    size_t place = reply->size;
    uint32_t count = 0;
    add_word(reply, 0);
    for (void *i = classes ? lilv_nodes_begin(classes) : 0; classes && !lilv_nodes_is_end(classes, i); i = lilv_nodes_next(classes, i), count++)
        add_node(reply, lilv_nodes_get(classes, i));
    memcpy(reply->bytes + place, &count, sizeof count);
    lilv_nodes_free(classes);
    lilv_node_free(key);
}

/// The presets' number, then the files that describe them: a preset may be in any bundle. Of one that names no file the text is empty.
static void add_presets(LilvWorld *world, const LilvPlugin *plugin, ossicle_bytes *reply) {
    LilvNode *type = lilv_new_uri(world, LV2_PRESET), *file_key = lilv_new_uri(world, "http://www.w3.org/2000/01/rdf-schema#seeAlso");
    void *presets = lilv_plugin_get_related(plugin, type);
    uint32_t count = 0;
    size_t place = reply->size;
    add_word(reply, 0);
    for (void *i = presets ? lilv_nodes_begin(presets) : 0; presets && !lilv_nodes_is_end(presets, i); i = lilv_nodes_next(presets, i)) {
        const LilvNode *preset = lilv_nodes_get(presets, i);
        if (!lilv_node_is_uri(preset)) continue;
        LilvNode *file = lilv_world_get(world, preset, file_key, 0);
        char *path = file && lilv_node_is_uri(file) ? lilv_node_get_path(file, 0) : 0;
        ossicle_add_text(reply, path);
        if (path) lilv_free(path);
        if (file) lilv_node_free(file);
        count++;
    }
    memcpy(reply->bytes + place, &count, sizeof count);
    if (presets) lilv_nodes_free(presets);
    lilv_node_free(type);
    lilv_node_free(file_key);
}

static void add_plugin(LilvWorld *world, const LilvPlugin *plugin, ossicle_bytes *reply) {
    add_node(reply, lilv_plugin_get_uri(plugin));
    add_own(reply, lilv_plugin_get_name(plugin));
    add_own(reply, lilv_plugin_get_author_name(plugin));
    char *path = lilv_node_get_path(lilv_plugin_get_bundle_uri(plugin), 0);
    ossicle_add_text(reply, path);
    lilv_free(path);
    add_classes(world, plugin, reply);
    char *missing = ossicle_missing_feature(world, plugin);
    ossicle_add_text(reply, missing);
    free(missing);
    add_word(reply, (uint32_t)first_integer(world, plugin, LV2_CORE "minorVersion"));
    add_word(reply, (uint32_t)first_integer(world, plugin, LV2_CORE "microVersion"));
    add_word(reply, lilv_plugin_get_library_uri(plugin) != 0);
    add_word(reply, has_feature(world, plugin, LV2_STATE "makePath"));
    add_presets(world, plugin, reply);
    uint32_t ports = lilv_plugin_get_num_ports(plugin);
    add_word(reply, ports);
    for (uint32_t index = 0; index < ports; index++) add_port(world, plugin, index, reply);
    add_properties(world, plugin, reply);
}

void ossicle_describe(const char *paths, size_t size, ossicle_bytes *reply) {
    LilvWorld *world = lilv_world_new();
    if (!world) return;
    for (const char *path = paths; path < paths + size; path += strlen(path) + 1) {
        LilvNode *bundle = lilv_new_file_uri(world, 0, path);
        if (!bundle) continue;
        lilv_world_load_bundle(world, bundle);
        lilv_node_free(bundle);
    }
    const void *plugins = lilv_world_get_all_plugins(world);
    for (void *i = lilv_plugins_begin(plugins); !lilv_plugins_is_end(plugins, i); i = lilv_plugins_next(plugins, i))
        add_plugin(world, lilv_plugins_get(plugins, i), reply);
    lilv_world_free(world);
}
