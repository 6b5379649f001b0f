// What is used of netCDF: result, name, parameters, arguments, and the result without it.
#pragma once

#define NETCDF_FUNCTIONS(F) \
    F(int, nc_close, (int file), (file), NC_ENOTBUILT) \
    F(int, nc_create, (const char *path, int flags, int *file), (path, flags, file), NC_ENOTBUILT) \
    F(int, nc_def_dim, (int file, const char *name, size_t size, int *number), (file, name, size, number), NC_ENOTBUILT) \
    F(int, nc_def_var, (int file, const char *name, nc_type type, int count, const int *dimensions, int *number), \
      (file, name, type, count, dimensions, number), NC_ENOTBUILT) \
    F(int, nc_get_att_text, (int file, int variable, const char *name, char *text), (file, variable, name, text), NC_ENOTBUILT) \
    F(int, nc_get_var_double, (int file, int variable, double *values), (file, variable, values), NC_ENOTBUILT) \
    F(int, nc_inq_attlen, (int file, int variable, const char *name, size_t *size), (file, variable, name, size), NC_ENOTBUILT) \
    F(int, nc_inq_dimid, (int file, const char *name, int *number), (file, name, number), NC_ENOTBUILT) \
    F(int, nc_inq_dimlen, (int file, int number, size_t *size), (file, number, size), NC_ENOTBUILT) \
    F(int, nc_inq_varid, (int file, const char *name, int *number), (file, name, number), NC_ENOTBUILT) \
    F(int, nc_inq_vardimid, (int file, int variable, int *dimensions), (file, variable, dimensions), NC_ENOTBUILT) \
    F(int, nc_inq_varndims, (int file, int variable, int *count), (file, variable, count), NC_ENOTBUILT) \
    F(int, nc_open_mem, (const char *path, int flags, size_t size, void *memory, int *file), (path, flags, size, memory, file), NC_ENOTBUILT) \
    F(int, nc_open, (const char *path, int flags, int *file), (path, flags, file), NC_ENOTBUILT) \
    F(int, nc_put_att_text, (int file, int variable, const char *name, size_t size, const char *text), \
      (file, variable, name, size, text), NC_ENOTBUILT) \
    F(int, nc_put_var_double, (int file, int variable, const double *values), (file, variable, values), NC_ENOTBUILT) \
    F(const char *, nc_strerror, (int number), (number), "libnetcdf is missing: install libnetcdf19 or libnetcdf22")
