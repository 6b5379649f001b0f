// The worker extension: work that a plug-in may not do while it renders.
#include "internal.h"
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// Messages between one writing and one reading thread: size, then bytes.
typedef struct {
    uint8_t *bytes;
    // Counted up for ever; the place is the rest of the division by the room.
    uint64_t written, read;
} mail;
enum { room = 1 << 20, longest = room / 2 };

struct ossicle_worker {
    lv2_schedule schedule;
    void *instance;
    const lv2_worker *interface;
    bool is_offline, has_thread, ends;
    mail requests, responses;
    /// Requests that were given to the thread, and of those the ones it is done with.
    uint64_t given, finished;
    sem_t pending;
    pthread_t thread;
    uint8_t *request, *response;
};

static void copy_in(mail *mail, uint64_t place, const void *data, uint32_t size) {
    uint32_t at = (uint32_t)(place % room), first = room - at < size ? room - at : size;
    memcpy(mail->bytes + at, data, first);
    memcpy(mail->bytes, (const uint8_t *)data + first, size - first);
}

static void copy_out(const mail *mail, uint64_t place, void *data, uint32_t size) {
    uint32_t at = (uint32_t)(place % room), first = room - at < size ? room - at : size;
    memcpy(data, mail->bytes + at, first);
    memcpy((uint8_t *)data + first, mail->bytes, size - first);
}

/// False where there is no room.
static bool put(mail *mail, uint32_t size, const void *data) {
    uint64_t used = mail->written - __atomic_load_n(&mail->read, __ATOMIC_ACQUIRE);
    if (size > longest || (size && !data) || room - used < sizeof size + size) return false;
    copy_in(mail, mail->written, &size, sizeof size);
    if (size) copy_in(mail, mail->written + sizeof size, data, size);
    __atomic_store_n(&mail->written, mail->written + sizeof size + size, __ATOMIC_RELEASE);
    return true;
}

static bool take(mail *mail, uint32_t *size, void *data) {
    if (__atomic_load_n(&mail->written, __ATOMIC_ACQUIRE) == mail->read) return false;
    copy_out(mail, mail->read, size, sizeof *size);
    copy_out(mail, mail->read + sizeof *size, data, *size);
    __atomic_store_n(&mail->read, mail->read + sizeof *size + *size, __ATOMIC_RELEASE);
    return true;
}

static int respond(void *handle, uint32_t size, const void *data) {
    ossicle_worker *worker = handle;
    return put(&worker->responses, size, data) ? 0 : 2;
}

/// From within `run`. 0 for success, 2 where there is no room, as the extension says.
static int schedule(void *handle, uint32_t size, const void *data) {
    ossicle_worker *worker = handle;
    if (!worker->interface || !worker->interface->work) return 1;
    if (worker->is_offline) return worker->interface->work(worker->instance, respond, worker, size, data);
    if (!put(&worker->requests, size, data)) return 2;
    worker->given++;
    sem_post(&worker->pending);
    return 0;
}

static void *work(void *handle) {
    ossicle_worker *worker = handle;
    uint32_t size;
    while (true) {
        while (sem_wait(&worker->pending) != 0) {}
        if (__atomic_load_n(&worker->ends, __ATOMIC_ACQUIRE)) return 0;
        if (!take(&worker->requests, &size, worker->request)) continue;
        worker->interface->work(worker->instance, respond, worker, size, worker->request);
        __atomic_add_fetch(&worker->finished, 1, __ATOMIC_RELEASE);
    }
}

ossicle_worker *ossicle_worker_make(void) {
    ossicle_worker *worker = calloc(1, sizeof *worker);
    if (!worker) return 0;
    worker->schedule = (lv2_schedule){worker, schedule};
    sem_init(&worker->pending, 0, 0);
    return worker;
}

lv2_schedule *ossicle_worker_schedule(ossicle_worker *worker) { return &worker->schedule; }

void ossicle_worker_begin(ossicle_worker *worker, void *instance, const lv2_worker *interface) {
    worker->instance = instance;
    if (!interface) return;
    worker->requests.bytes = malloc(room);
    worker->responses.bytes = malloc(room);
    worker->request = malloc(longest);
    worker->response = malloc(longest);
    if (!worker->requests.bytes || !worker->responses.bytes || !worker->request || !worker->response) return;
    worker->interface = interface;
    worker->has_thread = pthread_create(&worker->thread, 0, work, worker) == 0;
    worker->is_offline = !worker->has_thread;
}

void ossicle_worker_set_offline(ossicle_worker *worker, bool is_offline) { worker->is_offline = is_offline || !worker->has_thread; }

/// False where nothing had come back.
static bool deliver_responses(ossicle_worker *worker) {
    uint32_t size;
    bool are_some = false;
    while (take(&worker->responses, &size, worker->response)) {
        are_some = true;
        if (worker->interface->work_response) worker->interface->work_response(worker->instance, size, worker->response);
    }
    return are_some;
}

void ossicle_worker_settle(ossicle_worker *worker) {
    enum { most_milliseconds = 10000 };
    if (!worker->interface) return;
    for (int passed = 0; passed < most_milliseconds;) {
        bool is_idle = __atomic_load_n(&worker->finished, __ATOMIC_ACQUIRE) == worker->given;
        // Responses may give away more.
        if (!deliver_responses(worker) && is_idle) return;
        if (is_idle) continue;
        nanosleep(&(struct timespec){0, 1000000}, 0);
        passed++;
    }
}

void ossicle_worker_deliver(ossicle_worker *worker) {
    if (!worker->interface) return;
    deliver_responses(worker);
    if (worker->interface->end_run) worker->interface->end_run(worker->instance);
}

void ossicle_worker_free(ossicle_worker *worker) {
    if (worker->has_thread) {
        __atomic_store_n(&worker->ends, true, __ATOMIC_RELEASE);
        sem_post(&worker->pending);
        pthread_join(worker->thread, 0);
    }
    free(worker->requests.bytes);
    free(worker->responses.bytes);
    free(worker->request);
    free(worker->response);
    sem_destroy(&worker->pending);
    free(worker);
}
