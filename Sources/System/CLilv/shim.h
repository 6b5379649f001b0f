// The part of lilv's binary interface that is used, and of LV2's that goes with it, in our own declarations: a build needs no headers of theirs.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// A service that a host offers: its URI, and what belongs to it.
typedef struct {
    const char *URI;
    void *data;
} LV2_Feature;

/// What a plug-in's library exports. `extension_data` gives the table of an extension.
typedef struct {
    const char *URI;
    void *(*instantiate)(const void *descriptor, double rate, const char *bundle, const LV2_Feature *const *features);
    void (*connect_port)(void *handle, uint32_t port, void *memory);
    void (*activate)(void *handle);
    void (*run)(void *handle, uint32_t frames);
    void (*deactivate)(void *handle);
    void (*cleanup)(void *handle);
    const void *(*extension_data)(const char *uri);
} LV2_Descriptor;

/// Numbers for URIs, from 1 up.
typedef struct {
    void *handle;
    uint32_t (*map)(void *handle, const char *uri);
} LV2_URID_Map;

/// URIs of numbers; null for a number that is none.
typedef struct {
    void *handle;
    const char *(*unmap)(void *handle, uint32_t number);
} LV2_URID_Unmap;

typedef struct LilvWorldImpl LilvWorld;
typedef struct LilvNodeImpl LilvNode;
typedef struct LilvPluginImpl LilvPlugin;
typedef struct LilvPortImpl LilvPort;
typedef struct LilvScalePointImpl LilvScalePoint;
typedef struct LilvStateImpl LilvState;
/// The head of an instance, which lilv declares so that hosts call the plug-in directly.
typedef struct {
    const LV2_Descriptor *descriptor;
    void *handle;
    void *own;
} LilvInstance;

typedef const void *(*ossicle_lilv_get_value)(const char *symbol, void *data, uint32_t *size, uint32_t *type);
typedef void (*ossicle_lilv_set_value)(const char *symbol, void *data, const void *value, uint32_t size, uint32_t type);

#include "functions.h"

#define LILV_DECLARE(result, name, parameters, arguments, otherwise) result name parameters __asm__("ossicle_" #name);
LILV_FUNCTIONS(LILV_DECLARE)

/// Looks for lilv, once; whether it is there. Call it before any function of the library's.
bool ossicle_load_lilv(void);
