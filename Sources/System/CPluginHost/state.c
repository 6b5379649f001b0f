// States and presets, through lilv.
#include "plugin.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static ossicle_port *find(ossicle_plugin *p, const char *symbol) {
    for (uint32_t i = 0; i < p->port_count; i++)
        if (p->ports[i].symbol && strcmp(p->ports[i].symbol, symbol) == 0) return &p->ports[i];
    return 0;
}

static const void *get(const char *symbol, void *data, uint32_t *size, uint32_t *type) {
    ossicle_port *port = find(data, symbol);
    *size = *type = 0;
    if (!port || !ossicle_is(port, OSSICLE_PORT_CONTROL | OSSICLE_PORT_INPUT)) return 0;
    *size = sizeof port->value;
    *type = ossicle_urid(LV2_ATOM "Float");
    return &port->value;
}

static void set(const char *symbol, void *data, const void *value, uint32_t size, uint32_t type) {
    ossicle_port *port = find(data, symbol);
    const char *name = ossicle_uri(type);
    if (!port || !name || !value || !ossicle_is(port, OSSICLE_PORT_CONTROL | OSSICLE_PORT_INPUT)) return;
    union { float f; double d; int32_t i; int64_t l; } number;
    if (size > sizeof number) return;
    memset(&number, 0, sizeof number);
    memcpy(&number, value, size);
    float given = NAN;
    if (size == 4 && strcmp(name, LV2_ATOM "Float") == 0) given = number.f;
    if (size == 8 && strcmp(name, LV2_ATOM "Double") == 0) given = (float)number.d;
    if (size == 4 && (strcmp(name, LV2_ATOM "Int") == 0 || strcmp(name, LV2_ATOM "Bool") == 0)) given = (float)number.i;
    if (size == 8 && strcmp(name, LV2_ATOM "Long") == 0) given = (float)number.l;
    if (isfinite(given)) port->value = given;
}

// MARK: States

/// The state of the first copy, whose files are where the plug-in made them: paths in it are absolute. lilv makes folders of states out of them; a host that
/// keeps a state in a document of its own packs them itself.
static LilvState *take_state(ossicle_plugin *p) {
    const LV2_Feature make_path = {LV2_STATE "makePath", &p->make_path}, *const features[] = {p->folder ? &make_path : 0, 0};
    return lilv_state_new_from_instance(p->plugin, p->copies[0].instance, &ossicle_urid_map, 0, 0, 0, 0, get, p, 3, features);
}

char *ossicle_plugin_save(ossicle_plugin *p, size_t *size) {
    LilvState *state = take_state(p);
    char *text = state ? lilv_state_to_string(p->world, &ossicle_urid_map, &ossicle_urid_unmap, state, "urn:ossicle:state", 0) : 0;
    // lilv's own memory becomes ours, so that all texts are freed in one way.
    char *copy = text ? strdup(text) : 0;
    *size = copy ? strlen(copy) : 0;
    if (text) lilv_free(text);
    if (state) lilv_state_free(state);
    return copy;
}

void ossicle_plugin_free_text(char *text) { free(text); }

/// Some plug-ins take over what they read with a response to work. One that has not run yet has its responses at once: else its first blocks would be
/// without the state, and a state taken before them empty.
static void restore(ossicle_plugin *p, ossicle_copy *copy, const LilvState *state) {
    lilv_state_restore(state, copy->instance, set, p, 0, 0);
    if (!copy->has_run) ossicle_worker_settle(copy->worker);
}

static bool apply(ossicle_plugin *p, LilvState *state, float *values) {
    if (!state) return false;
    const LilvNode *owner = lilv_state_get_plugin_uri(state);
    bool is_own = owner && lilv_node_equals(owner, lilv_plugin_get_uri(p->plugin));
    if (is_own) {
        ossicle_lock_turn(p);
        for (uint32_t copy = 0; copy < p->copies_made; copy++) restore(p, &p->copies[copy], state);
        ossicle_unlock_turn(p);
        ossicle_plugin_get_values(p, values);
    }
    lilv_state_free(state);
    return is_own;
}

bool ossicle_plugin_restore(ossicle_plugin *p, const char *text, float *values) {
    return apply(p, lilv_state_new_from_string(p->world, &ossicle_urid_map, text), values);
}

bool ossicle_plugin_load_preset(ossicle_plugin *p, const char *uri, float *values) {
    LilvNode *node = lilv_new_uri(p->world, uri);
    if (!node) return false;
    lilv_world_load_resource(p->world, node);
    LilvState *state = lilv_state_new_from_world(p->world, &ossicle_urid_map, node);
    lilv_node_free(node);
    return apply(p, state, values);
}

void ossicle_plugin_get_values(ossicle_plugin *p, float *values) {
    for (uint32_t i = 0; i < p->port_count; i++) values[i] = p->ports[i].value;
}

void ossicle_plugin_set_values(ossicle_plugin *p, const float *values) {
    for (uint32_t i = 0; i < p->port_count; i++)
        if (ossicle_is(&p->ports[i], OSSICLE_PORT_CONTROL | OSSICLE_PORT_INPUT)) p->ports[i].value = values[i];
}

// MARK: Reset

/// A fresh instance in place of a copy's; where the plug-in refuses one, what `activate` resets has to do.
static void renew(ossicle_plugin *p, ossicle_copy *copy, const LilvState *state) {
    ossicle_copy fresh = {0};
    if (ossicle_copy_begin(p, &fresh)) {
        if (state) restore(p, &fresh, state);
        ossicle_copy_end(copy);
        *copy = fresh;
        return;
    }
    ossicle_copy_end(&fresh);
    if (copy->instance->descriptor->deactivate) copy->instance->descriptor->deactivate(copy->instance->handle);
    if (copy->instance->descriptor->activate) copy->instance->descriptor->activate(copy->instance->handle);
}

void ossicle_plugin_reset(ossicle_plugin *p) {
    ossicle_lock_turn(p);
    LilvState *state = take_state(p);
    for (uint32_t i = 0; i < p->copies_made; i++) renew(p, &p->copies[i], state);
    if (state) lilv_state_free(state);
    ossicle_unlock_turn(p);
}

// MARK: Presets

char *ossicle_plugin_presets(ossicle_plugin *p, size_t *size) {
    ossicle_bytes list = {0};
    LilvNode *type = lilv_new_uri(p->world, LV2_PRESET), *label_key = lilv_new_uri(p->world, "http://www.w3.org/2000/01/rdf-schema#label");
    void *presets = lilv_plugin_get_related(p->plugin, type);
    for (void *i = presets ? lilv_nodes_begin(presets) : 0; presets && !lilv_nodes_is_end(presets, i); i = lilv_nodes_next(presets, i)) {
        const LilvNode *preset = lilv_nodes_get(presets, i);
        if (!lilv_node_is_uri(preset)) continue;
        lilv_world_load_resource(p->world, preset);
        LilvNode *label = lilv_world_get(p->world, preset, label_key, 0);
        const char *uri = lilv_node_as_uri(preset), *name = label ? lilv_node_as_string(label) : uri;
        ossicle_append_bytes(&list, uri, strlen(uri) + 1);
        ossicle_append_bytes(&list, name, strlen(name) + 1);
        if (label) lilv_node_free(label);
    }
    if (presets) lilv_nodes_free(presets);
    lilv_node_free(type);
    lilv_node_free(label_key);
    *size = list.size;
    return (char *)list.bytes;
}
