#define _GNU_SOURCE
#include "shim.h"
#include "../CReaderProcess/shim.h"
#include <stdlib.h>

RUNTIME_LIBRARY(ossicle_load_netcdf, OSSICLE_NETCDF_FILES, NETCDF_FUNCTIONS)

void ossicle_netcdf_hush(void) {
    if (!ossicle_load_netcdf()) return;
    int (*set)(int64_t, void *, void *) = (int (*)(int64_t, void *, void *))ossicle_find_function(library, "H5Eset_auto2");
    if (set) set(0, 0, 0);
}

static int put_directivity_text(int reply, int file, int variable, const char *name) {
    char text[256] = {0};
    size_t size = 0;
    if (nc_inq_attlen(file, variable, name, &size) != NC_NOERR || size >= sizeof text || nc_get_att_text(file, variable, name, text) != NC_NOERR)
        text[0] = 0;
    return ossicle_put_text(reply, text);
}

// Count, 32-bit numbers, and the attribute Type; nothing where the variable is missing or another one's size.
static int put_directivity_values(int reply, int file, const char *name, size_t most) {
    int variable = 0, count = 0, dimensions[32];
    size_t size = 1;
    double *values = 0;
    if (nc_inq_varid(file, name, &variable) != NC_NOERR || nc_inq_varndims(file, variable, &count) != NC_NOERR || count > 32
        || nc_inq_vardimid(file, variable, dimensions) != NC_NOERR)
        return ossicle_put_word(reply, 0) && ossicle_put_text(reply, "");
    for (int i = 0; i < count; i++) {
        size_t length = 0;
        if (nc_inq_dimlen(file, dimensions[i], &length) != NC_NOERR || length == 0 || size > most / length) size = 0;
        size *= length;
    }
    if (size > 0) values = malloc(size * sizeof *values);
    if (!values || nc_get_var_double(file, variable, values) != NC_NOERR) size = 0;
    // In place: each is written before where the next is read.
    for (size_t i = 0; i < size; i++) {
        float number = (float)values[i];
        memcpy((char *)values + i * sizeof number, &number, sizeof number);
    }
    int done = ossicle_put_word(reply, (uint32_t)size) && ossicle_put(reply, values, size * sizeof(float))
        && put_directivity_text(reply, file, variable, "Type");
    free(values);
    return done;
}

void ossicle_directivity_describe(int reply, const void *bytes, size_t size) {
    int file = 0, error = nc_open_mem("directivity.sofa", NC_NOWRITE, size, (void *)bytes, &file);
    if (!ossicle_put_word(reply, 0x46445249) || !ossicle_put_word(reply, (uint32_t)error) || error != NC_NOERR) return;
    if (!put_directivity_text(reply, file, NC_GLOBAL, "SOFAConventions")) return;
    const char *dimensions[3] = {"M", "R", "N"};
    for (int i = 0; i < 3; i++) {
        int number = 0;
        size_t length = 0;
        if (nc_inq_dimid(file, dimensions[i], &number) != NC_NOERR || nc_inq_dimlen(file, number, &length) != NC_NOERR || length > 1 << 24)
            length = 0;
        if (!ossicle_put_word(reply, (uint32_t)length)) return;
    }
    const char *variables[6] = {"N", "Data.Real", "Data.Imag", "ReceiverPosition", "SourceView", "SourceUp"};
    for (int i = 0; i < 6; i++)
        if (!put_directivity_values(reply, file, variables[i], 64 << 20)) return;
}
