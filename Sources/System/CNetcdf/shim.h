#pragma once
#include <netcdf.h>
#include <netcdf_meta.h>
#include <stdbool.h>
#include <stdint.h>
#include "functions.h"

// It brings HDF5 and its network libraries along, which take 7 ms to load: it is looked for when a file is first written.
#define NETCDF_RENAME(result, name, parameters, arguments, otherwise) extern __typeof__(name) name __asm__("ossicle_" #name);
NETCDF_FUNCTIONS(NETCDF_RENAME)

/// The file that is looked for: the one of 4.9.3 and later goes by another number.
#if NC_VERSION_MAJOR == 4 && (NC_VERSION_MINOR < 9 || (NC_VERSION_MINOR == 9 && NC_VERSION_PATCH < 3))
#define OSSICLE_NETCDF_FILE "libnetcdf.so.19"
#else
#define OSSICLE_NETCDF_FILE "libnetcdf.so.22"
#endif

/// Looks for netCDF, once; whether it is there. Without it every function fails, and `nc_strerror` says what is missing.
bool ossicle_load_netcdf(void);

/// Loads netCDF, and keeps HDF5, which it stands on, from writing what it looked for in vain to standard error. HDF5 keeps that
/// setting thread by thread, and netCDF makes it on the first only. Its header is not needed: identifiers are 64 bits wide since HDF5
/// 1.10, and 0 is the thread's own stack. Call it before any function of netCDF's.
void ossicle_netcdf_hush(void);
