// What is used of libsndfile: result, name, parameters, arguments, and the result without the library.
#pragma once

#define SNDFILE_FUNCTIONS(F) \
    F(SNDFILE *, sf_open_virtual, (SF_VIRTUAL_IO *calls, int mode, SF_INFO *info, void *data), (calls, mode, info, data), 0) \
    F(int, sf_close, (SNDFILE *file), (file), -1) \
    F(const char *, sf_strerror, (SNDFILE *file), (file), "libsndfile is missing") \
    F(int, sf_command, (SNDFILE *file, int command, void *data, int size), (file, command, data, size), 0) \
    F(int, sf_format_check, (const SF_INFO *info), (info), 0) \
    F(sf_count_t, sf_seek, (SNDFILE *file, sf_count_t frames, int origin), (file, frames, origin), -1) \
    F(sf_count_t, sf_readf_double, (SNDFILE *file, double *samples, sf_count_t frames), (file, samples, frames), 0) \
    F(sf_count_t, sf_writef_double, (SNDFILE *file, const double *samples, sf_count_t frames), (file, samples, frames), 0) \
    F(sf_count_t, sf_writef_int, (SNDFILE *file, const int *samples, sf_count_t frames), (file, samples, frames), 0) \
    F(int, sf_set_string, (SNDFILE *file, int field, const char *text), (file, field, text), -1) \
    F(const char *, sf_get_string, (SNDFILE *file, int field), (file, field), 0) \
    F(int, sf_set_chunk, (SNDFILE *file, const SF_CHUNK_INFO *chunk), (file, chunk), -1) \
    F(SF_CHUNK_ITERATOR *, sf_get_chunk_iterator, (SNDFILE *file, const SF_CHUNK_INFO *chunk), (file, chunk), 0) \
    F(int, sf_get_chunk_size, (const SF_CHUNK_ITERATOR *place, SF_CHUNK_INFO *chunk), (place, chunk), -1) \
    F(int, sf_get_chunk_data, (const SF_CHUNK_ITERATOR *place, SF_CHUNK_INFO *chunk), (place, chunk), -1)
