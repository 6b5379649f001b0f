#include "COssicle.h"

#if defined(__ELF__)

// Undefined weak symbols are null where the sanitizer is not part of the program.
extern void __rtsan_ensure_initialized(void) __attribute__((weak));
extern void __rtsan_realtime_enter(void) __attribute__((weak));
extern void __rtsan_realtime_exit(void) __attribute__((weak));
extern void __rtsan_disable(void) __attribute__((weak));
extern void __rtsan_enable(void) __attribute__((weak));

void ossicle_rtsan_ensure_initialized(void) { if (__rtsan_ensure_initialized) __rtsan_ensure_initialized(); }
void ossicle_rtsan_enter(void) { if (__rtsan_realtime_enter) __rtsan_realtime_enter(); }
void ossicle_rtsan_exit(void) { if (__rtsan_realtime_exit) __rtsan_realtime_exit(); }
void ossicle_rtsan_pause(void) { if (__rtsan_disable) __rtsan_disable(); }
void ossicle_rtsan_resume(void) { if (__rtsan_enable) __rtsan_enable(); }

#else

void ossicle_rtsan_ensure_initialized(void) {}
void ossicle_rtsan_enter(void) {}
void ossicle_rtsan_exit(void) {}
void ossicle_rtsan_pause(void) {}
void ossicle_rtsan_resume(void) {}

#endif
