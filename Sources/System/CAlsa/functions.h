// What is used of libasound: result, name, parameters, arguments, and the result without the library.
#pragma once

#define ALSA_FUNCTIONS(F) \
    F(const char *, snd_strerror, (int code), (code), 0) \
    F(int, snd_card_next, (int *card), (card), -1) \
    F(int, snd_device_name_hint, (int card, const char *kind, void ***hints), (card, kind, hints), -1) \
    F(char *, snd_device_name_get_hint, (const void *hint, const char *key), (hint, key), 0) \
    F(int, snd_device_name_free_hint, (void **hints), (hints), -1) \
    F(int, snd_pcm_open, (snd_pcm_t **pcm, const char *name, int stream, int mode), (pcm, name, stream, mode), -1) \
    F(int, snd_pcm_close, (snd_pcm_t *pcm), (pcm), -1) \
    F(int, snd_pcm_prepare, (snd_pcm_t *pcm), (pcm), -1) \
    F(int, snd_pcm_start, (snd_pcm_t *pcm), (pcm), -1) \
    F(int, snd_pcm_drop, (snd_pcm_t *pcm), (pcm), -1) \
    F(int, snd_pcm_wait, (snd_pcm_t *pcm, int milliseconds), (pcm, milliseconds), -1) \
    F(int, snd_pcm_recover, (snd_pcm_t *pcm, int code, int silent), (pcm, code, silent), -1) \
    F(int, snd_pcm_delay, (snd_pcm_t *pcm, long *frames), (pcm, frames), -1) \
    F(unsigned *, snd_pcm_get_chmap, (snd_pcm_t *pcm), (pcm), 0) \
    F(long, snd_pcm_avail_update, (snd_pcm_t *pcm), (pcm), -1) \
    F(long, snd_pcm_writei, (snd_pcm_t *pcm, const void *frames, unsigned long count), (pcm, frames, count), -1) \
    F(long, snd_pcm_readi, (snd_pcm_t *pcm, void *frames, unsigned long count), (pcm, frames, count), -1) \
    F(int, snd_pcm_hw_params_malloc, (snd_pcm_hw_params_t **hardware), (hardware), -1) \
    F(void, snd_pcm_hw_params_free, (snd_pcm_hw_params_t *hardware), (hardware), (void)0) \
    F(int, snd_pcm_hw_params_any, (snd_pcm_t *pcm, snd_pcm_hw_params_t *hardware), (pcm, hardware), -1) \
    F(int, snd_pcm_hw_params, (snd_pcm_t *pcm, snd_pcm_hw_params_t *hardware), (pcm, hardware), -1) \
    F(int, snd_pcm_hw_params_set_access, (snd_pcm_t *pcm, snd_pcm_hw_params_t *hardware, int access), (pcm, hardware, access), -1) \
    F(int, snd_pcm_hw_params_set_format, (snd_pcm_t *pcm, snd_pcm_hw_params_t *hardware, int format), (pcm, hardware, format), -1) \
    F(int, snd_pcm_hw_params_set_channels_near, (snd_pcm_t *pcm, snd_pcm_hw_params_t *hardware, unsigned *count), \
      (pcm, hardware, count), -1) \
    F(int, snd_pcm_hw_params_get_channels_max, (const snd_pcm_hw_params_t *hardware, unsigned *count), (hardware, count), -1) \
    F(int, snd_pcm_hw_params_set_rate_near, (snd_pcm_t *pcm, snd_pcm_hw_params_t *hardware, unsigned *rate, int *direction), \
      (pcm, hardware, rate, direction), -1) \
    F(int, snd_pcm_hw_params_set_period_size_near, (snd_pcm_t *pcm, snd_pcm_hw_params_t *hardware, unsigned long *frames, int *direction), \
      (pcm, hardware, frames, direction), -1) \
    F(int, snd_pcm_hw_params_set_buffer_size_near, (snd_pcm_t *pcm, snd_pcm_hw_params_t *hardware, unsigned long *frames), \
      (pcm, hardware, frames), -1) \
    F(int, snd_pcm_sw_params_malloc, (snd_pcm_sw_params_t **software), (software), -1) \
    F(void, snd_pcm_sw_params_free, (snd_pcm_sw_params_t *software), (software), (void)0) \
    F(int, snd_pcm_sw_params_current, (snd_pcm_t *pcm, snd_pcm_sw_params_t *software), (pcm, software), -1) \
    F(int, snd_pcm_sw_params_set_start_threshold, (snd_pcm_t *pcm, snd_pcm_sw_params_t *software, unsigned long frames), \
      (pcm, software, frames), -1) \
    F(int, snd_pcm_sw_params_set_avail_min, (snd_pcm_t *pcm, snd_pcm_sw_params_t *software, unsigned long frames), \
      (pcm, software, frames), -1) \
    F(int, snd_pcm_sw_params, (snd_pcm_t *pcm, snd_pcm_sw_params_t *software), (pcm, software), -1) \
    F(int, snd_seq_open, (snd_seq_t **seq, const char *name, int streams, int mode), (seq, name, streams, mode), -1) \
    F(int, snd_seq_close, (snd_seq_t *seq), (seq), -1) \
    F(int, snd_seq_client_id, (snd_seq_t *seq), (seq), -1) \
    F(int, snd_seq_set_client_name, (snd_seq_t *seq, const char *name), (seq, name), -1) \
    F(int, snd_seq_create_simple_port, (snd_seq_t *seq, const char *name, unsigned caps, unsigned type), (seq, name, caps, type), -1) \
    F(int, snd_seq_connect_from, (snd_seq_t *seq, int port, int client, int their), (seq, port, client, their), -1) \
    F(int, snd_seq_connect_to, (snd_seq_t *seq, int port, int client, int their), (seq, port, client, their), -1) \
    F(int, snd_seq_poll_descriptors, (snd_seq_t *seq, struct pollfd *places, unsigned count, short events), (seq, places, count, events), -1) \
    F(int, snd_seq_event_input, (snd_seq_t *seq, ossicle_alsa_event **event), (seq, event), -1) \
    F(int, snd_seq_event_output_direct, (snd_seq_t *seq, ossicle_alsa_event *event), (seq, event), -1) \
    F(int, snd_seq_client_info_malloc, (snd_seq_client_info_t **info), (info), -1) \
    F(void, snd_seq_client_info_free, (snd_seq_client_info_t *info), (info), (void)0) \
    F(void, snd_seq_client_info_set_client, (snd_seq_client_info_t *info, int client), (info, client), (void)0) \
    F(int, snd_seq_client_info_get_client, (const snd_seq_client_info_t *info), (info), -1) \
    F(const char *, snd_seq_client_info_get_name, (snd_seq_client_info_t *info), (info), 0) \
    F(int, snd_seq_query_next_client, (snd_seq_t *seq, snd_seq_client_info_t *info), (seq, info), -1) \
    F(int, snd_seq_port_info_malloc, (snd_seq_port_info_t **info), (info), -1) \
    F(void, snd_seq_port_info_free, (snd_seq_port_info_t *info), (info), (void)0) \
    F(void, snd_seq_port_info_set_client, (snd_seq_port_info_t *info, int client), (info, client), (void)0) \
    F(void, snd_seq_port_info_set_port, (snd_seq_port_info_t *info, int port), (info, port), (void)0) \
    F(int, snd_seq_port_info_get_port, (const snd_seq_port_info_t *info), (info), -1) \
    F(const char *, snd_seq_port_info_get_name, (const snd_seq_port_info_t *info), (info), 0) \
    F(unsigned, snd_seq_port_info_get_capability, (const snd_seq_port_info_t *info), (info), 0) \
    F(int, snd_seq_query_next_port, (snd_seq_t *seq, snd_seq_port_info_t *info), (seq, info), -1) \
    F(int, snd_midi_event_new, (unsigned long size, snd_midi_event_t **coder), (size, coder), -1) \
    F(void, snd_midi_event_free, (snd_midi_event_t *coder), (coder), (void)0) \
    F(void, snd_midi_event_no_status, (snd_midi_event_t *coder, int on), (coder, on), (void)0) \
    F(long, snd_midi_event_encode, (snd_midi_event_t *coder, const unsigned char *bytes, long count, ossicle_alsa_event *event), \
      (coder, bytes, count, event), -1) \
    F(long, snd_midi_event_decode, (snd_midi_event_t *coder, unsigned char *bytes, long count, const ossicle_alsa_event *event), \
      (coder, bytes, count, event), -1)
