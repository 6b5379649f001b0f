// Numbers for URIs.
#include "internal.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
// URIs by number - 1. Pages of them, because texts that were given away stay where they are.
enum { page = 1024, pages = 256 };
static char **table[pages];
static uint32_t count;

static uint32_t find(const char *uri) {
    for (uint32_t index = 0; index < count; index++)
        if (strcmp(table[index / page][index % page], uri) == 0) return index + 1;
    return 0;
}

uint32_t ossicle_urid(const char *uri) {
    if (!uri) return 0;
    pthread_mutex_lock(&mutex);
    uint32_t number = find(uri);
    if (!number && count < page * pages) {
        char **here = table[count / page];
        if (!here) here = table[count / page] = calloc(page, sizeof *here);
        char *copy = here ? strdup(uri) : 0;
        if (copy) {
            here[count % page] = copy;
            number = ++count;
        }
    }
    pthread_mutex_unlock(&mutex);
    return number;
}

const char *ossicle_uri(uint32_t urid) {
    pthread_mutex_lock(&mutex);
    const char *uri = urid > 0 && urid <= count ? table[(urid - 1) / page][(urid - 1) % page] : 0;
    pthread_mutex_unlock(&mutex);
    return uri;
}

static uint32_t map(void *handle, const char *uri) { (void)handle; return ossicle_urid(uri); }
static const char *unmap(void *handle, uint32_t urid) { (void)handle; return ossicle_uri(urid); }
LV2_URID_Map ossicle_urid_map = {0, map};
LV2_URID_Unmap ossicle_urid_unmap = {0, unmap};
