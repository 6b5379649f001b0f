// Libraries by name, through the system's own loader.
#include "RuntimeLibrary.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

enum { HIDDEN = 16, LONGEST = 64 };
static const char *hidden[HIDDEN];

void ossicle_hide_library(const char *beginning) {
    for (int i = 0; i < HIDDEN; i++)
        if (!hidden[i]) {
            hidden[i] = beginning;
            return;
        }
}

static bool is_hidden(const char *file) {
    for (int i = 0; i < HIDDEN && hidden[i]; i++)
        if (strncmp(file, hidden[i], strlen(hidden[i])) == 0) return true;
    return false;
}

void *ossicle_open_library(const char *files) {
    void *library = NULL;
    while (*files && !library) {
        size_t length = strcspn(files, " ");
        char file[LONGEST] = {0};
        if (length < LONGEST) {
            memcpy(file, files, length);
            if (!is_hidden(file)) library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
        }
        files += length;
        files += strspn(files, " ");
    }
    return library;
}

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
