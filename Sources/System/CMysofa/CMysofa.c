#define _GNU_SOURCE
#include "shim.h"
#include "../CReaderProcess/shim.h"

RUNTIME_LIBRARY(ossicle_load_mysofa, "libmysofa.so.1", MYSOFA_FUNCTIONS)

static int put_attributes(int file, const struct MYSOFA_ATTRIBUTE *first) {
    uint32_t count = 0;
    for (const struct MYSOFA_ATTRIBUTE *a = first; a && count < 1024; a = a->next) count++;
    if (!ossicle_put(file, &count, sizeof count)) return 0;
    for (const struct MYSOFA_ATTRIBUTE *a = first; count > 0; a = a->next, count--)
        if (!ossicle_put_text(file, a->name) || !ossicle_put_text(file, a->value)) return 0;
    return 1;
}

static int put_array(int file, const struct MYSOFA_ARRAY *array) {
    uint32_t count = array->values ? array->elements : 0;
    return ossicle_put(file, &count, sizeof count) && ossicle_put(file, array->values, (size_t)count * sizeof(float))
        && put_attributes(file, array->attributes);
}

void ossicle_sofa_describe(int file, const void *bytes, size_t size) {
    int error = 0;
    struct MYSOFA_HRTF *set = mysofa_load_data((const char *)bytes, (long)size, &error);
    uint32_t head[8] = {0x41464F53, (uint32_t)error};
    if (!set) {
        ossicle_put(file, head, 8);
        return;
    }
    head[1] = 0;
    head[2] = set->I, head[3] = set->C, head[4] = set->R, head[5] = set->E, head[6] = set->N, head[7] = set->M;
    if (!ossicle_put(file, head, sizeof head) || !put_attributes(file, set->attributes)) return;
    const struct MYSOFA_ARRAY *arrays[9] = {
        &set->ListenerPosition, &set->ListenerView, &set->ListenerUp, &set->ReceiverPosition, &set->SourcePosition, &set->EmitterPosition,
        &set->DataIR, &set->DataSamplingRate, &set->DataDelay,
    };
    for (int i = 0; i < 9; i++)
        if (!put_array(file, arrays[i])) return;
}
