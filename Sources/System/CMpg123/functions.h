// What is used of libmpg123: result, name, parameters, arguments, and the result without the library.
#pragma once

#define MPG123_FUNCTIONS(F) \
    F(mpg123_handle *, mpg123_new, (const char *decoder, int *error), (decoder, error), 0) \
    F(void, mpg123_delete, (mpg123_handle *handle), (handle), (void)0) \
    F(int, mpg123_param, (mpg123_handle *handle, int parameter, long value, double fraction), (handle, parameter, value, fraction), -1) \
    F(int, mpg123_open_feed, (mpg123_handle *handle), (handle), -1) \
    F(int, mpg123_feed, (mpg123_handle *handle, const unsigned char *bytes, size_t count), (handle, bytes, count), -1) \
    F(int, mpg123_decode_frame, (mpg123_handle *handle, off_t *frame, unsigned char **sound, size_t *bytes), (handle, frame, sound, bytes), -1) \
    F(const char *, mpg123_plain_strerror, (int error), (error), "libmpg123 is missing")
