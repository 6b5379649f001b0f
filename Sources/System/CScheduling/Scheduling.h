// How a device's thread is scheduled. Linux; elsewhere nothing is obtained.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The number the system knows the calling thread by.
uint64_t ossicle_thread_id(void);
/// Has the calling thread scheduled first in, first out, at a priority from 1 up. False where this process may not.
bool ossicle_make_thread_realtime(int priority);
bool ossicle_thread_is_realtime(void);
bool ossicle_make_thread_nice(int nice);

/// Asks RealtimeKit for the same: the system service of Linux desktops that gives real time to programs that have no right to it, over D-Bus.
/// False where libdbus, the system's bus or the service is missing, or refuses. Waits half a second for the bus and the service; where the bus
/// lets no client in, without end, and does not ask when it does so later. The process must have limited RLIMIT_RTTIME before.
bool ossicle_ask_realtime_kit(uint64_t thread, uint32_t priority);

/// Has real time end for a thread that computes without a pause: puts the threads guarded back to ordinary scheduling at three quarters of `most`
/// microseconds, by SIGXCPU (the soft RLIMIT_RTTIME), unless the program handles that signal itself. False where that cannot be had: the thread
/// should not become one of real time then.
bool ossicle_guard_realtime_thread(uint64_t most);
/// Has the kernel end the process at `most` microseconds, for good (the hard RLIMIT_RTTIME), which RealtimeKit demands.
bool ossicle_limit_realtime(uint64_t most);
/// The last call of a thread that is guarded.
void ossicle_forget_realtime_thread(void);

/// Counts the threads of devices that run in this process.
void ossicle_device_thread_begins(void);
void ossicle_device_thread_ends(void);
int ossicle_device_threads(void);

/// Keeps memory from being paged out, as far as the system's limit goes.
bool ossicle_lock_memory(const void *memory, size_t bytes);
void ossicle_unlock_memory(const void *memory, size_t bytes);
/// Brings 64 KiB of the calling thread's stack in and keeps them in, until the thread ends.
bool ossicle_lock_stack(void);
