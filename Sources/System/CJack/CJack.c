#include "shim.h"
#include <RuntimeLibrary.h>

RUNTIME_LIBRARY(ossicle_load_jack, "libjack.so.0", JACK_FUNCTIONS)

static void ignore(const char *text) { (void)text; }

jack_client_t *ossicle_open_jack_client(const char *name, int *status) {
    const int startNoServer = 1;
    *status = OSSICLE_JACK_SERVER_FAILED;
    if (!ossicle_load_jack()) return 0;
    // Variadic, which a stub cannot pass on.
    jack_client_t *(*open)(const char *, int, int *, ...) =
        (jack_client_t * (*)(const char *, int, int *, ...)) ossicle_find_function(library, "jack_client_open");
    if (!open) return 0;
    jack_set_error_function(ignore);
    jack_set_info_function(ignore);
    return open(name, startNoServer, status);
}
