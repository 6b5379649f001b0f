// What the parts of the plug-in host share.
#pragma once
#include "PluginHost.h"
#include "lv2.h"

/// Numbers of URIs, the same in all plug-ins of a process. Any thread.
uint32_t ossicle_urid(const char *uri);
const char *ossicle_uri(uint32_t urid);
extern LV2_URID_Map ossicle_urid_map;
extern LV2_URID_Unmap ossicle_urid_unmap;

/// Flags of a port.
uint32_t ossicle_port_flags(LilvWorld *world, const LilvPlugin *plugin, const LilvPort *port);
/// A required feature that is not offered; null where there is none, else to be freed by `free`.
char *ossicle_missing_feature(LilvWorld *world, const LilvPlugin *plugin);
const LilvPlugin *ossicle_find_plugin(LilvWorld *world, const char *uri);

/// A property that messages set: its URI and the type of its values, one of `ossicle_property_kind`'s.
typedef void (*ossicle_take_property)(void *context, LilvWorld *world, const LilvNode *property, const char *type);
/// Calls `take` for each writable property of a kind that is known, in an order that is always the same.
void ossicle_each_property(LilvWorld *world, const LilvPlugin *plugin, ossicle_take_property take, void *context);
/// The kind of the values of an atom type; 0 for others.
uint32_t ossicle_property_kind(const char *type);

/// Bytes that grow.
typedef struct {
    uint8_t *bytes;
    size_t size, room;
} ossicle_bytes;
void ossicle_append_bytes(ossicle_bytes *bytes, const void *data, size_t size);
/// u32 bytes, then as many.
void ossicle_add_text(ossicle_bytes *bytes, const char *text);
/// Descriptions of the plug-ins in the bundles at paths that each end with a 0.
void ossicle_describe(const char *paths, size_t size, ossicle_bytes *reply);

/// Work that a plug-in gives away while it renders: done at once offline, by a thread at a device.
typedef struct ossicle_worker ossicle_worker;
ossicle_worker *ossicle_worker_make(void);
lv2_schedule *ossicle_worker_schedule(ossicle_worker *worker);
/// Begins, once the instance is there. A null interface is a plug-in without a worker.
void ossicle_worker_begin(ossicle_worker *worker, void *instance, const lv2_worker *interface);
void ossicle_worker_set_offline(ossicle_worker *worker, bool is_offline);
/// Gives the plug-in the answers that are there. Render thread, behind `run`.
void ossicle_worker_deliver(ossicle_worker *worker);
/// For an instance that does not run: waits for all that it has given away, and for what that leads to; ten seconds at most.
void ossicle_worker_settle(ossicle_worker *worker);
void ossicle_worker_free(ossicle_worker *worker);
