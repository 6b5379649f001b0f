// Plug-ins that do one thing each, right or wrong, for the tests of the plug-in host.
#include <lv2.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROBE "urn:ossicle:probe:"
enum { port_count = 8, line = 128 };

typedef struct {
    const char *kind;
    void *ports[port_count];
    float delayed[line];
    int place, secret, answers;
    float parts[7], sum;
    lv2_schedule *schedule;
    LV2_URID_Map *map;
    LV2_URID_Unmap *unmap;
    lv2_make_path *make_path;
    char *file;
    uint32_t midi, sequence, secret_key, integer, path, file_key;
} probe;

static float control(probe *p, int port) { return p->ports[port] ? *(float *)p->ports[port] : 0; }
static bool is(probe *p, const char *kind) { return strcmp(p->kind, kind) == 0; }

static void *instantiate(const void *descriptor, double rate, const char *bundle, const LV2_Feature *const *features) {
    (void)rate, (void)bundle;
    const char *kind = ((const LV2_Descriptor *)descriptor)->URI + strlen(PROBE);
    if (strcmp(kind, "stillborn") == 0) raise(SIGSEGV);
    if (strcmp(kind, "refusing") == 0) return 0;
    probe *p = calloc(1, sizeof *p);
    p->kind = kind;
    for (; *features; features++) {
        if (strcmp((*features)->URI, LV2_URID "map") == 0) p->map = (*features)->data;
        if (strcmp((*features)->URI, LV2_URID "unmap") == 0) p->unmap = (*features)->data;
        if (strcmp((*features)->URI, LV2_STATE "makePath") == 0) p->make_path = (*features)->data;
        if (strcmp((*features)->URI, LV2_WORKER "schedule") == 0) p->schedule = (*features)->data;
    }
    p->midi = p->map->map(p->map->handle, LV2_MIDI_EVENT);
    p->sequence = p->map->map(p->map->handle, LV2_ATOM "Sequence");
    p->integer = p->map->map(p->map->handle, LV2_ATOM "Int");
    p->secret_key = p->map->map(p->map->handle, PROBE "secret");
    p->path = p->map->map(p->map->handle, LV2_ATOM "Path");
    p->file_key = p->map->map(p->map->handle, PROBE "file");
    return p;
}

static void connect_port(void *handle, uint32_t port, void *memory) { if (port < port_count) ((probe *)handle)->ports[port] = memory; }

static void activate(void *handle) {
    probe *p = handle;
    memset(p->delayed, 0, sizeof p->delayed);
    p->place = 0;
}

/// Port 3 gets an impulse of the velocity for each note, and port 1 the notes an octave higher.
static void run_notes(probe *p, uint32_t frames) {
    const lv2_sequence *in = p->ports[0];
    lv2_sequence *out = p->ports[1];
    float *sound = p->ports[3];
    memset(sound, 0, frames * sizeof *sound);
    uint32_t end = in->atom.size, size = 8;
    for (uint32_t place = 8; place + sizeof(lv2_sequence_event) <= end;) {
        lv2_sequence_event *event = (lv2_sequence_event *)((uint8_t *)in + 8 + place);
        uint8_t *bytes = (uint8_t *)(event + 1);
        place += (uint32_t)sizeof *event + ((event->body.size + 7) & ~7u);
        if (event->body.type != p->midi || event->body.size < 3 || (bytes[0] & 0xF0) != 0x90) continue;
        if (event->frame < frames) sound[event->frame] += (float)bytes[2] / 127;
        memcpy((uint8_t *)out + 8 + size, event, sizeof *event + 8);
        ((uint8_t *)out)[8 + size + sizeof *event + 1] += 12;
        size += (uint32_t)sizeof *event + 8;
    }
    out->atom = (lv2_atom){size, p->sequence};
    out->unit = 0;
}

/// Port 1 gets gain + 10 · steps + 100 · on + 1000 · characters of the file's path, of a text, of a URI and of the URI of a number, each from the
/// frame of its message on.
static void run_patched(probe *p, uint32_t frames) {
    const lv2_sequence *in = p->ports[0];
    float *sound = p->ports[1];
    uint32_t done = 0;
    for (uint32_t place = 8; place + sizeof(lv2_sequence_event) <= in->atom.size;) {
        const lv2_sequence_event *event = (const lv2_sequence_event *)((const uint8_t *)in + 8 + place);
        const uint32_t *words = (const uint32_t *)(event + 1);
        place += (uint32_t)sizeof *event + ((event->body.size + 7) & ~7u);
        for (; done < frames && done < event->frame; done++) sound[done] = p->sum;
        // Object, its type, key and context, URID of the property, key and context, value.
        if (event->body.size < 56 || words[1] != p->map->map(p->map->handle, LV2_PATCH "Set")) continue;
        const uint32_t property = words[6], type = words[11];
        const void *value = words + 12;
        if (property == p->map->map(p->map->handle, PROBE "gain") && type == p->map->map(p->map->handle, LV2_ATOM "Float")) p->parts[0] = *(const float *)value;
        if (property == p->map->map(p->map->handle, PROBE "steps") && words[10] == 8) p->parts[1] = 10 * (float)*(const int64_t *)value;
        if (property == p->map->map(p->map->handle, PROBE "on")) p->parts[2] = 100 * (float)*(const int32_t *)value;
        for (int i = 0; i < 4; i++) {
            static const char *const keys[] = {PROBE "file", PROBE "title", PROBE "link", PROBE "class"};
            static const char *const types[] = {LV2_ATOM "Path", LV2_ATOM "String", LV2_ATOM "URI", LV2_ATOM "URID"};
            if (property != p->map->map(p->map->handle, keys[i]) || type != p->map->map(p->map->handle, types[i])) continue;
            p->parts[3 + i] = 1000 * (float)strlen(i == 3 ? p->unmap->unmap(p->unmap->handle, *(const uint32_t *)value) : value);
        }
        p->sum = 0;
        for (int i = 0; i < 7; i++) p->sum += p->parts[i];
    }
    for (; done < frames; done++) sound[done] = p->sum;
}

static void run(void *handle, uint32_t frames) {
    probe *p = handle;
    if (is(p, "notes")) return run_notes(p, frames);
    if (is(p, "patched")) return run_patched(p, frames);
    const float *in = p->ports[0];
    float *out = p->ports[1];
    float amount = control(p, 2), peak = 0;
    if (amount >= 0.5f && is(p, "crashing")) raise(SIGSEGV);
    while (amount >= 0.5f && is(p, "hanging")) pause();
    if ((is(p, "storing") || is(p, "filing")) && amount >= 0.5f) p->secret = (int)amount;
    if (is(p, "working")) p->schedule->schedule(p->schedule->handle, sizeof p->answers, &p->answers);
    for (uint32_t frame = 0; frame < frames; frame++) {
        float sample = in[frame];
        peak = fmaxf(peak, fabsf(sample));
        if (is(p, "scaling")) sample *= amount;
        if (is(p, "keyed")) sample += 10 * ((const float *)p->ports[4])[frame];
        if (is(p, "undefined") && amount >= 0.5f) sample = NAN;
        if (is(p, "storing") || is(p, "filing")) sample = (float)p->secret;
        if (is(p, "working")) sample = (float)p->answers;
        if (is(p, "delaying") || is(p, "lying")) {
            float before = p->delayed[(p->place + line - 100) % line];
            p->delayed[p->place] = sample;
            p->place = (p->place + 1) % line;
            sample = before;
        }
        out[frame] = sample;
    }
    if (p->ports[3]) *(float *)p->ports[3] = is(p, "delaying") ? 100 : is(p, "lying") ? 64 : peak;
}

static void cleanup(void *handle) {
    free(((probe *)handle)->file);
    free(handle);
}

// MARK: Extensions

static int work(void *handle, lv2_respond respond, void *reply, uint32_t size, const void *data) {
    (void)handle;
    int number = *(const int *)data + 1;
    return size == sizeof number ? respond(reply, sizeof number, &number) : 1;
}
static int work_response(void *handle, uint32_t size, const void *data) {
    if (size == sizeof(int)) memcpy(&((probe *)handle)->answers, data, size);
    return 0;
}

typedef int (*store_function)(void *handle, uint32_t key, const void *value, size_t size, uint32_t type, uint32_t flags);
typedef const void *(*retrieve_function)(void *handle, uint32_t key, size_t *size, uint32_t *type, uint32_t *flags);
static const void *find(const LV2_Feature *const *features, const char *uri) {
    for (; features && *features; features++)
        if (strcmp((*features)->URI, uri) == 0) return (*features)->data;
    return 0;
}

/// The secret goes into a file, in a folder and under a name that wants escapes.
static int save_file(probe *p, store_function store, void *state, const LV2_Feature *const *features) {
    const lv2_make_path *make = find(features, LV2_STATE "makePath");
    const lv2_map_path *map = find(features, LV2_STATE "mapPath");
    if (!make || !map || make->make(make->handle, "../outside") || make->make(make->handle, "/outside")) return 1;
    free(p->file);
    p->file = make->make(make->handle, "a folder/the secret.txt");
    FILE *file = p->file ? fopen(p->file, "w") : 0;
    if (!file) return 1;
    fprintf(file, "%d", p->secret);
    fclose(file);
    char *path = map->abstract_path(map->handle, p->file);
    int result = store(state, p->file_key, path, strlen(path) + 1, p->path, 3);
    free(path);
    return result;
}

static int restore_file(probe *p, retrieve_function retrieve, void *state, const LV2_Feature *const *features) {
    const lv2_map_path *map = find(features, LV2_STATE "mapPath");
    size_t size = 0;
    uint32_t type = 0, how = 0;
    const char *abstract = retrieve(state, p->file_key, &size, &type, &how);
    if (!map || !abstract || type != p->path) return 1;
    char *path = map->absolute_path(map->handle, abstract);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%d", &p->secret) != 1) p->secret = 0;
    if (file) fclose(file);
    free(path);
    return 0;
}

static int save(void *handle, store_function store, void *state, uint32_t flags, const LV2_Feature *const *features) {
    (void)flags;
    probe *p = handle;
    if (is(p, "filing")) return save_file(p, store, state, features);
    const int *kept = is(p, "working") ? &p->answers : &p->secret;
    return store(state, p->secret_key, kept, sizeof *kept, p->integer, 3);
}
static int restore(void *handle, retrieve_function retrieve, void *state, uint32_t flags, const LV2_Feature *const *features) {
    (void)flags;
    probe *p = handle;
    if (is(p, "filing")) return restore_file(p, retrieve, state, features);
    size_t size = 0;
    uint32_t type = 0, how = 0;
    const void *value = retrieve(state, p->secret_key, &size, &type, &how);
    if (!value || size != sizeof p->secret) return 0;
    // Taken over with the response, which is one more than was given away.
    int before = *(const int *)value - 1;
    if (is(p, "working")) return p->schedule->schedule(p->schedule->handle, sizeof before, &before);
    memcpy(&p->secret, value, size);
    return 0;
}

static const void *extension_data(const char *uri) {
    static const lv2_worker worker = {work, work_response, 0};
    static const struct { void *save, *restore; } state = {(void *)save, (void *)restore};
    if (strcmp(uri, LV2_WORKER "interface") == 0) return &worker;
    return strcmp(uri, LV2_STATE "interface") == 0 ? &state : 0;
}

#define ENTRY(kind) {PROBE kind, instantiate, connect_port, activate, run, 0, cleanup, extension_data}
static const LV2_Descriptor all[] = {
    ENTRY("scaling"), ENTRY("crashing"), ENTRY("hanging"), ENTRY("undefined"), ENTRY("delaying"), ENTRY("lying"), ENTRY("stillborn"), ENTRY("refusing"),
    ENTRY("notes"), ENTRY("keyed"), ENTRY("patched"), ENTRY("storing"), ENTRY("working"), ENTRY("filing"),
};

__attribute__((visibility("default"))) const LV2_Descriptor *lv2_descriptor(uint32_t index) {
    return index < sizeof all / sizeof *all ? &all[index] : 0;
}
