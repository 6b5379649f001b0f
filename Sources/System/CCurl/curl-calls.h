#pragma once
#include <stddef.h>
#include <stdint.h>

// libcurl's calls with a variable number of arguments, through addresses that were found at run time. Swift cannot call such functions, and
// a program must start where libcurl is not installed. Numbers are those of libcurl's stable binary interface.

/// What libcurl calls with bytes: memory, size of an element, number of elements, the receiver. Returns how many bytes were taken.
typedef size_t (*CurlReceiver)(char *bytes, size_t size, size_t count, void *receiver);
/// What libcurl calls about once in a second and more often while bytes come. Anything but 0 ends the transfer.
typedef int (*CurlWatcher)(void *watcher, int64_t total, int64_t now, int64_t totalUp, int64_t nowUp);

static inline int curl_set_number(void *setopt, void *handle, int option, long number) {
    return ((int (*)(void *, int, ...))setopt)(handle, option, number);
}

static inline int curl_set_pointer(void *setopt, void *handle, int option, const void *pointer) {
    return ((int (*)(void *, int, ...))setopt)(handle, option, pointer);
}

static inline int curl_set_receiver(void *setopt, void *handle, int option, CurlReceiver receiver) {
    return ((int (*)(void *, int, ...))setopt)(handle, option, receiver);
}

static inline int curl_set_watcher(void *setopt, void *handle, int option, CurlWatcher watcher) {
    return ((int (*)(void *, int, ...))setopt)(handle, option, watcher);
}

static inline int curl_get_number(void *getinfo, void *handle, int question, long *number) {
    return ((int (*)(void *, int, ...))getinfo)(handle, question, number);
}
