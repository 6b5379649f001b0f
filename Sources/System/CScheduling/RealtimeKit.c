#include "Scheduling.h"
#include <RuntimeLibrary.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

// The part of libdbus's interface that is used here, by its documentation: `dbus_bool_t` is 32 bits wide, errors may be left out.
typedef struct DBusConnection DBusConnection;
typedef struct DBusMessage DBusMessage;
enum { type_uint32 = 'u', type_uint64 = 't', type_end = 0, type_error_reply = 3 };

static struct {
    uint32_t (*threads_init_default)(void);
    DBusConnection *(*connection_open_private)(const char *, void *);
    void (*connection_set_exit_on_disconnect)(DBusConnection *, uint32_t);
    DBusMessage *(*message_new_method_call)(const char *, const char *, const char *, const char *);
    uint32_t (*message_append_args)(DBusMessage *, int, ...);
    DBusMessage *(*connection_send_with_reply_and_block)(DBusConnection *, DBusMessage *, int, void *);
    int (*message_get_type)(DBusMessage *);
    void (*message_unref)(DBusMessage *);
    void (*connection_close)(DBusConnection *);
    void (*connection_unref)(DBusConnection *);
} dbus;

static bool is_there;
static int turn;

static void load(void) {
    void *library = ossicle_open_library("libdbus-1.so.3");
    if (!library) return;
    is_there = true;
#define FIND(name) \
    dbus.name = (__typeof__(dbus.name))ossicle_find_function(library, "dbus_" #name); \
    is_there = is_there && dbus.name;
    FIND(threads_init_default)
    FIND(connection_open_private)
    FIND(connection_set_exit_on_disconnect)
    FIND(message_new_method_call)
    FIND(message_append_args)
    FIND(connection_send_with_reply_and_block)
    FIND(message_get_type)
    FIND(message_unref)
    FIND(connection_close)
    FIND(connection_unref)
#undef FIND
    if (is_there) dbus.threads_init_default();
}

/// Whether a call is answered, and not by an error, in so many milliseconds. Releases the question.
static bool call(DBusConnection *connection, DBusMessage *question) {
    enum { patience = 250 };
    DBusMessage *answer = dbus.connection_send_with_reply_and_block(connection, question, patience, NULL);
    dbus.message_unref(question);
    if (!answer) return false;
    bool is_given = dbus.message_get_type(answer) != type_error_reply;
    dbus.message_unref(answer);
    return is_given;
}

/// The first call on every connection to a bus, in a second. libdbus's own waits 25 seconds for a bus that hangs.
static bool greet(DBusConnection *connection) {
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    DBusMessage *question = dbus.message_new_method_call(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello");
    if (!question || !call(connection, question)) return false;
    clock_gettime(CLOCK_MONOTONIC, &end);
    return end.tv_sec - begin.tv_sec <= 1;
}

static bool request(DBusConnection *connection, uint64_t thread, uint32_t priority) {
    DBusMessage *question = dbus.message_new_method_call(
        "org.freedesktop.RealtimeKit1", "/org/freedesktop/RealtimeKit1", "org.freedesktop.RealtimeKit1", "MakeThreadRealtime");
    if (!question) return false;
    if (dbus.message_append_args(question, type_uint64, &thread, type_uint32, &priority, type_end)) return call(connection, question);
    dbus.message_unref(question);
    return false;
}

bool ossicle_ask_realtime_kit(uint64_t thread, uint32_t priority) {
    ossicle_run_once(&turn, load);
    if (!is_there) return false;
    const char *address = getenv("DBUS_SYSTEM_BUS_ADDRESS");
    DBusConnection *connection =
        dbus.connection_open_private(address ? address : "unix:path=/var/run/dbus/system_bus_socket", NULL);
    if (!connection) return false;
    dbus.connection_set_exit_on_disconnect(connection, 0);
    bool is_given = greet(connection) && request(connection, thread, priority);
    dbus.connection_close(connection);
    dbus.connection_unref(connection);
    return is_given;
}
