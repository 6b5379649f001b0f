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
    F(int, snd_pcm_sw_params, (snd_pcm_t *pcm, snd_pcm_sw_params_t *software), (pcm, software), -1)
