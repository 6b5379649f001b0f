#if __has_include(<libavformat/avformat.h>)
#include "shim.h"
#include <RuntimeLibrary.h>

// The library of containers brings those of codecs and of common things along, and their functions are found through it.
RUNTIME_LIBRARY(ossicle_load_ffmpeg, OSSICLE_FFMPEG_FILE, FFMPEG_FUNCTIONS)

int ossicle_ffmpeg_words(int number, char *words, size_t size) {
    int (*find)(int, char *, size_t) = 0;
    if (ossicle_load_ffmpeg()) find = (int (*)(int, char *, size_t))ossicle_find_function(library, "av_strerror");
    return find ? find(number, words, size) : AVERROR(ENOSYS);
}
#endif
