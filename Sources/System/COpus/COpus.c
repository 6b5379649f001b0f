#include "shim.h"

RUNTIME_LIBRARY(ossicle_load_opus, "libopus.so.0", OPUS_FUNCTIONS)

typedef int (*encoder_call)(OpusMSEncoder *, int, ...);
typedef int (*decoder_call)(OpusMSDecoder *, int, ...);

static encoder_call of_encoder(void) {
    return ossicle_load_opus() ? (encoder_call)ossicle_find_function(library, "opus_multistream_encoder_ctl") : 0;
}

static decoder_call of_decoder(void) {
    return ossicle_load_opus() ? (decoder_call)ossicle_find_function(library, "opus_multistream_decoder_ctl") : 0;
}

int ossicle_opus_encoder_set(OpusMSEncoder *encoder, int request, int32_t value) {
    encoder_call call = of_encoder();
    return call ? call(encoder, request, value) : OPUS_UNIMPLEMENTED;
}

int ossicle_opus_encoder_get(OpusMSEncoder *encoder, int request, int32_t *value) {
    encoder_call call = of_encoder();
    return call ? call(encoder, request, value) : OPUS_UNIMPLEMENTED;
}

int ossicle_opus_decoder_set(OpusMSDecoder *decoder, int request, int32_t value) {
    decoder_call call = of_decoder();
    return call ? call(decoder, request, value) : OPUS_UNIMPLEMENTED;
}

int ossicle_opus_decoder_reset(OpusMSDecoder *decoder) {
    decoder_call call = of_decoder();
    return call ? call(decoder, OPUS_RESET_STATE) : OPUS_UNIMPLEMENTED;
}
