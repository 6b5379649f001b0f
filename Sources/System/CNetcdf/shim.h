#pragma once
#include <dlfcn.h>
#include <netcdf.h>
#include <stdint.h>

/// Keeps HDF5, which netCDF stands on, from writing what it looked for in vain to standard error. It keeps that setting thread by thread, and
/// netCDF makes it on the first only. Its header is not needed: identifiers are 64 bits wide since HDF5 1.10, and 0 is the thread's own stack.
static inline void ossicle_netcdf_hush(void) {
    int (*set)(int64_t, void *, void *) = (int (*)(int64_t, void *, void *))dlsym(0, "H5Eset_auto2");
    if (set) set(0, 0, 0);
}
