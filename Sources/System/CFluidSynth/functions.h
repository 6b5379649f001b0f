// What is used of libfluidsynth: result, name, parameters, arguments, and the result without the library.
#pragma once

#define FLUID_FUNCTIONS(F) \
    F(FluidSettings *, new_fluid_settings, (void), (), 0) \
    F(void, delete_fluid_settings, (FluidSettings *settings), (settings), (void)0) \
    F(int, fluid_settings_setnum, (FluidSettings *settings, const char *name, double value), (settings, name, value), -1) \
    F(int, fluid_settings_setint, (FluidSettings *settings, const char *name, int value), (settings, name, value), -1) \
    F(ossicle_fluid_log, fluid_set_log_function, (int level, ossicle_fluid_log call, void *data), (level, call, data), 0) \
    F(FluidSynthesiser *, new_fluid_synth, (FluidSettings *settings), (settings), 0) \
    F(void, delete_fluid_synth, (FluidSynthesiser *synth), (synth), (void)0) \
    F(int, fluid_synth_sfload, (FluidSynthesiser *synth, const char *path, int resets), (synth, path, resets), -1) \
    F(void, fluid_synth_set_gain, (FluidSynthesiser *synth, float gain), (synth, gain), (void)0) \
    F(int, fluid_synth_reverb_on, (FluidSynthesiser *synth, int group, int isOn), (synth, group, isOn), -1) \
    F(int, fluid_synth_chorus_on, (FluidSynthesiser *synth, int group, int isOn), (synth, group, isOn), -1) \
    F(int, fluid_synth_noteon, (FluidSynthesiser *synth, int channel, int key, int velocity), (synth, channel, key, velocity), -1) \
    F(int, fluid_synth_noteoff, (FluidSynthesiser *synth, int channel, int key), (synth, channel, key), -1) \
    F(int, fluid_synth_cc, (FluidSynthesiser *synth, int channel, int number, int value), (synth, channel, number, value), -1) \
    F(int, fluid_synth_program_change, (FluidSynthesiser *synth, int channel, int program), (synth, channel, program), -1) \
    F(int, fluid_synth_channel_pressure, (FluidSynthesiser *synth, int channel, int value), (synth, channel, value), -1) \
    F(int, fluid_synth_key_pressure, (FluidSynthesiser *synth, int channel, int key, int value), (synth, channel, key, value), -1) \
    F(int, fluid_synth_pitch_bend, (FluidSynthesiser *synth, int channel, int value), (synth, channel, value), -1) \
    F(int, fluid_synth_sysex, \
      (FluidSynthesiser *synth, const char *data, int count, char *reply, int *replyCount, int *isHandled, int isTrial), \
      (synth, data, count, reply, replyCount, isHandled, isTrial), -1) \
    F(int, fluid_synth_system_reset, (FluidSynthesiser *synth), (synth), -1) \
    F(int, fluid_synth_get_active_voice_count, (FluidSynthesiser *synth), (synth), 0) \
    F(int, fluid_synth_write_float, \
      (FluidSynthesiser *synth, int count, void *left, int leftOffset, int leftStep, void *right, int rightOffset, int rightStep), \
      (synth, count, left, leftOffset, leftStep, right, rightOffset, rightStep), -1)
