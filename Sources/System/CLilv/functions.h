// What is used of lilv: result, name, parameters, arguments, and the result without the library.
#pragma once

#define LILV_FUNCTIONS(F) \
    F(LilvWorld *, lilv_world_new, (void), (), 0) \
    F(void, lilv_world_free, (LilvWorld *world), (world), (void)0) \
    F(void, lilv_world_load_all, (LilvWorld *world), (world), (void)0) \
    F(void, lilv_world_load_bundle, (LilvWorld *world, const LilvNode *bundle), (world, bundle), (void)0) \
    F(int, lilv_world_load_resource, (LilvWorld *world, const LilvNode *resource), (world, resource), -1) \
    F(const void *, lilv_world_get_all_plugins, (const LilvWorld *world), (world), 0) \
    F(LilvNode *, lilv_world_get, (LilvWorld *world, const LilvNode *subject, const LilvNode *predicate, const LilvNode *object), \
      (world, subject, predicate, object), 0) \
    F(LilvNode *, lilv_new_uri, (LilvWorld *world, const char *uri), (world, uri), 0) \
    F(LilvNode *, lilv_new_file_uri, (LilvWorld *world, const char *host, const char *path), (world, host, path), 0) \
    F(void, lilv_node_free, (LilvNode *node), (node), (void)0) \
    F(bool, lilv_node_equals, (const LilvNode *one, const LilvNode *other), (one, other), false) \
    F(bool, lilv_node_is_uri, (const LilvNode *node), (node), false) \
    F(const char *, lilv_node_as_uri, (const LilvNode *node), (node), 0) \
    F(const char *, lilv_node_as_string, (const LilvNode *node), (node), 0) \
    F(bool, lilv_node_is_float, (const LilvNode *node), (node), false) \
    F(bool, lilv_node_is_int, (const LilvNode *node), (node), false) \
    F(bool, lilv_node_is_bool, (const LilvNode *node), (node), false) \
    F(bool, lilv_node_as_bool, (const LilvNode *node), (node), false) \
    F(int, lilv_node_as_int, (const LilvNode *node), (node), 0) \
    F(float, lilv_node_as_float, (const LilvNode *node), (node), 0) \
    F(char *, lilv_node_get_path, (const LilvNode *node, char **host), (node, host), 0) \
    F(void, lilv_free, (void *memory), (memory), (void)0) \
    F(void *, lilv_plugins_begin, (const void *plugins), (plugins), 0) \
    F(const LilvPlugin *, lilv_plugins_get, (const void *plugins, void *place), (plugins, place), 0) \
    F(void *, lilv_plugins_next, (const void *plugins, void *place), (plugins, place), 0) \
    F(bool, lilv_plugins_is_end, (const void *plugins, void *place), (plugins, place), true) \
    F(const LilvPlugin *, lilv_plugins_get_by_uri, (const void *plugins, const LilvNode *uri), (plugins, uri), 0) \
    F(const LilvNode *, lilv_plugin_get_uri, (const LilvPlugin *plugin), (plugin), 0) \
    F(const LilvNode *, lilv_plugin_get_bundle_uri, (const LilvPlugin *plugin), (plugin), 0) \
    F(const LilvNode *, lilv_plugin_get_library_uri, (const LilvPlugin *plugin), (plugin), 0) \
    F(LilvNode *, lilv_plugin_get_name, (const LilvPlugin *plugin), (plugin), 0) \
    F(LilvNode *, lilv_plugin_get_author_name, (const LilvPlugin *plugin), (plugin), 0) \
    F(void *, lilv_plugin_get_value, (const LilvPlugin *plugin, const LilvNode *predicate), (plugin, predicate), 0) \
    F(void *, lilv_plugin_get_required_features, (const LilvPlugin *plugin), (plugin), 0) \
    F(bool, lilv_plugin_has_feature, (const LilvPlugin *plugin, const LilvNode *feature), (plugin, feature), false) \
    F(void *, lilv_plugin_get_related, (const LilvPlugin *plugin, const LilvNode *type), (plugin, type), 0) \
    F(uint32_t, lilv_plugin_get_num_ports, (const LilvPlugin *plugin), (plugin), 0) \
    F(const LilvPort *, lilv_plugin_get_port_by_index, (const LilvPlugin *plugin, uint32_t index), (plugin, index), 0) \
    F(LilvInstance *, lilv_plugin_instantiate, (const LilvPlugin *plugin, double rate, const LV2_Feature *const *features), \
      (plugin, rate, features), 0) \
    F(void, lilv_instance_free, (LilvInstance *instance), (instance), (void)0) \
    F(void, lilv_nodes_free, (void *nodes), (nodes), (void)0) \
    F(void *, lilv_nodes_begin, (const void *nodes), (nodes), 0) \
    F(const LilvNode *, lilv_nodes_get, (const void *nodes, void *place), (nodes, place), 0) \
    F(void *, lilv_nodes_next, (const void *nodes, void *place), (nodes, place), 0) \
    F(bool, lilv_nodes_is_end, (const void *nodes, void *place), (nodes, place), true) \
    F(void *, lilv_port_get_value, (const LilvPlugin *plugin, const LilvPort *port, const LilvNode *predicate), (plugin, port, predicate), 0) \
    F(LilvNode *, lilv_port_get, (const LilvPlugin *plugin, const LilvPort *port, const LilvNode *predicate), (plugin, port, predicate), 0) \
    F(bool, lilv_port_has_property, (const LilvPlugin *plugin, const LilvPort *port, const LilvNode *property), (plugin, port, property), false) \
    F(bool, lilv_port_supports_event, (const LilvPlugin *plugin, const LilvPort *port, const LilvNode *type), (plugin, port, type), false) \
    F(bool, lilv_port_is_a, (const LilvPlugin *plugin, const LilvPort *port, const LilvNode *type), (plugin, port, type), false) \
    F(const LilvNode *, lilv_port_get_symbol, (const LilvPlugin *plugin, const LilvPort *port), (plugin, port), 0) \
    F(LilvNode *, lilv_port_get_name, (const LilvPlugin *plugin, const LilvPort *port), (plugin, port), 0) \
    F(void, lilv_port_get_range, (const LilvPlugin *plugin, const LilvPort *port, LilvNode **initial, LilvNode **least, LilvNode **greatest), \
      (plugin, port, initial, least, greatest), (void)0) \
    F(void *, lilv_port_get_scale_points, (const LilvPlugin *plugin, const LilvPort *port), (plugin, port), 0) \
    F(void, lilv_scale_points_free, (void *points), (points), (void)0) \
    F(void *, lilv_scale_points_begin, (const void *points), (points), 0) \
    F(const LilvScalePoint *, lilv_scale_points_get, (const void *points, void *place), (points, place), 0) \
    F(void *, lilv_scale_points_next, (const void *points, void *place), (points, place), 0) \
    F(bool, lilv_scale_points_is_end, (const void *points, void *place), (points, place), true) \
    F(const LilvNode *, lilv_scale_point_get_label, (const LilvScalePoint *point), (point), 0) \
    F(const LilvNode *, lilv_scale_point_get_value, (const LilvScalePoint *point), (point), 0) \
    F(LilvState *, lilv_state_new_from_world, (LilvWorld *world, LV2_URID_Map *map, const LilvNode *subject), (world, map, subject), 0) \
    F(LilvState *, lilv_state_new_from_string, (LilvWorld *world, LV2_URID_Map *map, const char *text), (world, map, text), 0) \
    F(LilvState *, lilv_state_new_from_instance, \
      (const LilvPlugin *plugin, LilvInstance *instance, LV2_URID_Map *map, const char *scratch, const char *copies, const char *links, \
       const char *folder, ossicle_lilv_get_value get, void *data, uint32_t flags, const LV2_Feature *const *features), \
      (plugin, instance, map, scratch, copies, links, folder, get, data, flags, features), 0) \
    F(void, lilv_state_restore, \
      (const LilvState *state, LilvInstance *instance, ossicle_lilv_set_value set, void *data, uint32_t flags, const LV2_Feature *const *features), \
      (state, instance, set, data, flags, features), (void)0) \
    F(const LilvNode *, lilv_state_get_plugin_uri, (const LilvState *state), (state), 0) \
    F(char *, lilv_state_to_string, \
      (LilvWorld *world, LV2_URID_Map *map, LV2_URID_Unmap *unmap, const LilvState *state, const char *uri, const char *base), \
      (world, map, unmap, state, uri, base), 0) \
    F(void, lilv_state_free, (LilvState *state), (state), (void)0)
