// What ThreadSanitizer has to be told about Swift's Mutex. Its fast path is compiled into our code and seen; where threads contend it calls into
// libswiftSynchronization, which is compiled without the sanitizer. These take that call's place, hand it on, and tell that a lock was taken or let go.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

extern void __tsan_acquire(void *address);
extern void __tsan_release(void *address);

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK_SLOW);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK_SLOW);

static SWIFT void (*swift_lock_slow)(uint32_t thread, SELF);
static SWIFT void (*swift_unlock_slow)(SELF);

__attribute__((constructor)) static void find(void) {
  swift_lock_slow = (SWIFT void (*)(uint32_t, SELF))dlsym(RTLD_NEXT, LOCK_SLOW);
  swift_unlock_slow = (SWIFT void (*)(SELF))dlsym(RTLD_NEXT, UNLOCK_SLOW);
}

SWIFT void lock_slow(uint32_t thread, SELF) {
  swift_lock_slow(thread, self);
  __tsan_acquire(self);
}

SWIFT void unlock_slow(SELF) {
  __tsan_release(self);
  swift_unlock_slow(self);
}
