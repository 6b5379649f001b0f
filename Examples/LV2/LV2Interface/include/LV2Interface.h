// The part of LV2's binary interface that a plug-in needs, in declarations of our own.
#pragma once
#include <stdint.h>

typedef struct {
    const char *URI;
    void *data;
} LV2_Feature;

typedef struct LV2_Descriptor {
    const char *URI;
    void *(*instantiate)(const struct LV2_Descriptor *descriptor, double rate, const char *bundle, const LV2_Feature *const *features);
    void (*connect_port)(void *instance, uint32_t port, void *data);
    void (*activate)(void *instance);
    void (*run)(void *instance, uint32_t frames);
    void (*deactivate)(void *instance);
    void (*cleanup)(void *instance);
    const void *(*extension_data)(const char *uri);
} LV2_Descriptor;

/// A host's table of numbers for URIs.
typedef struct {
    void *handle;
    uint32_t (*map)(void *handle, const char *uri);
} LV2_URID_Map;

/// The head of a sequence of events, and of each event in it: its bytes follow, filled up to a multiple of 8.
typedef struct {
    uint32_t size, type, unit, pad;
} LV2_Atom_Sequence;
typedef struct {
    int64_t frame;
    uint32_t size, type;
} LV2_Atom_Event;
