#include "shim.h"
#include <RuntimeLibrary.h>

static bool load_functions(void);
RUNTIME_LIBRARY(load_functions, "libasound.so.2", ALSA_FUNCTIONS)

static void ignore(const char *file, int line, const char *function, int code, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)code, (void)format;
}

static void silence(void) {
    int (*set)(void (*)(const char *, int, const char *, int, const char *, ...)) =
        (int (*)(void (*)(const char *, int, const char *, int, const char *, ...)))ossicle_find_function(
            library, "snd_lib_error_set_handler");
    if (set) set(ignore);
}

bool ossicle_load_alsa(void) {
    static int turn;
    if (!load_functions()) return false;
    ossicle_run_once(&turn, silence);
    return true;
}
