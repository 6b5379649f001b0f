// What is used of libmysofa: result, name, parameters, arguments, and the result without the library.
#pragma once

#define MYSOFA_FUNCTIONS(F) \
    F(struct MYSOFA_HRTF *, mysofa_load_data, (const char *bytes, long size, int *error), (bytes, size, error), 0)
