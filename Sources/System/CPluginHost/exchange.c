// The memory that a host and a plug-in share, and the hand-shake over it.
#define _GNU_SOURCE
#include "PluginHost.h"
#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { head_room = 256 };
static uint64_t rounded(uint64_t bytes) { return (bytes + 63) & ~(uint64_t)63; }
static uint64_t values_room(const ossicle_exchange *x) { return rounded((uint64_t)x->ports * sizeof(float)); }
static uint64_t plane_room(const ossicle_exchange *x) { return rounded((uint64_t)x->capacity * sizeof(float)); }
static uint64_t planes(const ossicle_exchange *x) { return head_room + 2 * values_room(x) + 2 * OSSICLE_EVENT_ROOM; }
static uint8_t *at(const ossicle_exchange *x, uint64_t place) { return (uint8_t *)x->memory + place; }

uint64_t ossicle_exchange_size(uint32_t ports, uint32_t inputs, uint32_t outputs, uint32_t capacity) {
    ossicle_exchange x = {0, 0, ports, inputs, outputs, capacity};
    return planes(&x) + ((uint64_t)inputs + outputs) * plane_room(&x);
}
ossicle_exchange_head *ossicle_exchange_top(const ossicle_exchange *x) { return x->memory; }
float *ossicle_exchange_values_in(const ossicle_exchange *x) { return (float *)at(x, head_room); }
float *ossicle_exchange_values_out(const ossicle_exchange *x) { return (float *)at(x, head_room + values_room(x)); }
float ossicle_exchange_value_out(const ossicle_exchange *x, uint32_t port) {
    float value;
    __atomic_load(&ossicle_exchange_values_out(x)[port], &value, __ATOMIC_RELAXED);
    return value;
}
uint8_t *ossicle_exchange_events_in(const ossicle_exchange *x) { return at(x, head_room + 2 * values_room(x)); }
uint8_t *ossicle_exchange_events_out(const ossicle_exchange *x) { return at(x, head_room + 2 * values_room(x) + OSSICLE_EVENT_ROOM); }
float *ossicle_exchange_input(const ossicle_exchange *x, uint32_t channel) { return (float *)at(x, planes(x) + channel * plane_room(x)); }
float *ossicle_exchange_output(const ossicle_exchange *x, uint32_t channel) { return ossicle_exchange_input(x, x->inputs + channel); }

bool ossicle_exchange_put(const ossicle_exchange *x, ossicle_event event, const uint8_t *bytes) {
    ossicle_exchange_head *head = ossicle_exchange_top(x);
    uint32_t padded = (event.size + 7u) & ~7u, place = head->bytes_in;
    if (place > OSSICLE_EVENT_ROOM || OSSICLE_EVENT_ROOM - place < sizeof event + padded) return false;
    memcpy(ossicle_exchange_events_in(x) + place, &event, sizeof event);
    if (event.size) memcpy(ossicle_exchange_events_in(x) + place + sizeof event, bytes, event.size);
    head->bytes_in = place + (uint32_t)sizeof event + padded;
    return true;
}

bool ossicle_exchange_next(const ossicle_exchange *x, uint32_t *place, ossicle_event *event, const uint8_t **bytes) {
    uint32_t end = __atomic_load_n(&ossicle_exchange_top(x)->bytes_out, __ATOMIC_RELAXED), from = *place;
    if (end > OSSICLE_EVENT_ROOM) end = OSSICLE_EVENT_ROOM;
    if (from > end || end - from < sizeof *event) return false;
    // Copied before it is judged: the other side may still write.
    memcpy(event, ossicle_exchange_events_out(x) + from, sizeof *event);
    if (end - from - sizeof *event < event->size) return false;
    *bytes = ossicle_exchange_events_out(x) + from + sizeof *event;
    *place = from + (uint32_t)sizeof *event + ((event->size + 7u) & ~7u);
    return true;
}

bool ossicle_exchange_is_idle(const ossicle_exchange *x) {
    ossicle_exchange_head *head = ossicle_exchange_top(x);
    return __atomic_load_n(&head->reply, __ATOMIC_ACQUIRE) == head->request;
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

int ossicle_exchange_wait(const ossicle_exchange *x, uint64_t patience) {
    ossicle_exchange_head *head = ossicle_exchange_top(x);
    uint64_t end = now() + patience;
    while (true) {
        uint32_t reply = __atomic_load_n(&head->reply, __ATOMIC_ACQUIRE);
        if (reply == head->request) return OSSICLE_BLOCK_DONE;
        if (__atomic_load_n(&head->is_gone, __ATOMIC_ACQUIRE)) return OSSICLE_BLOCK_GONE;
        uint64_t time = now();
        if (time >= end) return OSSICLE_BLOCK_LATE;
        uint64_t left = end - time;
        // In slices, for the end of the other side does not change the word that is waited for.
        if (left > 20000000) left = 20000000;
        struct timespec slice = {0, (long)left};
        syscall(SYS_futex, &head->reply, FUTEX_WAIT, reply, &slice, 0, 0);
    }
}

int ossicle_exchange_render(const ossicle_exchange *x, uint32_t frames, uint64_t patience) {
    ossicle_exchange_head *head = ossicle_exchange_top(x);
    if (__atomic_load_n(&head->is_gone, __ATOMIC_ACQUIRE)) return OSSICLE_BLOCK_GONE;
    head->frames = frames;
    __atomic_store_n(&head->request, head->request + 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &head->request, FUTEX_WAKE, 1, 0, 0, 0);
    return ossicle_exchange_wait(x, patience);
}

void ossicle_exchange_end(const ossicle_exchange *x) {
    ossicle_exchange_head *head = ossicle_exchange_top(x);
    __atomic_store_n(&head->is_gone, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &head->reply, FUTEX_WAKE, 1, 0, 0, 0);
}
