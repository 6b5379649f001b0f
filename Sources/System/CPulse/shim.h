// The part of libpulse's binary interface that is used, in our own declarations: a build needs no headers of libpulse's.
#pragma once
#include <RuntimeLibrary.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>

typedef struct pa_mainloop pa_mainloop;
typedef struct pa_mainloop_api pa_mainloop_api;
typedef struct pa_context pa_context;
typedef struct pa_stream pa_stream;
typedef struct pa_operation pa_operation;
typedef struct pa_proplist pa_proplist;
typedef struct pa_spawn_api pa_spawn_api;

/// Microseconds; a volume of which 65,536 is full.
typedef uint64_t pa_usec_t;
typedef uint32_t pa_volume_t;
#define PA_VOLUME_NORM 0x10000U
#define PA_INVALID_INDEX 0xFFFFFFFFU

typedef enum pa_context_flags { PA_CONTEXT_NOAUTOSPAWN = 1 } pa_context_flags_t;
typedef enum pa_context_state { PA_CONTEXT_READY = 4, PA_CONTEXT_FAILED = 5, PA_CONTEXT_TERMINATED = 6 } pa_context_state_t;
typedef enum pa_stream_state { PA_STREAM_CREATING = 1, PA_STREAM_READY = 2, PA_STREAM_FAILED = 3 } pa_stream_state_t;
typedef enum pa_stream_flags { PA_STREAM_ADJUST_LATENCY = 0x2000 } pa_stream_flags_t;
typedef enum pa_operation_state { PA_OPERATION_RUNNING = 0, PA_OPERATION_CANCELLED = 2 } pa_operation_state_t;
typedef enum pa_seek_mode { PA_SEEK_RELATIVE = 0 } pa_seek_mode_t;
typedef enum pa_update_mode { PA_UPDATE_REPLACE = 2 } pa_update_mode_t;
typedef enum pa_subscription_mask {
    PA_SUBSCRIPTION_MASK_NULL = 0,
    PA_SUBSCRIPTION_MASK_SINK = 0x01,
    PA_SUBSCRIPTION_MASK_SOURCE = 0x02,
    PA_SUBSCRIPTION_MASK_SINK_INPUT = 0x04,
    PA_SUBSCRIPTION_MASK_CLIENT = 0x20,
    PA_SUBSCRIPTION_MASK_SERVER = 0x80
} pa_subscription_mask_t;
typedef unsigned pa_subscription_event_type_t;

typedef enum pa_error_code {
    PA_ERR_ACCESS = 1,
    PA_ERR_NOENTITY = 5,
    PA_ERR_CONNECTIONREFUSED = 6,
    PA_ERR_TIMEOUT = 8,
    PA_ERR_AUTHKEY = 9,
    PA_ERR_INTERNAL = 10,
    PA_ERR_CONNECTIONTERMINATED = 11,
    PA_ERR_KILLED = 12,
    PA_ERR_INVALIDSERVER = 13,
    PA_ERR_NOTSUPPORTED = 19,
    PA_ERR_BUSY = 26
} pa_error_code_t;

typedef enum pa_sample_format { PA_SAMPLE_INVALID = -1, PA_SAMPLE_FLOAT32LE = 5, PA_SAMPLE_FLOAT32BE = 6 } pa_sample_format_t;
typedef struct pa_sample_spec {
    pa_sample_format_t format;
    uint32_t rate;
    uint8_t channels;
} pa_sample_spec;

typedef enum pa_channel_position {
    PA_CHANNEL_POSITION_INVALID = -1,
    PA_CHANNEL_POSITION_MONO = 0,
    PA_CHANNEL_POSITION_FRONT_LEFT = 1,
    PA_CHANNEL_POSITION_FRONT_RIGHT = 2,
    PA_CHANNEL_POSITION_FRONT_CENTER = 3,
    PA_CHANNEL_POSITION_REAR_CENTER = 4,
    PA_CHANNEL_POSITION_REAR_LEFT = 5,
    PA_CHANNEL_POSITION_REAR_RIGHT = 6,
    PA_CHANNEL_POSITION_LFE = 7,
    PA_CHANNEL_POSITION_FRONT_LEFT_OF_CENTER = 8,
    PA_CHANNEL_POSITION_FRONT_RIGHT_OF_CENTER = 9,
    PA_CHANNEL_POSITION_SIDE_LEFT = 10,
    PA_CHANNEL_POSITION_SIDE_RIGHT = 11,
    PA_CHANNEL_POSITION_TOP_CENTER = 44,
    PA_CHANNEL_POSITION_TOP_FRONT_LEFT = 45,
    PA_CHANNEL_POSITION_TOP_FRONT_RIGHT = 46,
    PA_CHANNEL_POSITION_TOP_FRONT_CENTER = 47,
    PA_CHANNEL_POSITION_TOP_REAR_LEFT = 48,
    PA_CHANNEL_POSITION_TOP_REAR_RIGHT = 49,
    PA_CHANNEL_POSITION_TOP_REAR_CENTER = 50
} pa_channel_position_t;
typedef enum pa_channel_map_def { PA_CHANNEL_MAP_WAVEEX = 3 } pa_channel_map_def_t;

enum { OSSICLE_PULSE_CHANNELS = 32 };
typedef struct pa_channel_map {
    uint8_t channels;
    pa_channel_position_t map[OSSICLE_PULSE_CHANNELS];
} pa_channel_map;
typedef struct pa_cvolume {
    uint8_t channels;
    pa_volume_t values[OSSICLE_PULSE_CHANNELS];
} pa_cvolume;
typedef struct pa_buffer_attr {
    uint32_t maxlength, tlength, prebuf, minreq, fragsize;
} pa_buffer_attr;

/// How far a stream has come.
typedef struct pa_timing_info {
    struct timeval timestamp;
    int synchronized_clocks;
    pa_usec_t sink_usec, source_usec, transport_usec;
    int playing;
    int write_index_corrupt;
    int64_t write_index;
    int read_index_corrupt;
    int64_t read_index;
    pa_usec_t configured_sink_usec, configured_source_usec;
    int64_t since_underrun;
} pa_timing_info;

/// Kinds of sockets.
typedef enum pa_device_port_type {
    PA_DEVICE_PORT_TYPE_AUX = 1,
    PA_DEVICE_PORT_TYPE_SPEAKER = 2,
    PA_DEVICE_PORT_TYPE_HEADPHONES = 3,
    PA_DEVICE_PORT_TYPE_LINE = 4,
    PA_DEVICE_PORT_TYPE_HEADSET = 6,
    PA_DEVICE_PORT_TYPE_HANDSET = 7,
    PA_DEVICE_PORT_TYPE_EARPIECE = 8,
    PA_DEVICE_PORT_TYPE_SPDIF = 9,
    PA_DEVICE_PORT_TYPE_HDMI = 10,
    PA_DEVICE_PORT_TYPE_TV = 11,
    PA_DEVICE_PORT_TYPE_CAR = 18,
    PA_DEVICE_PORT_TYPE_HIFI = 19
} pa_device_port_type_t;

// What the server answers; libpulse makes these, and the ends of some are left out.

typedef struct pa_sink_port_info {
    const char *name, *description;
    uint32_t priority;
    int available;
    const char *availability_group;
    uint32_t type;
} pa_sink_port_info;
typedef struct pa_sink_info {
    const char *name;
    uint32_t index;
    const char *description;
    pa_sample_spec sample_spec;
    pa_channel_map channel_map;
    uint32_t owner_module;
    pa_cvolume volume;
    int mute;
    uint32_t monitor_source;
    const char *monitor_source_name;
    pa_usec_t latency;
    const char *driver;
    int flags;
    pa_proplist *proplist;
    pa_usec_t configured_latency;
    pa_volume_t base_volume;
    int state;
    uint32_t n_volume_steps, card, n_ports;
    pa_sink_port_info **ports, *active_port;
} pa_sink_info;
typedef struct pa_source_info {
    const char *name;
    uint32_t index;
    const char *description;
    pa_sample_spec sample_spec;
    pa_channel_map channel_map;
    uint32_t owner_module;
    pa_cvolume volume;
    int mute;
    uint32_t monitor_of_sink;
    const char *monitor_of_sink_name;
    pa_usec_t latency;
} pa_source_info;
typedef struct pa_server_info {
    const char *user_name, *host_name, *server_version, *server_name;
    pa_sample_spec sample_spec;
    const char *default_sink_name, *default_source_name;
} pa_server_info;
typedef struct pa_client_info {
    uint32_t index;
    const char *name;
    uint32_t owner_module;
    const char *driver;
    pa_proplist *proplist;
} pa_client_info;
typedef struct pa_sink_input_info {
    uint32_t index;
    const char *name;
    uint32_t owner_module, client, sink;
    pa_sample_spec sample_spec;
    pa_channel_map channel_map;
    pa_cvolume volume;
    pa_usec_t buffer_usec, sink_usec;
    const char *resample_method, *driver;
    int mute;
    pa_proplist *proplist;
    int corked, has_volume, volume_writable;
} pa_sink_input_info;

typedef void (*pa_free_cb_t)(void *memory);
typedef void (*pa_context_success_cb_t)(pa_context *context, int success, void *data);
typedef void (*pa_context_subscribe_cb_t)(pa_context *context, pa_subscription_event_type_t type, uint32_t index, void *data);
typedef void (*pa_server_info_cb_t)(pa_context *context, const pa_server_info *info, void *data);
typedef void (*pa_sink_info_cb_t)(pa_context *context, const pa_sink_info *info, int isLast, void *data);
typedef void (*pa_source_info_cb_t)(pa_context *context, const pa_source_info *info, int isLast, void *data);
typedef void (*pa_sink_input_info_cb_t)(pa_context *context, const pa_sink_input_info *info, int isLast, void *data);
typedef void (*pa_client_info_cb_t)(pa_context *context, const pa_client_info *info, int isLast, void *data);
typedef void (*pa_stream_success_cb_t)(pa_stream *stream, int success, void *data);
typedef void (*pa_stream_notify_cb_t)(pa_stream *stream, void *data);
typedef void (*pa_stream_event_cb_t)(pa_stream *stream, const char *name, pa_proplist *properties, void *data);

#include "functions.h"
PULSE_FUNCTIONS(RUNTIME_DECLARE)

/// Looks for libpulse, once; whether it is there. Call it before any function of the library's.
bool ossicle_load_pulse(void);
