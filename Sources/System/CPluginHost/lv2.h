// Facts of LV2's binary interface: structures and URIs of the extensions that are offered.
#pragma once
#include <shim.h>
#include <stdarg.h>
#include <stdint.h>

#define LV2_CORE "http://lv2plug.in/ns/lv2core#"
#define LV2_EXT "http://lv2plug.in/ns/ext/"
#define LV2_ATOM LV2_EXT "atom#"
#define LV2_MIDI_EVENT LV2_EXT "midi#MidiEvent"
#define LV2_TIME LV2_EXT "time#"
#define LV2_UNITS "http://lv2plug.in/ns/extensions/units#"
#define LV2_WORKER LV2_EXT "worker#"
#define LV2_OPTIONS LV2_EXT "options#"
#define LV2_BUFFER LV2_EXT "buf-size#"
#define LV2_STATE LV2_EXT "state#"
#define LV2_PROPS LV2_EXT "port-props#"
#define LV2_URID LV2_EXT "urid#"
#define LV2_LOG LV2_EXT "log#"
#define LV2_PATCH LV2_EXT "patch#"
#define LV2_PRESET LV2_EXT "presets#Preset"

/// Head of an atom: bytes behind it, and the number of its type.
typedef struct {
    uint32_t size, type;
} lv2_atom;
/// A sequence: an atom whose body begins with the number of the unit of time, 0 for frames.
typedef struct {
    lv2_atom atom;
    uint32_t unit, unused;
} lv2_sequence;
/// An event of a sequence, followed by its bytes, filled up to a multiple of 8.
typedef struct {
    int64_t frame;
    lv2_atom body;
} lv2_sequence_event;

typedef int (*lv2_respond)(void *handle, uint32_t size, const void *data);
/// What a plug-in with a worker exports.
typedef struct {
    int (*work)(void *instance, lv2_respond respond, void *handle, uint32_t size, const void *data);
    int (*work_response)(void *instance, uint32_t size, const void *data);
    int (*end_run)(void *instance);
} lv2_worker;
/// The host's side of it.
typedef struct {
    void *handle;
    int (*schedule)(void *handle, uint32_t size, const void *data);
} lv2_schedule;

/// The host's side of files that belong to a state: a path for a file or folder that is to be made, and the end of such a path's memory.
typedef struct {
    void *handle;
    char *(*make)(void *handle, const char *path);
} lv2_make_path;
typedef struct {
    void *handle;
    void (*release)(void *handle, char *path);
} lv2_free_path;

/// The host's side of paths in a state. Both results are freed by `lv2_free_path`.
typedef struct {
    void *handle;
    char *(*abstract_path)(void *handle, const char *absolute);
    char *(*absolute_path)(void *handle, const char *abstract);
} lv2_map_path;

typedef struct {
    uint32_t context, subject, key, size, type;
    const void *value;
} lv2_option;

typedef struct {
    void *handle;
    int (*print)(void *handle, uint32_t type, const char *format, ...);
    int (*vprint)(void *handle, uint32_t type, const char *format, va_list arguments);
} lv2_log;
