// What ThreadSanitizer has to be told about Swift's run-time libraries, which are compiled without it. The functions here take the place of theirs, hand
// each call on, and tell what it puts in order.
//
// - Mutex: its fast path is compiled into our code and seen; where threads contend it calls into libswiftSynchronization.
// - Reference counts, of objects and of blocks: who is the last owner of something changes it in place, or frees it. He has learned from the count that the
//   others are done, so what they did before they let go happened before. A release is put in order with what the last owner does then, and with
//   nothing else: that two threads count the same object does not put their work in order.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdbool.h>
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
static void (*release)(void *object);
static void (*release_n)(void *object, uint32_t n);
static void (*bridge_release)(void *object);
static void (*bridge_release_n)(void *object, uint32_t n);
static void (*block_release)(const void *block);
static bool (*is_unique)(void *object);
static size_t (*count_of)(void *object);

static void find(void) {
  swift_lock_slow = (SWIFT void (*)(uint32_t, SELF))dlsym(RTLD_NEXT, LOCK_SLOW);
  swift_unlock_slow = (SWIFT void (*)(SELF))dlsym(RTLD_NEXT, UNLOCK_SLOW);
  release_n = (void (*)(void *, uint32_t))dlsym(RTLD_NEXT, "swift_release_n");
  bridge_release = (void (*)(void *))dlsym(RTLD_NEXT, "swift_bridgeObjectRelease");
  bridge_release_n = (void (*)(void *, uint32_t))dlsym(RTLD_NEXT, "swift_bridgeObjectRelease_n");
  block_release = (void (*)(const void *))dlsym(RTLD_NEXT, "_Block_release");
  is_unique = (bool (*)(void *))dlsym(RTLD_NEXT, "swift_isUniquelyReferenced_nonNull_native");
  count_of = (size_t (*)(void *))dlsym(RTLD_NEXT, "swift_retainCount");
  release = (void (*)(void *))dlsym(RTLD_NEXT, "swift_release");
}

// Libraries may run Swift before a constructor of the program's.
static inline void ready(void) {
  if (__builtin_expect(!release, 0)) find();
}

SWIFT void lock_slow(uint32_t thread, SELF) {
  ready();
  swift_lock_slow(thread, self);
  __tsan_acquire(self);
}

SWIFT void unlock_slow(SELF) {
  ready();
  __tsan_release(self);
  swift_unlock_slow(self);
}

// Counting down, by one thread at a time for each object: else two that let go at once would both find that they are not the last.
enum { TURNS = 4096 };
static bool turns[TURNS];
static inline bool *turn(const void *object) { return &turns[((uintptr_t)object >> 4) % TURNS]; }
static inline void take(bool *turn) {
  while (__atomic_exchange_n(turn, true, __ATOMIC_ACQUIRE)) sched_yield();
}
static inline void give(bool *turn) { __atomic_store_n(turn, false, __ATOMIC_RELEASE); }

#define LET_GO(object, is_last, call) \
  do { \
    __tsan_release((void *)(object)); \
    take(turn(object)); \
    if (is_last) { \
      give(turn(object)); \
      __tsan_acquire((void *)(object)); \
      call; \
    } else { \
      call; \
      give(turn(object)); \
    } \
  } while (0)

// The address in a bridge object, whose upper byte and lowest bits are flags; null for one without a count, such as a short string.
static inline void *counted(void *object) {
  uintptr_t bits = (uintptr_t)object;
  return bits >> 63 ? 0 : (void *)(bits & 0x00fffffffffffff8);
}

void swift_release(void *object) {
  ready();
  if (object) LET_GO(object, count_of(object) <= 1, release(object));
}

void swift_release_n(void *object, uint32_t n) {
  ready();
  if (object) LET_GO(object, count_of(object) <= n, release_n(object, n));
}

void swift_bridgeObjectRelease(void *object) {
  ready();
  void *address = counted(object);
  if (address) LET_GO(address, count_of(address) <= 1, bridge_release(object));
}

void swift_bridgeObjectRelease_n(void *object, uint32_t n) {
  ready();
  void *address = counted(object);
  if (address) LET_GO(address, count_of(address) <= n, bridge_release_n(object, n));
}

bool swift_isUniquelyReferenced_nonNull_native(void *object) {
  ready();
  bool is_alone = is_unique(object);
  if (is_alone) __tsan_acquire(object);
  return is_alone;
}

// As the compiler lays blocks out: what is on the heap has a count in steps of two.
struct block {
  void *isa;
  int32_t flags;
};

void _Block_release(const void *block) {
  ready();
  if (!block) return;
  const int32_t *flags = &((const struct block *)block)->flags;
  int32_t found = __atomic_load_n(flags, __ATOMIC_RELAXED);
  bool is_counted = (found & (1 << 24)) && !(found & (1 << 28));
  if (!is_counted) return block_release(block);
  LET_GO(block, (__atomic_load_n(flags, __ATOMIC_RELAXED) & 0xfffe) <= 2, block_release(block));
}
