// A shared library that is looked for when it is first needed, so that a program links and starts where it is missing.
//
// A table names the functions in use, one per line:
//
//     #define FUNCTIONS(F) F(int, put, (int first, const char *second), (first, second), -1)
//
// result, name, parameters, arguments, and what the function returns without the library. `RUNTIME_LIBRARY` makes of it a function
// `load` and a stub of each name, which passes the call on. The compiler holds each stub against the library's own declaration. Stubs look
// nothing up and take no lock: call `load` before them. `RUNTIME_DECLARE` makes declarations of our own from the table, so that a build needs no
// header of the library's; `RUNTIME_RENAME` stands behind the library's own declarations. Both give the stubs symbols of their own, so that the library
// finds its own functions when it calls them.
#pragma once
#include <stdbool.h>

/// The first library of those names, which spaces separate, that `dlopen` finds; null where there is none. It stays open.
void *ossicle_open_library(const char *files);
/// The address of a function; null where the library has none of that name.
void *ossicle_find_function(void *library, const char *name);
/// Runs `body` once for each `turn`, which begins as 0; returns when it has run. From any thread.
void ossicle_run_once(int *turn, void (*body)(void));
/// From now on libraries whose name begins so count as missing; for tests, and before they are first needed. At most 16 names, which stay in memory.
void ossicle_hide_library(const char *beginning);

#define RUNTIME_DECLARE(result, name, parameters, arguments, otherwise) result name parameters __asm__("ossicle_" #name);
#define RUNTIME_RENAME(result, name, parameters, arguments, otherwise) \
    extern __typeof__(name) name __asm__("ossicle_" #name);

#define RUNTIME_POINTER(result, name, parameters, arguments, otherwise) static __typeof__(name) *found_##name;
#define RUNTIME_STUB(result, name, parameters, arguments, otherwise) \
    result name parameters { return found_##name ? found_##name arguments : otherwise; }
#define RUNTIME_FIND(result, name, parameters, arguments, otherwise) \
    found_##name = (__typeof__(found_##name))ossicle_find_function(library, #name);

#define RUNTIME_LIBRARY(load, files, FUNCTIONS) \
    FUNCTIONS(RUNTIME_POINTER) \
    FUNCTIONS(RUNTIME_STUB) \
    static void *library; \
    static int turn; \
    static void open_library(void) { \
        library = ossicle_open_library(files); \
        if (library) { FUNCTIONS(RUNTIME_FIND) } \
    } \
    bool load(void) { \
        ossicle_run_once(&turn, open_library); \
        return library; \
    }
