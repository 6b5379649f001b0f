// The part of netCDF's binary interface that is used, in our own declarations: a build needs no headers of netCDF's.
#pragma once
#include <RuntimeLibrary.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int nc_type;
#define NC_NOERR 0
#define NC_ENOTBUILT (-128)
#define NC_GLOBAL (-1)
#define NC_DOUBLE 6
#define NC_NOWRITE 0x0000
#define NC_NOCLOBBER 0x0004
#define NC_NETCDF4 0x1000

/// The files that are looked for. netCDF brings HDF5 and its network libraries along, which take 7 ms to load: it is looked for when a
/// file is first written.
#define OSSICLE_NETCDF_FILE "libnetcdf.so.22"
#define OSSICLE_NETCDF_FILES OSSICLE_NETCDF_FILE " libnetcdf.so.19"

#include "functions.h"
NETCDF_FUNCTIONS(RUNTIME_DECLARE)

/// Looks for netCDF, once; whether it is there. Without it every function fails, and `nc_strerror` says what is missing.
bool ossicle_load_netcdf(void);

/// Loads netCDF, and keeps HDF5, which it stands on, from writing what it looked for in vain to standard error. HDF5 keeps that
/// setting thread by thread, and netCDF makes it on the first only. Its header is not needed: identifiers are 64 bits wide since HDF5
/// 1.10, and 0 is the thread's own stack. Call it before any function of netCDF's.
void ossicle_netcdf_hush(void);

/// A reader of directivities for a process of its own: what a SOFA file of the conventions FreeFieldDirectivityTF says. netCDF has to be
/// loaded before the process begins.
void ossicle_directivity_describe(int reply, const void *bytes, size_t size);
