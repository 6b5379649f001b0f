// Ossicle in C: scenes rendered and room impulse responses computed offline, by libossicle.so.
//
//     ossicle_scene *scene;
//     ossicle_sound *sound;
//     ossicle_error *error;
//     if (ossicle_scene_open("walk.gltf", "walk.json", &scene, &error) != OSSICLE_OK) {
//         fprintf(stderr, "%s\n", ossicle_error_text(error, OSSICLE_ERROR_MESSAGE));
//         ossicle_error_free(error);
//         return 1;
//     }
//     ossicle_render(scene, NULL, &sound, NULL);
//     ossicle_sound_write(sound, "walk.wav", 0, NULL);
//
// Same files, same options: the same bytes, on any x86-64 processor and any number of threads, and those of `ossicle render`
// and `ossicle rir`.
//
// Functions that can fail return OSSICLE_OK or one of the codes below. Where `error` is not NULL, it is set to NULL on success
// and to an error otherwise, which the caller frees. What comes out through a pointer is set only on success, else to NULL.
//
// Handles (scene, room, sound, error) are numbers in a table and never followed as addresses: NULL, one that was freed, or
// one of another kind is an error with OSSICLE_BAD_HANDLE and no crash. Text and samples that a handle gives out live as long
// as it does. Every function may be called from any thread, also several at once with one handle; only freeing a handle while
// another thread reads text or samples out of it is the caller's fault.
//
// Text is UTF-8. Lengths are metres, x to the right, y up, z to the back; times are seconds, angles degrees.

#ifndef OSSICLE_H
#define OSSICLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What this header describes. A library with another number takes other arguments.
#define OSSICLE_ABI 1

/// The number of the library, to be compared with OSSICLE_ABI.
int32_t ossicle_abi(void);

/// The version of the library: "0.13.0". Never freed.
const char *ossicle_version(void);

enum {
    OSSICLE_OK = 0,
    /// An argument makes no sense: NULL where something is needed, not a number, out of its range, of another size.
    OSSICLE_BAD_ARGUMENT = 1,
    /// A handle that is none, or of another kind.
    OSSICLE_BAD_HANDLE = 2,
    /// A scene, a timeline, a mesh or a sound in them cannot be used.
    OSSICLE_BAD_SCENE = 3,
    /// A source or listener is outside the room or inside something solid.
    OSSICLE_BAD_POSITION = 4,
    /// A file cannot be written.
    OSSICLE_BAD_FILE = 5,
    /// The progress function ended the work.
    OSSICLE_CANCELLED = 6,
    /// A manifest cannot be worked on, or a folder of results is of another.
    OSSICLE_BAD_BATCH = 7,
};

// MARK: Errors

typedef struct ossicle_error ossicle_error;

/// What an error has to say. The message is always there and holds all of it; the others may be NULL.
enum {
    OSSICLE_ERROR_MESSAGE = 0,
    /// What was asked: a file, an argument.
    OSSICLE_ERROR_OBJECT = 1,
    /// What is wrong with it.
    OSSICLE_ERROR_FINDING = 2,
    OSSICLE_ERROR_RULE = 3,
    OSSICLE_ERROR_CURE = 4,
    /// Where in a JSON document: "extensions.OSSICLE_audio.groups[0].gain".
    OSSICLE_ERROR_PATH = 5,
};

/// One of the codes above; OSSICLE_BAD_HANDLE for what is no error.
int32_t ossicle_error_code(const ossicle_error *error);

/// NULL for a part that the error does not have.
const char *ossicle_error_text(const ossicle_error *error, int32_t part);

void ossicle_error_free(ossicle_error *error);

// MARK: Sounds

/// Samples that were computed: 32-bit floating point, full scale ±1.
typedef struct ossicle_sound ossicle_sound;

/// A sound of samples of the caller's, channel after channel; they are copied. `rate` in Hz, 8000 to 384000.
int32_t ossicle_sound_make(
    const float *samples, size_t frames, size_t channels, double rate, ossicle_sound **sound, ossicle_error **error);

/// Frames and channels, 0 for what is no sound; Hz.
size_t ossicle_sound_frames(const ossicle_sound *sound);
size_t ossicle_sound_channels(const ossicle_sound *sound);
double ossicle_sound_rate(const ossicle_sound *sound);

/// The samples of one channel, from 0 on; NULL for one that is not there.
const float *ossicle_sound_samples(const ossicle_sound *sound, size_t channel);

/// Copies all samples. `capacity` is that of `buffer` in samples: frames × channels at the least. Channel after channel, or
/// frame after frame where `interleaved` is not 0.
int32_t ossicle_sound_copy(
    const ossicle_sound *sound, float *buffer, size_t capacity, int32_t interleaved, ossicle_error **error);

/// Writes a .wav of 32-bit floating point, which is there when it is whole. A file that exists is replaced only where
/// `overwrite` is not 0.
int32_t ossicle_sound_write(const ossicle_sound *sound, const char *path, int32_t overwrite, ossicle_error **error);

/// The SHA-256 of the file that `ossicle_sound_write` writes, in hexadecimal; NULL for what is no sound or too long for a
/// file.
const char *ossicle_sound_sha256(const ossicle_sound *sound);

/// What is known about it as a JSON object: what `ossicle render --json` and `ossicle rir --json` write, but for names of
/// files and times. NULL for what is no sound.
const char *ossicle_sound_facts(const ossicle_sound *sound);

void ossicle_sound_free(ossicle_sound *sound);

// MARK: Scenes

/// A scene file and what happens in it.
typedef struct ossicle_scene ossicle_scene;

/// Receives the share of the work that is done, 0 to 1, on the thread of the call. Any other result than 0 ends the work with
/// OSSICLE_CANCELLED.
typedef int32_t (*ossicle_progress)(double share, void *context);

/// Options begin with their size, so that later versions can have more; set them by ossicle_..._options_init.
typedef struct {
    size_t size;
    /// "binaural", "stereo", "quadraphonic", "5.1", "7.1", "7.1.4"; NULL: binaural, unless the scene says otherwise.
    const char *layout;
    /// The node that listens, where the scene has several listeners; else NULL.
    const char *listener;
    /// Up to 3600; 0: as long as the timeline.
    double seconds;
    /// Hz, 8000 to 384000. Default 48000.
    double rate;
    /// The seed of every random choice, where `has_seed` is not 0; else the scene's.
    uint64_t seed;
    int32_t has_seed;
    /// 1 to 1024; 0: OSSICLE_THREADS and all cores otherwise.
    int32_t threads;
    /// May be NULL.
    ossicle_progress progress;
    void *context;
} ossicle_render_options;

/// Opens and checks a scene (.gltf, .glb) and, unless it is NULL, a timeline. Sounds are read when it is rendered.
int32_t ossicle_scene_open(
    const char *path, const char *timeline, ossicle_scene **scene, ossicle_error **error);

/// What is in it as a JSON object: `listeners`, `sources`, `instances` (lists of names), `seed`, `seconds` (of the timeline),
/// `warnings`. NULL for what is no scene.
const char *ossicle_scene_facts(const ossicle_scene *scene);

void ossicle_scene_free(ossicle_scene *scene);

void ossicle_render_options_init(ossicle_render_options *options);

/// Renders a scene as `ossicle render` does; each call plays it from its beginning. NULL for the default options.
int32_t ossicle_render(
    const ossicle_scene *scene, const ossicle_render_options *options, ossicle_sound **sound, ossicle_error **error);

// MARK: Impulse responses

/// Surfaces of materials, in which sources and listeners are.
typedef struct ossicle_room ossicle_room;

typedef struct {
    size_t size;
    /// Metres of one unit of a file. Default 1.
    double units;
    /// Whether z looks up in the file; it turns x, y, z into x, z, −y. Default 0.
    int32_t z_up;
    /// Whether unknown materials are concrete, with a warning, and no error. Default 0.
    int32_t lenient;
    /// Materials of one's own for the file's names, as a JSON object: by name that of another material, or an object of
    /// `absorption`, `transmissionLoss` (dB) and `scattering`, each a number, a list of octave bands, or values by frequency;
    /// NULL: none.
    const char *materials;
} ossicle_room_options;

void ossicle_room_options_init(ossicle_room_options *options);

/// A box with a corner at the origin.
/// - size: three lengths. - materials: names, one for all walls, or six for low x, high x, floor, ceiling, low z, high z; or
/// one's own, "NAME=absorption/loss in dB/scattering", of which the last two may be left out, each one value or octave bands
/// with commas between them.
int32_t ossicle_room_box(
    const double *size, const char *const *materials, size_t material_count, ossicle_room **room,
    ossicle_error **error);

/// The surfaces of a scene (.gltf, .glb) or of an OBJ, STL or PLY file. Units and axes hold for all but scenes; NULL for the defaults.
int32_t ossicle_room_open(
    const char *path, const ossicle_room_options *options, ossicle_room **room, ossicle_error **error);

/// Triangles in memory.
/// - vertices: x, y, z of each. - triangles: three numbers of vertices each, counter-clockwise as seen from the side of the air.
/// - materials: as of a box. - material_of_triangle: the number of a material for each triangle; NULL: the first one for all.
int32_t ossicle_room_mesh(
    const float *vertices, size_t vertex_count, const uint32_t *triangles, size_t triangle_count,
    const char *const *materials, size_t material_count, const uint32_t *material_of_triangle, ossicle_room **room,
    ossicle_error **error);

/// A JSON object: `title`, `triangles`, `lower` and `upper` (corners of what bounds it), `warnings`. NULL for what is no room.
const char *ossicle_room_facts(const ossicle_room *room);

void ossicle_room_free(ossicle_room *room);

typedef struct {
    size_t size;
    double source[3];
    double listener[3];
    /// "mono", "binaural" (the built-in KEMAR), "ambisonic:0" to "ambisonic:7" (ACN, SN3D; "ambisonic:7:n3d": N3D), "array"; NULL: mono.
    const char *receiver;
    /// Of an array: x, y, z of each microphone to the listener's right, up and back.
    const double *microphones;
    size_t microphone_count;
    /// Which way the listener looks: turned to the left from −z, and up (−90 to 90).
    double yaw, pitch;
    /// Where `has_facing` is not 0, a position the listener looks at, in place of yaw and pitch.
    double facing[3];
    int32_t has_facing;
    /// Whether a source or listener outside the room, or inside a solid, is a warning and no error.
    int32_t lenient;
    /// Hz, 8000 to 384000. Default 48000.
    double rate;
    /// "low", "medium", "high", "reference"; NULL: high.
    const char *quality;
    /// Rays (0 to 16,777,216) and reflections in a row (0 to 3, in an empty box up to 1000) in place of the quality's; −1: the quality's.
    int32_t rays, order;
    /// Default 1.
    uint64_t seed;
    /// 0.001 to 60; 0: until all bands have decayed by 60 dB.
    double length;
    /// Of the air: °C, −80 to 80, and relative humidity in %. Default 20 and 50.
    double temperature, humidity;
    /// 1 to 1024; 0: OSSICLE_THREADS and all cores otherwise.
    int32_t threads;
    /// What else `ossicle rir` can do, as a JSON object with members of a row of a data set (Documentation/DataSets.md), or NULL:
    /// `directivity` of the source and `aim`, a position it looks at ([x, y, z], −z otherwise); `pattern` of microphones; `head`,
    /// a SOFA file; `waves`; `metrics` ("all"); `speech`; `paths` (true), which puts a list of the single paths into the facts.
    const char *more;
} ossicle_response_options;

void ossicle_response_options_init(ossicle_response_options *options);

/// The impulse response between `source` and `listener`, as `ossicle rir` computes it: 1 is the direct sound at 1 m in the
/// open, the first sample the moment of emission. The facts of the sound are the room-acoustic metrics.
int32_t ossicle_respond(
    const ossicle_room *room, const ossicle_response_options *options, ossicle_sound **sound, ossicle_error **error);

/// A dry sound, mixed to one channel, through each channel of a response of the same rate, as `ossicle rir --play-through`
/// makes it: peak at −1 dBFS. The facts say by which `gain` in dB.
int32_t ossicle_sound_play(
    const ossicle_sound *dry, const ossicle_sound *response, ossicle_sound **sound, ossicle_error **error);

// MARK: Data sets

/// What became of a data set, or was measured.
typedef struct ossicle_report ossicle_report;

typedef struct {
    size_t size;
    /// Which part of the rows: "3/64" is each 64th from row 3 on, counted from 0. NULL: all.
    const char *shard;
    /// Where rows name none: "wav" (32-bit floating point), "flac" (24 bits), "flac16"; NULL: wav.
    const char *format;
    /// The folder in which files are that rows name; NULL: that of the manifest.
    const char *base;
    /// Of the data set. Default 0.
    uint64_t seed;
    /// Rows at a time, 1 to 1024; 0: OSSICLE_THREADS and all cores otherwise.
    int32_t jobs;
    /// Whether to write one .tar for WebDataset in place of files.
    int32_t tar;
    /// Whether to begin anew where there are results, in place of going on.
    int32_t overwrite;
    /// May be NULL. What ends the work lets rows that are begun finish; the same call continues later.
    ossicle_progress progress;
    void *context;
} ossicle_batch_options;

void ossicle_batch_options_init(ossicle_batch_options *options);

/// Computes the rows of a manifest (JSON Lines) into a folder, as `ossicle batch` does. Rows that cannot be done are in the
/// report and no error.
int32_t ossicle_batch(
    const char *manifest, const char *folder, const ossicle_batch_options *options, ossicle_report **report,
    ossicle_error **error);

/// Checks the results in a folder, as `ossicle verify` does. What is found is in the report and no error.
int32_t ossicle_verify(const char *folder, ossicle_report **report, ossicle_error **error);

/// A JSON object. Of a batch: `folder`, `shard`, `rows`, `made`, `kept` (there already), `failed`, `messages` about rows
/// (sentences, the first 1,000), `sha256` of the shard's files. Of a check: `rows`, `files`, `bytes`, `failedRows`,
/// `rowsOfManifest`, `findings` (`kind`, `name`, `message`), `sha256` of the set. Of an echo canceller: see
/// `ossicle_analyze_echo`. NULL for what is no report.
const char *ossicle_report_facts(const ossicle_report *report);

void ossicle_report_free(ossicle_report *report);

// MARK: Echo cancellers

/// Measures what an echo canceller made of a recording, as `ossicle analyze --echo` does. All four sounds have one channel and
/// the rate of `microphone`, 8000 to 192000 Hz; what is shorter than it counts as silent at its end.
/// - output: of the canceller. - far: what was sent to the loudspeaker. - microphone: what was recorded. - near: the near talker
///   alone, as the microphone heard him.
///
/// The report: `enhancement` (echo return loss enhancement from 2 s on while the far talker is alone, dB), `convergence` (seconds
/// until every quarter of a second has 20 dB), `nearChange` (of the near talker's level, dB), `delay` (of the near talker,
/// seconds), `wordsKept` (share of his energy while both speak), each left out where there is nothing to measure it in;
/// `course` (`time`, `enhancement` of each quarter), `parts` (seconds of `farAlone`, `both`, `nearAlone`), `seconds`, `sampleRate`.
int32_t ossicle_analyze_echo(
    const ossicle_sound *output, const ossicle_sound *far, const ossicle_sound *microphone, const ossicle_sound *near,
    ossicle_report **report, ossicle_error **error);

/// The names of materials that a room can be made of, as a JSON array. Never freed.
const char *ossicle_materials(void);

#ifdef __cplusplus
}
#endif

#endif
