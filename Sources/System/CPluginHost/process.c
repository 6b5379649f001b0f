// The other side: a process in which plug-ins run.
//
// The program that hosts is a client's, of which nothing is known but that this library is in it. So the plug-in's process is the same
// program started anew: `begin` runs before `main`, sees by its environment what it is wanted for, and never returns. No helper has to be
// found, and no memory of the host is copied or kept, as by a bare fork.
#define _GNU_SOURCE
#include "internal.h"
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

enum { host = 3, shared = 4, longest = 1 << 28 };

static ossicle_plugin *plugin;
static ossicle_exchange exchange;
static pthread_t renderer;
static uint32_t ends;

// MARK: Rendering

static void *render(void *unused) {
    (void)unused;
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
    // Where that may be had: the host's audio thread waits for this one.
    struct sched_param priority = {.sched_priority = 5};
    pthread_setschedparam(pthread_self(), SCHED_FIFO | SCHED_RESET_ON_FORK, &priority);
    ossicle_exchange_head *head = ossicle_exchange_top(&exchange);
    uint32_t done = __atomic_load_n(&head->reply, __ATOMIC_ACQUIRE);
    while (!__atomic_load_n(&ends, __ATOMIC_ACQUIRE)) {
        uint32_t wanted = __atomic_load_n(&head->request, __ATOMIC_ACQUIRE);
        if (wanted == done) {
            syscall(SYS_futex, &head->request, FUTEX_WAIT, wanted, 0, 0, 0);
            continue;
        }
        // A state is restored meanwhile: the block waits for it, and the host decides for how long.
        ossicle_plugin_run(plugin, &exchange);
        done = wanted;
        __atomic_store_n(&head->reply, done, __ATOMIC_RELEASE);
        syscall(SYS_futex, &head->reply, FUTEX_WAKE, 1, 0, 0, 0);
    }
    return 0;
}

static void end_plugin(void) {
    if (!plugin) return;
    __atomic_store_n(&ends, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &ossicle_exchange_top(&exchange)->request, FUTEX_WAKE, 1, 0, 0, 0);
    pthread_join(renderer, 0);
    ossicle_plugin_free(plugin);
    munmap(exchange.memory, exchange.size);
    plugin = 0;
}

/// A reason, or null for success.
static const char *begin_plugin(const uint8_t *body, uint32_t size) {
    static char reason[512];
    ossicle_make_command command;
    // Two zeros end the list of bundles.
    if (size < sizeof command + 4 || body[size - 1] != 0 || body[size - 2] != 0) return "the command is too short";
    memcpy(&command, body, sizeof command);
    const char *uri = (const char *)body + sizeof command, *end = (const char *)body + size;
    const char *folder = uri + strlen(uri) + 1, *bundles = folder < end ? folder + strlen(folder) + 1 : end;
    if (bundles >= end) return "the command names no bundles";
    end_plugin();
    plugin = ossicle_plugin_make(uri, folder, bundles, (ossicle_plugin_shape){command.rate, command.capacity, command.copies}, reason, sizeof reason);
    if (!plugin) return *reason ? reason : "it could not be loaded";
    exchange = (ossicle_exchange){0, 0, command.ports, command.inputs, command.outputs, command.capacity};
    exchange.size = ossicle_exchange_size(command.ports, command.inputs, command.outputs, command.capacity);
    exchange.memory = mmap(0, exchange.size, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
    if (exchange.memory == MAP_FAILED || pthread_create(&renderer, 0, render, (ends = 0, (void *)0)) != 0) {
        ossicle_plugin_free(plugin);
        plugin = 0;
        return "there is no memory or thread for it";
    }
    return 0;
}

// MARK: Commands

static bool read_all(void *memory, size_t size) {
    for (uint8_t *at = memory; size > 0;) {
        ssize_t count = read(host, at, size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        at += count;
        size -= (size_t)count;
    }
    return true;
}

static bool write_all(const void *memory, size_t size) {
    for (const uint8_t *at = memory; size > 0;) {
        ssize_t count = send(host, at, size, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        at += count;
        size -= (size_t)count;
    }
    return true;
}

static bool reply(uint32_t status, const void *bytes, size_t size) {
    uint32_t head[] = {status, (uint32_t)size};
    return write_all(head, sizeof head) && write_all(bytes, size);
}

static bool reply_text(const char *reason) { return reply(reason ? 1 : 0, reason ? reason : "", reason ? strlen(reason) : 0); }

/// Descriptions are read from files that may be damaged: within bounds.
static bool describe(const char *paths, uint32_t size) {
    const struct rlimit work = {20, 20}, memory = {512u << 20, 512u << 20};
    setrlimit(RLIMIT_CPU, &work);
    setrlimit(RLIMIT_DATA, &memory);
    if (!ossicle_load_lilv()) return reply_text("liblilv-0.so.0 is missing");
    ossicle_bytes list = {0};
    if (size && paths[size - 1] == 0) ossicle_describe(paths, size, &list);
    bool is_sent = reply(0, list.bytes, list.size);
    free(list.bytes);
    return is_sent;
}

static bool reply_values(bool is_done, const char *reason) {
    if (!is_done) return reply_text(reason);
    float *values = ossicle_exchange_values_out(&exchange);
    ossicle_plugin_get_values(plugin, values);
    return reply_text(0);
}

static bool carry_out(uint32_t command, const uint8_t *body, uint32_t size) {
    if (command == OSSICLE_COMMAND_DESCRIBE) return describe((const char *)body, size);
    if (command == OSSICLE_COMMAND_MAKE) return reply_text(begin_plugin(body, size));
    if (!plugin) return reply_text("no plug-in is loaded");
    const char *text = size && body[size - 1] == 0 ? (const char *)body : "";
    float *values = ossicle_exchange_values_out(&exchange);
    switch (command) {
    case OSSICLE_COMMAND_RESET: ossicle_plugin_reset(plugin); return reply_text(0);
    case OSSICLE_COMMAND_LATENCY: {
        float latency = ossicle_plugin_latency(plugin);
        return reply(0, &latency, sizeof latency);
    }
    case OSSICLE_COMMAND_SAVE:
    case OSSICLE_COMMAND_PRESETS: {
        size_t count = 0;
        char *list = command == OSSICLE_COMMAND_SAVE ? ossicle_plugin_save(plugin, &count) : ossicle_plugin_presets(plugin, &count);
        bool is_sent = reply(0, list, count);
        ossicle_plugin_free_text(list);
        return is_sent;
    }
    case OSSICLE_COMMAND_RESTORE: return reply_values(ossicle_plugin_restore(plugin, text, values), "the text is no state of this plug-in");
    case OSSICLE_COMMAND_LOAD_PRESET: return reply_values(ossicle_plugin_load_preset(plugin, text, values), "there is no such preset of this plug-in");
    case OSSICLE_COMMAND_VALUES: {
        // From what the host has laid down.
        ossicle_plugin_set_values(plugin, ossicle_exchange_values_in(&exchange));
        return reply_text(0);
    }
    case OSSICLE_COMMAND_TEXT: {
        uint32_t property = 0;
        if (size < sizeof property + 1 || body[size - 1] != 0) return reply_text("the command is too short");
        memcpy(&property, body, sizeof property);
        return reply_text(ossicle_plugin_set_text(plugin, property, (const char *)body + sizeof property) ? 0 : "there is no such property that is a text");
    }
    default: return reply_text("an unknown command");
    }
}

/// Ends the process with the host's end of the socket, even where a plug-in hangs.
static void *watch(void *unused) {
    (void)unused;
    while (true) {
        struct pollfd end = {host, POLLRDHUP, 0};
        if (poll(&end, 1, -1) > 0 && end.revents) _exit(0);
    }
}

static void serve(void) {
    pthread_t watcher;
    pthread_create(&watcher, 0, watch, 0);
    uint32_t head[2];
    while (read_all(head, sizeof head) && head[1] <= longest) {
        uint8_t *body = malloc(head[1] + 1u);
        if (!body || !read_all(body, head[1]) || !carry_out(head[0], body, head[1])) break;
        free(body);
    }
}

__attribute__((constructor)) static void begin(void) {
    if (!secure_getenv("OSSICLE_PLUGIN_PROCESS")) return;
    // Started by hand, without a socket, a program is what it always is.
    int type = 0;
    socklen_t size = sizeof type;
    if (getsockopt(host, SOL_SOCKET, SO_TYPE, &type, &size) != 0) return;
    unsetenv("OSSICLE_PLUGIN_PROCESS");
    if (getenv("OSSICLE_PLUGIN_PRELOAD")) unsetenv("LD_PRELOAD");
    syscall(SYS_close_range, (unsigned)shared + 1, ~0u, 0u);
    prctl(PR_SET_NAME, "ossicle-plugin");
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    sigset_t open;
    sigemptyset(&open);
    sigprocmask(SIG_SETMASK, &open, 0);
    for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
    // Keys that interrupt the host are the host's to act on.
    signal(SIGINT, SIG_IGN);
    serve();
    _exit(0);
}
