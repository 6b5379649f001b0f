#include "shim.h"

RUNTIME_LIBRARY(ossicle_load_netcdf, OSSICLE_NETCDF_FILES, NETCDF_FUNCTIONS)

void ossicle_netcdf_hush(void) {
    if (!ossicle_load_netcdf()) return;
    int (*set)(int64_t, void *, void *) = (int (*)(int64_t, void *, void *))ossicle_find_function(library, "H5Eset_auto2");
    if (set) set(0, 0, 0);
}
