// What is used of libjack: result, name, parameters, arguments, and the result without the library.
#pragma once

#define JACK_FUNCTIONS(F) \
    F(int, jack_client_close, (jack_client_t *client), (client), -1) \
    F(int, jack_activate, (jack_client_t *client), (client), -1) \
    F(int, jack_deactivate, (jack_client_t *client), (client), -1) \
    F(char *, jack_get_client_name, (jack_client_t *client), (client), 0) \
    F(uint32_t, jack_get_sample_rate, (jack_client_t *client), (client), 0) \
    F(uint32_t, jack_get_buffer_size, (jack_client_t *client), (client), 0) \
    F(int, jack_is_realtime, (jack_client_t *client), (client), 0) \
    F(uint64_t, jack_get_time, (void), (), 0) \
    F(int, jack_get_cycle_times, (const jack_client_t *client, uint32_t *frame, uint64_t *begin, uint64_t *next, float *period), \
      (client, frame, begin, next, period), -1) \
    F(int, jack_set_process_callback, (jack_client_t *client, ossicle_jack_process call, void *data), (client, call, data), -1) \
    F(int, jack_set_xrun_callback, (jack_client_t *client, ossicle_jack_notice call, void *data), (client, call, data), -1) \
    F(int, jack_set_graph_order_callback, (jack_client_t *client, ossicle_jack_notice call, void *data), (client, call, data), -1) \
    F(int, jack_set_port_registration_callback, (jack_client_t *client, ossicle_jack_port_notice call, void *data), (client, call, data), -1) \
    F(int, jack_client_real_time_priority, (jack_client_t *client), (client), -1) \
    F(void, jack_on_shutdown, (jack_client_t *client, ossicle_jack_shutdown call, void *data), (client, call, data), (void)0) \
    F(void, jack_set_error_function, (ossicle_jack_message call), (call), (void)0) \
    F(void, jack_set_info_function, (ossicle_jack_message call), (call), (void)0) \
    F(jack_port_t *, jack_port_register, (jack_client_t *client, const char *name, const char *type, unsigned long flags, unsigned long size), \
      (client, name, type, flags, size), 0) \
    F(void *, jack_port_get_buffer, (jack_port_t *port, uint32_t frames), (port, frames), 0) \
    F(const char *, jack_port_name, (const jack_port_t *port), (port), 0) \
    F(jack_port_t *, jack_port_by_name, (jack_client_t *client, const char *name), (client, name), 0) \
    F(void, jack_port_get_latency_range, (jack_port_t *port, int mode, ossicle_jack_latency *range), (port, mode, range), (void)0) \
    F(const char **, jack_get_ports, (jack_client_t *client, const char *name, const char *type, unsigned long flags), \
      (client, name, type, flags), 0) \
    F(int, jack_connect, (jack_client_t *client, const char *from, const char *to), (client, from, to), -1) \
    F(uint32_t, jack_midi_get_event_count, (void *buffer), (buffer), 0) \
    F(int, jack_midi_event_get, (ossicle_jack_midi_event *event, void *buffer, uint32_t index), (event, buffer, index), -1) \
    F(void, jack_midi_clear_buffer, (void *buffer), (buffer), (void)0) \
    F(uint8_t *, jack_midi_event_reserve, (void *buffer, uint32_t frame, unsigned long size), (buffer, frame, size), 0) \
    F(void, jack_free, (void *memory), (memory), (void)0)
