#pragma once
#include <lo/lo.h>

/// An argument of a message as a number; 0 if there is none at that place, or none that is a number.
static inline int ossicle_lo_number(lo_message message, int index, double *number) {
    if (index < 0 || index >= lo_message_get_argc(message)) return 0;
    lo_arg *argument = lo_message_get_argv(message)[index];
    switch (lo_message_get_types(message)[index]) {
    case LO_FLOAT: *number = argument->f; return 1;
    case LO_DOUBLE: *number = argument->d; return 1;
    case LO_INT32: *number = argument->i; return 1;
    case LO_INT64: *number = (double)argument->h; return 1;
    default: return 0;
    }
}
