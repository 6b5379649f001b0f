// Libraries by name, through the system's own loader.
#include "RuntimeLibrary.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *ossicle_open_library(const char *file) { return dlopen(file, RTLD_NOW | RTLD_LOCAL); }

void *ossicle_find_function(void *library, const char *name) { return dlsym(library, name); }

void ossicle_run_once(int *turn, void (*body)(void)) {
    if (__atomic_load_n(turn, __ATOMIC_ACQUIRE)) return;
    pthread_mutex_lock(&mutex);
    if (!*turn) {
        body();
        __atomic_store_n(turn, 1, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&mutex);
}
