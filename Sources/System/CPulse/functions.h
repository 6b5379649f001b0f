// What is used of libpulse: result, name, parameters, arguments, and the result without the library.
#pragma once

#define PULSE_FUNCTIONS(F) \
    F(const char *, pa_strerror, (int error), (error), 0) \
    F(pa_channel_map *, pa_channel_map_init_extend, (pa_channel_map *m, unsigned channels, pa_channel_map_def_t def), (m, channels, def), 0) \
    F(pa_mainloop *, pa_mainloop_new, (void), (), 0) \
    F(void, pa_mainloop_free, (pa_mainloop *m), (m), (void)0) \
    F(pa_mainloop_api *, pa_mainloop_get_api, (pa_mainloop *m), (m), 0) \
    F(int, pa_mainloop_prepare, (pa_mainloop *m, int timeout), (m, timeout), -1) \
    F(int, pa_mainloop_poll, (pa_mainloop *m), (m), -1) \
    F(int, pa_mainloop_dispatch, (pa_mainloop *m), (m), -1) \
    F(void, pa_mainloop_wakeup, (pa_mainloop *m), (m), (void)0) \
    F(pa_proplist *, pa_proplist_new, (void), (), 0) \
    F(void, pa_proplist_free, (pa_proplist *p), (p), (void)0) \
    F(int, pa_proplist_sets, (pa_proplist *p, const char *key, const char *value), (p, key, value), -1) \
    F(pa_context *, pa_context_new, (pa_mainloop_api *mainloop, const char *name), (mainloop, name), 0) \
    F(pa_context *, pa_context_new_with_proplist, (pa_mainloop_api *mainloop, const char *name, const pa_proplist *proplist), (mainloop, name, proplist), 0) \
    F(void, pa_context_unref, (pa_context *c), (c), (void)0) \
    F(int, pa_context_connect, (pa_context *c, const char *server, pa_context_flags_t flags, const pa_spawn_api *api), (c, server, flags, api), -1) \
    F(void, pa_context_disconnect, (pa_context *c), (c), (void)0) \
    F(int, pa_context_errno, (const pa_context *c), (c), PA_ERR_NOTSUPPORTED) \
    F(pa_context_state_t, pa_context_get_state, (const pa_context *c), (c), PA_CONTEXT_FAILED) \
    F(void, pa_context_set_subscribe_callback, (pa_context *c, pa_context_subscribe_cb_t cb, void *userdata), (c, cb, userdata), (void)0) \
    F(pa_operation *, pa_context_subscribe, (pa_context *c, pa_subscription_mask_t m, pa_context_success_cb_t cb, void *userdata), (c, m, cb, userdata), 0) \
    F(pa_operation *, pa_context_get_server_info, (pa_context *c, pa_server_info_cb_t cb, void *userdata), (c, cb, userdata), 0) \
    F(pa_operation *, pa_context_get_sink_info_list, (pa_context *c, pa_sink_info_cb_t cb, void *userdata), (c, cb, userdata), 0) \
    F(pa_operation *, pa_context_get_source_info_list, (pa_context *c, pa_source_info_cb_t cb, void *userdata), (c, cb, userdata), 0) \
    F(pa_operation *, pa_context_get_sink_input_info_list, (pa_context *c, pa_sink_input_info_cb_t cb, void *userdata), (c, cb, userdata), 0) \
    F(pa_operation *, pa_context_get_client_info_list, (pa_context *c, pa_client_info_cb_t cb, void *userdata), (c, cb, userdata), 0) \
    F(pa_operation *, pa_context_proplist_update, (pa_context *c, pa_update_mode_t mode, const pa_proplist *p, pa_context_success_cb_t cb, void *userdata), (c, mode, p, cb, userdata), 0) \
    F(pa_operation *, pa_context_set_sink_input_volume, (pa_context *c, uint32_t idx, const pa_cvolume *volume, pa_context_success_cb_t cb, void *userdata), (c, idx, volume, cb, userdata), 0) \
    F(const char *, pa_proplist_gets, (const pa_proplist *p, const char *key), (p, key), 0) \
    F(pa_cvolume *, pa_sw_cvolume_multiply_scalar, (pa_cvolume *dest, const pa_cvolume *a, pa_volume_t b), (dest, a, b), 0) \
    F(pa_volume_t, pa_cvolume_max, (const pa_cvolume *a), (a), PA_VOLUME_NORM) \
    F(int, pa_cvolume_equal, (const pa_cvolume *a, const pa_cvolume *b), (a, b), 0) \
    F(pa_operation_state_t, pa_operation_get_state, (const pa_operation *o), (o), PA_OPERATION_CANCELLED) \
    F(void, pa_operation_cancel, (pa_operation *o), (o), (void)0) \
    F(void, pa_operation_unref, (pa_operation *o), (o), (void)0) \
    F(pa_stream *, pa_stream_new, (pa_context *c, const char *name, const pa_sample_spec *ss, const pa_channel_map *map), (c, name, ss, map), 0) \
    F(pa_stream *, pa_stream_new_with_proplist, (pa_context *c, const char *name, const pa_sample_spec *ss, const pa_channel_map *map, pa_proplist *p), (c, name, ss, map, p), 0) \
    F(void, pa_stream_unref, (pa_stream *s), (s), (void)0) \
    F(int, pa_stream_connect_playback, (pa_stream *s, const char *dev, const pa_buffer_attr *attr, pa_stream_flags_t flags, const pa_cvolume *volume, pa_stream *sync_stream), (s, dev, attr, flags, volume, sync_stream), -1) \
    F(int, pa_stream_connect_record, (pa_stream *s, const char *dev, const pa_buffer_attr *attr, pa_stream_flags_t flags), (s, dev, attr, flags), -1) \
    F(int, pa_stream_disconnect, (pa_stream *s), (s), -1) \
    F(pa_stream_state_t, pa_stream_get_state, (const pa_stream *p), (p), PA_STREAM_FAILED) \
    F(uint32_t, pa_stream_get_index, (const pa_stream *s), (s), PA_INVALID_INDEX) \
    F(const char *, pa_stream_get_device_name, (const pa_stream *s), (s), 0) \
    F(int, pa_stream_get_latency, (pa_stream *s, pa_usec_t *r_usec, int *negative), (s, r_usec, negative), -1) \
    F(int, pa_stream_get_time, (pa_stream *s, pa_usec_t *r_usec), (s, r_usec), -1) \
    F(pa_operation *, pa_stream_update_timing_info, (pa_stream *s, pa_stream_success_cb_t cb, void *userdata), (s, cb, userdata), 0) \
    F(const pa_timing_info *, pa_stream_get_timing_info, (pa_stream *s), (s), 0) \
    F(const pa_buffer_attr *, pa_stream_get_buffer_attr, (pa_stream *s), (s), 0) \
    F(pa_operation *, pa_stream_set_buffer_attr, (pa_stream *s, const pa_buffer_attr *attr, pa_stream_success_cb_t cb, void *userdata), (s, attr, cb, userdata), 0) \
    F(void, pa_stream_set_moved_callback, (pa_stream *p, pa_stream_notify_cb_t cb, void *userdata), (p, cb, userdata), (void)0) \
    F(void, pa_stream_set_underflow_callback, (pa_stream *p, pa_stream_notify_cb_t cb, void *userdata), (p, cb, userdata), (void)0) \
    F(void, pa_stream_set_overflow_callback, (pa_stream *p, pa_stream_notify_cb_t cb, void *userdata), (p, cb, userdata), (void)0) \
    F(void, pa_stream_set_suspended_callback, (pa_stream *p, pa_stream_notify_cb_t cb, void *userdata), (p, cb, userdata), (void)0) \
    F(void, pa_stream_set_event_callback, (pa_stream *p, pa_stream_event_cb_t cb, void *userdata), (p, cb, userdata), (void)0) \
    F(size_t, pa_stream_writable_size, (const pa_stream *p), (p), (size_t)-1) \
    F(size_t, pa_stream_readable_size, (const pa_stream *p), (p), (size_t)-1) \
    F(int, pa_stream_write, (pa_stream *p, const void *data, size_t nbytes, pa_free_cb_t free_cb, int64_t offset, pa_seek_mode_t seek), (p, data, nbytes, free_cb, offset, seek), -1) \
    F(int, pa_stream_peek, (pa_stream *p, const void * *data, size_t *nbytes), (p, data, nbytes), -1) \
    F(int, pa_stream_drop, (pa_stream *p), (p), -1) \
    F(pa_operation *, pa_stream_drain, (pa_stream *s, pa_stream_success_cb_t cb, void *userdata), (s, cb, userdata), 0) \
    F(pa_operation *, pa_stream_cork, (pa_stream *s, int b, pa_stream_success_cb_t cb, void *userdata), (s, b, cb, userdata), 0) \
    F(pa_operation *, pa_stream_flush, (pa_stream *s, pa_stream_success_cb_t cb, void *userdata), (s, cb, userdata), 0) \
    F(pa_operation *, pa_stream_update_sample_rate, (pa_stream *s, uint32_t rate, pa_stream_success_cb_t cb, void *userdata), (s, rate, cb, userdata), 0)
