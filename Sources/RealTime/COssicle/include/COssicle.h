// The few pieces of the engine that are better said in C. A plain Swift version stands beside each kernel.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Only where pointers point to pointers does Swift need to be told that none of them is null.
#pragma clang diagnostic ignored "-Wnullability-completeness"
typedef float *_Nonnull ossicle_samples;

/// The default head: the KEMAR set, prepared by `Scripts/prepare-kemar.py` (format described there).
const unsigned char *ossicle_kemar(void);
size_t ossicle_kemar_size(void);

/// Finite impulse response: output[i] = sum over k (ascending) of taps[k] * signal[i + tap_count - 1 - k].
/// Works in groups of 16 frames: `signal` is readable and `output` writable up to the next multiple of 16; the surplus
/// is meaningless. Any thread.
void ossicle_fir(const float *signal, const float *taps, size_t tap_count, float *output, size_t frames);

/// Takes blocks of 64 bytes into the state of a SHA-256 digest, by instructions that not every processor has.
/// - Returns: 0 where this one has none; then nothing has changed. Any thread.
/// - constants: of the 64 rounds.
int ossicle_sha256_absorb(const uint32_t *constants, uint32_t *state, const uint8_t *blocks, size_t count);

/// Sets NaN and infinity to 0 and leaves the bits of every other sample. Returns how many there were. Any thread.
size_t ossicle_clear_non_finite(float *samples, size_t count);

/// Bits of the largest of `so_far` and the samples' magnitudes; NaN is above infinity. Any thread.
/// - so_far: bits of a magnitude.
uint32_t ossicle_largest_magnitude(const float *samples, size_t count, uint32_t so_far);

/// Rounds samples to the nearest multiple of 1/scale from -1 to 1 - 1/scale, ties to even.
/// - Returns: 0 where one is not finite in single precision; then nothing has changed. Any thread.
/// - samples: may be the target.
/// - scale: a power of two.
int ossicle_round_to_steps(const double *samples, double *target, size_t count, double scale);

/// Writes samples as 16-bit integers of the machine's byte order, `stride` bytes apart: as above with a scale of 2^15, NaN as 0. Any thread.
void ossicle_pack_16(const double *samples, void *target, size_t stride, size_t count);

/// Writes two planes as frames of two such integers side by side. Any thread.
void ossicle_pack_16_pairs(const double *left, const double *right, void *target, size_t count);

/// Writes samples within ±peak, NaN as 0. Any thread.
void ossicle_widen_clamped(const float *samples, double *target, size_t count, double peak);

/// A straight line of gains: start + change * ((index + i) * step) for frame i.
typedef struct {
    float start, change, step;
    int32_t index;
} ossicle_line;

/// to = from * the line, which may be the same memory; and to += from * the line, which must not overlap. Any thread.
void ossicle_glide(const float *from, ossicle_line line, float *to, size_t n);
void ossicle_add_gliding(const float *from, ossicle_line line, float *to, size_t n);

/// Where one value of a sampled signal lies: the first sample of its window, the phase before it, and how far on to the next.
typedef struct {
    int32_t window;
    int32_t row;
    float weight;
} ossicle_place;

/// output[i] = sum over k of (a[k] + d[k] * weight) * source[window + k]: `rows` has `taps` taps a (a multiple of 8) and as many
/// differences d to the next row, row after row. Eight running sums, then their sum in pairs. Any thread.
void ossicle_polyphase(const float *rows, size_t taps, const float *source, const ossicle_place *places, float *output, size_t n);
/// The same of two signals at the same places, each with the bits that it has alone.
void ossicle_polyphase_pair(const float *rows, size_t taps, const float *one, const float *two, const ossicle_place *places,
                            float *one_output, float *two_output, size_t n);

/// What a ring holds, and what reads it while a delay moves: first the middles between samples, then eight taps at a time.
typedef struct {
    /// 13 weights of the samples to either side of the middle between two, from the inside out.
    const float *half_band;
    /// The eight taps as polynomials of where between the two inner ones is read, from -1/2 to 1/2: for each power from 0 to 4 four
    /// coefficients, of the pairs of taps from the inside out. A pair is a sum for even powers, a difference for odd ones.
    const float *polynomials;
    /// Those of taps that stand a whole frame apart.
    const float *coarse_polynomials;
    /// A power of two of samples, the first 48 of them repeated behind the last.
    const float *ring;
    int32_t size;
    /// Slot of the sample that an undelayed first frame would be.
    int32_t slot;
} ossicle_delay_line;

/// A delay that moves in a straight line, in frames times 2^32: that of frame i is delay + i * step, held within least ... most.
typedef struct {
    int64_t delay, step, least, most;
} ossicle_delay_ramp;

/// n frames out of a ring for one or two ramps, 1 ... 128 of them, each as late as its ramp says; what both need is interpolated once. At
/// the middle between two samples stands the sum of weight * (sum of the two at that distance), from the inside out; the polynomial of
/// eight samples half a frame apart is evaluated by Horner's rule. Any thread.
void ossicle_delay_read(const ossicle_delay_line *line, const ossicle_delay_ramp *ramps, const ossicle_samples *outputs, size_t count,
                        size_t n);
/// The same for one ramp by eight taps a whole frame apart, without samples between; any n.
void ossicle_delay_read_coarsely(const ossicle_delay_line *line, const ossicle_delay_ramp *ramp, float *output, size_t n);

/// The three steps of a feedback delay network of sixteen lines. `frames` holds one vector of sixteen lines per frame. Any thread.
/// frames[16 i + line] = ends[line][i].
void ossicle_fdn_gather(const ossicle_samples *ends, float *frames, size_t n);
/// A cascade of an even number of state-variable sections (alpha, beta, gamma, d, p, q: sixteen lines each) with their states (s1, s2),
/// in place.
void ossicle_fdn_filter(const float *sections, float *state, size_t section_count, float *frames, size_t n);
/// outputs[0 ..< output_count] = Hadamard(frames * output_gains), ends = Hadamard(frames) / 4 + input_gains * mono. `frames` and `mono` are
/// readable up to the next multiple of 8.
void ossicle_fdn_mix(const float *frames, const float *mono, const float *output_gains, const float *input_gains,
                     const ossicle_samples *outputs, size_t output_count, const ossicle_samples *ends, size_t n);

/// Ten state-variable sections one behind the other, as a pipeline: sixteen numbers, of which ten count, for each of alpha, beta, gamma,
/// d, p, q, and for each of the states s1 and s2. `from` and `to` may be the same memory. Any thread.
void ossicle_bands(const float *sections, float *state, const float *from, float *to, size_t n);
/// The same while the sections move in a straight line: start + (end - start) * ((index + i) * step) at frame i.
void ossicle_bands_moving(const float *start, const float *end, float index, float step, float *state, const float *from, float *to,
                          size_t n);

/// Adds one sound to the sixteen channels of a sound field: sums[c][i] += sound[i] * (start[c] + (end[c] - start[c]) * ((index + i) * step))
/// for the first `moving` frames, sound[i] * end[c] for the rest. No two of them overlap. Any thread.
void ossicle_field_add(const float *sound, const float *start, const float *end, float step, int32_t index, size_t moving,
                       const ossicle_samples *sums, size_t n);
/// Adds sixteen signals: sums[c][i] += the sum over d of gains[16 d + c] * signals[d][i], in the order of d. Signals are readable up to
/// the next multiple of 16. Any thread.
void ossicle_field_encode(const ossicle_samples *signals, const float *gains, const ossicle_samples *sums, size_t n);

/// The butterflies of a Fourier transform of n complex numbers, a power of two, in the order of reversed bits; in place. The twiddle
/// factors of the stage of half h lie at h ... 2 h - 1: cosine and sine of -pi k / h. Any thread.
void ossicle_fourier(float *real, float *imaginary, const float *cosines, const float *sines, size_t n);
/// The same from numbers in their natural order, elsewhere in memory, in rings of n whose first number is at `begin`, a multiple of 8; n at
/// least 64. `reversed` holds the numbers 0 ... n / 8 - 1 with their bits reversed.
void ossicle_fourier_from(const float *from_real, const float *from_imaginary, size_t begin, float *real, float *imaginary,
                          const float *cosines, const float *sines, const uint32_t *reversed, size_t n);
/// The same in place, by way of a copy on the stack, for n from 64 to 2048. Returns n, or 0 for any other n, of which nothing is done.
size_t ossicle_fourier_in_place(float *real, float *imaginary, const float *cosines, const float *sines, const uint32_t *reversed,
                                size_t n);
/// Bins 1 ... m - 1 of a real signal of 2 m samples from the transform of its even and odd samples as one complex signal; in place.
/// Cosine and sine of -pi k / m for k = 0 ... m / 2. Any thread.
void ossicle_take_spectra_apart(float *real, float *imaginary, const float *cosines, const float *sines, size_t m);
/// The way back.
void ossicle_put_spectra_together(float *real, float *imaginary, const float *cosines, const float *sines, size_t m);
/// n even and n odd samples of a signal, and the way back.
void ossicle_deinterleave_pair(const float *signal, float *even, float *odd, size_t n);
void ossicle_interleave_pair(const float *even, const float *odd, float *signal, size_t n);

/// The spectra of two real signals, the ears, from the transform of left + i right: n complex numbers, n a multiple of 32. Spectra stand
/// in four parts of n / 2 bins: left real, left imaginary, right real, right imaginary; the imaginary part of bin 0 holds the bin of half
/// the sample rate. Transforms are readable and writable one number beyond their end. Any thread.
/// spectra = scale * 2 * the ears.
void ossicle_ears_apart(const float *re, const float *im, size_t n, float scale, float *spectra);
/// The transform that belongs to the spectra: a real left and an imaginary right signal.
void ossicle_ears_together(const float *spectra, size_t n, float *re, float *im);
/// sums += 2 * the ears * filters, all of them spectra of the form above; and the same ears through two filters.
void ossicle_ears_add(const float *re, const float *im, size_t n, const float *filters, float *sums);
void ossicle_ears_add_pair(const float *re, const float *im, size_t n, const float *old_filters, const float *new_filters,
                           float *old_sums, float *new_sums);
/// Filters on their way to the weighted sum of three spectra of both ears, whose ears change places if mirrored: `share` of the way.
typedef struct {
    const float *corners[3];
    float weights[3], share;
    int is_mirrored;
} ossicle_filter_way;

/// The same ears through filters as they are, and as they become: to the bit what `ossicle_blend` and then `ossicle_ears_add_pair` give.
void ossicle_ears_turn(const float *re, const float *im, size_t n, const ossicle_filter_way *way, float *filters, float *old_sums,
                       float *new_sums);
/// Two spectra of n / 2 bins each, real, then imaginary parts; the imaginary part of bin 0 holds the bin of half the sample rate.
typedef struct {
    const float *signal, *filter;
} ossicle_product;

/// sum = the products of `count` pairs of spectra, added up in their order; n a multiple of 32. Any thread.
void ossicle_spectra_filter(const ossicle_product *products, size_t count, size_t n, float *sum);
/// to = from + (weighted sum of a, b, c - from) * share, which a share of 1 gives to the bit; n a multiple of 16. `from` and `to` may
/// be the same memory. Any thread.
void ossicle_blend(const float *a, const float *b, const float *c, const float *weights, const float *from, float share, float *to,
                   size_t n);
/// Asks for n floats to be brought near the processor, which will be read soon. Any thread.
void ossicle_prefetch(const float *memory, size_t n);

/// The loops of a partitioned convolution; all counts are multiples of 16 unless said otherwise. Any thread.
/// real + i imaginary = (earlier + i later) * (cosines + i sines).
void ossicle_twist(const float *earlier, const float *later, const float *cosines, const float *sines, float *real, float *imaginary,
                   size_t n);
/// output = the imaginary part of (real + i imaginary) * (cosines - i sines).
void ossicle_untwist(const float *real, const float *imaginary, const float *cosines, const float *sines, float *output, size_t n);
/// Columns from ... from + n - 1 of a transform's first stage of radix eight, decimation in frequency, in place on 8 m numbers:
/// block r = sum over k of block k * e^(-2 pi i r k / 8), times e^(-2 pi i r j / (8 m)) in column j, whose cosine and sine stand at
/// (r - 1) m + j for r = 1 ... 7. The transforms of the eight blocks are then bins 8 q + r of the whole.
void ossicle_eighths_apart(float *real, float *imaginary, const float *cosines, const float *sines, size_t m, size_t from, size_t n);
/// The way back, eight times as large.
void ossicle_eighths_together(float *real, float *imaginary, const float *cosines, const float *sines, size_t m, size_t from, size_t n);
/// Bins from ... from + n - 1 of the sum over p of signal (newest - p) * response p, p ascending from 0 to count - 1; added to what is
/// there if `adds`. Signals stand in a ring of `count` slots; a spectrum is `bins` real and then as many imaginary parts.
void ossicle_convolve_spectra(const float *signals, size_t newest, const float *response, size_t count, size_t bins, size_t from,
                              size_t n, int adds, float *real, float *imaginary);
/// sums[i] += signal[i]; any n.
void ossicle_add(const float *signal, float *sums, size_t n);

/// The loops of a phase vocoder. Any thread.
/// output[i] = a[i] * b[i].
void ossicle_multiply(const float *a, const float *b, float *output, size_t n);
/// sums[i] += signal[i] * gain * shape[i].
void ossicle_add_window(const float *signal, float gain, const float *shape, float *sums, size_t n);
/// weights[i] += a[i] * b[i], and powers[i] the same times `power`.
void ossicle_add_weights(const float *a, const float *b, float power, float *weights, float *powers, size_t n);
/// output[i] = sums[i] / max(weights[i], least).
void ossicle_divide_by_weights(const float *sums, const float *weights, float least, float *output, size_t n);
/// The sum of squares of a multiple of 8 samples: eight running sums, then their sum in pairs.
float ossicle_energy(const float *signal, size_t n);
/// Each bin times cosine + i sine.
void ossicle_turn_spectrum(const float *real, const float *imaginary, const float *cosines, const float *sines,
                           float *turned_real, float *turned_imaginary, size_t n);
/// energies[i]: the squares of bin i of all channels, whose spectra lie `stride` floats apart.
void ossicle_spectrum_energies(const float *real, const float *imaginary, size_t channels, size_t stride, float *energies, size_t n);
/// marks[i]: 1 where an energy is above the two before it and not below the two behind it; two are readable beyond either end.
void ossicle_mark_peaks(const float *energies, uint8_t *marks, size_t n);
/// What marked bins are turned by: real + i imaginary of the window before, times the sum of last · conj(previous) over a bin, its two
/// neighbours and all channels, at the length 1; as before where that sum is 0 or no number. Others near them may be set as well, the first
/// and the last never are. Spectra of channels lie `stride` floats apart; 10 bins or more, and eight marks beyond them are readable.
void ossicle_find_turns(const float *last_real, const float *last_imaginary, const float *previous_real, const float *previous_imaginary,
                        size_t channels, size_t stride, const float *real, const float *imaginary, const uint8_t *marks, float *turned_real,
                        float *turned_imaginary, size_t n);

/// Numbers too small to hear (denormals) count as zero on this thread from here on. Returns the state to restore.
uint64_t ossicle_flush_denormals(void);
void ossicle_restore_float_state(uint64_t saved);

/// RealtimeSanitizer's brackets, where its run-time library is linked in; nothing elsewhere.
void ossicle_rtsan_ensure_initialized(void);
void ossicle_rtsan_enter(void);
void ossicle_rtsan_exit(void);
/// Around a client's own code on the audio thread, which is the client's to answer for.
void ossicle_rtsan_pause(void);
void ossicle_rtsan_resume(void);
/// Around the engine's code that a client's own code calls. Gives the number of pauses to restore.
int ossicle_rtsan_end_pauses(void);
void ossicle_rtsan_restore_pauses(int count);

/// A counter that runs at an even pace, for comparing costs: processor ticks, or nanoseconds where there are none. Any thread.
uint64_t ossicle_ticks(void);

/// Threads that render beside the audio thread, asleep while there is nothing to do.
typedef struct ossicle_workers ossicle_workers;
#define OSSICLE_MOST_WORKERS 63
/// One strand of a stage. Any of the threads; strands of a stage run at the same time.
typedef void (*_Nonnull ossicle_work)(const void *_Nonnull context, uint32_t strand);
/// What each worker calls on its own thread, first and last; either may be null.
typedef struct {
    void (*_Nullable begin)(void *_Nullable context);
    void (*_Nullable end)(void *_Nullable context);
    void *_Nullable context;
} ossicle_worker_setting;

/// At most OSSICLE_MOST_WORKERS threads; null where none can be had. Control side.
ossicle_workers *_Nullable ossicle_workers_start(unsigned count, ossicle_worker_setting setting);
/// Waits for the threads. Control side, with no stage under way.
void ossicle_workers_stop(ossicle_workers *_Nonnull workers);
/// Runs the strands 0 ..< count of a stage, at most 65,535, and returns when all are done. The first `own` run on the calling thread, in
/// order; the others on whichever thread is free. No lock and no memory. Audio thread.
void ossicle_workers_run(ossicle_workers *_Nonnull workers, ossicle_work work, const void *_Nonnull context, uint32_t own,
                         uint32_t count);
/// Around a render call: workers wake, and stay awake from stage to stage. RealtimeSanitizer watches what they do if `is_watched`. Audio
/// thread.
void ossicle_workers_begin(ossicle_workers *_Nonnull workers, int is_watched);
void ossicle_workers_end(ossicle_workers *_Nonnull workers);
/// Cores that this process may use; the two threads of a core count once. Control side.
unsigned ossicle_physical_cores(void);

/// A bit for each of up to 128 rays.
typedef uint64_t ossicle_ray_mask __attribute__((vector_size(16)));
typedef float ossicle_four __attribute__((vector_size(16)));
typedef int32_t ossicle_four_numbers __attribute__((vector_size(16)));
typedef struct {
    ossicle_four x, y, z;
} ossicle_four_vectors;

/// Four boxes of a tree, in two lines of a cache.
typedef struct {
    /// Lower x, y and z, upper x, y and z; infinite and minus infinite where there is no box.
    ossicle_four corners[6];
    /// What is in each box: a node's number, or the complement (-1 - n) of a leaf's.
    ossicle_four_numbers children, unused;
} ossicle_four_boxes;

/// Up to four facets, a lane each; the first fills the lanes that are left.
typedef struct {
    ossicle_four_vectors corner, edge1, edge2;
    /// The number of the first among all facets, how many there are, 1...4, and a number of the caller's.
    int32_t first, count, number, unused;
} ossicle_four_facets;

/// From a coordinate of the plane to one of 64 columns or rows: (place - first) * per_unit, moved by `before` or `after`.
typedef struct {
    float first, per_unit, before, after;
} ossicle_ray_scale;

/// Rays from one place, sorted into columns and rows of a plane before it.
typedef struct {
    /// 65 masks each: of the rays before column 0, 1 ... 64 begins, and of rows likewise.
    const ossicle_ray_mask *columns, *rows;
    /// Which of a node's corners are lower and upper u and v, near and far along the axis.
    int32_t lower_u, upper_u, lower_v, upper_v, near, far;
    /// 1 where the rays go up along the axis, -1 where they go down.
    float sign;
    /// The start, for each of these corners.
    float start_lower_u, start_upper_u, start_lower_v, start_upper_v, start_near, start_far;
    /// How far the rays reach along the axis.
    float reach;
    ossicle_ray_scale u, v;
} ossicle_ray_bundle;

/// Sorts rays that go up or down along an axis within some 60 degrees of it. Takes them out of `left`, sets `columns`, `rows`, `reach` and the
/// scales of a bundle, and returns how many they are. Any thread.
/// - deltas: from the start of each ray to its end, x, y, z, `stride` bytes apart.
/// - axis: 0, 1 or 2; u is the next axis, v the one before. The bundle's `sign` says in which direction.
/// - margin: by what u or v (-2...2) may be off.
/// - masks: 130, to keep as long as the bundle.
size_t ossicle_sort_rays(const double *_Nonnull deltas, size_t stride, int axis, float margin, ossicle_ray_mask *_Nonnull left,
                         ossicle_ray_mask *_Nonnull masks, ossicle_ray_bundle *_Nonnull bundle);

/// Rays of interest at one node or leaf.
typedef struct {
    ossicle_ray_mask rays;
    int64_t number;
} ossicle_ray_visit;

/// Continues a search: takes nodes from the top of a stack until it is empty or there are `limit` leaves. `leaves` has room for three more, the
/// stack for four more than it ever holds. Returns how many leaves there are, each with the rays that its box may meet. Any thread.
/// - wanted: the rays that are still of interest.
/// - depth: of the stack, before and after.
size_t ossicle_search_boxes(const ossicle_ray_bundle *_Nonnull bundle, const ossicle_four_boxes *_Nonnull nodes,
                            const ossicle_four_facets *_Nonnull facets, ossicle_ray_mask wanted, ossicle_ray_visit *_Nonnull stack,
                            size_t *_Nonnull depth, ossicle_ray_visit *_Nonnull leaves, size_t limit);

/// The start of rays, how far its coordinates may be off, and their directions (x, y, z, 0), at most 1 long.
typedef struct {
    float x, y, z, blur;
    const ossicle_four *directions;
} ossicle_ray_directions;

/// A facet that a ray may cross: 4 * leaf + lane.
typedef struct {
    uint32_t place, ray;
} ossicle_ray_pair;

/// Of 128 rays and four facets, and four that are written and do not count.
#define OSSICLE_MOST_PAIRS_OF_A_LEAF 516

/// The numbers of a facet of OssicleAcoustics, as it lays them out.
typedef struct {
    double corner[3], edge1[3], edge2[3], size, inset, others[5];
} ossicle_facet;

/// Pairs the rays of leaves with the facets that they may cross: all that `Facet.crossing` would find, and few more; asks for the memory of these
/// facets. Ends where there is no room for the pairs of one more leaf. Returns how many pairs there are. Any thread.
/// - visits: the leaves to look at, and the rays of each.
/// - position: the first of them to look at, before and after.
size_t ossicle_pair_rays(const ossicle_four_facets *_Nonnull leaves, const ossicle_facet *_Nonnull facets, ossicle_ray_directions start,
                         const ossicle_ray_visit *_Nonnull visits, size_t *_Nonnull position, size_t count, ossicle_ray_pair *_Nonnull pairs,
                         size_t room);

/// The numbers of a segment of OssicleAcoustics, as it lays them out.
typedef struct {
    double start[4], delta[4], length, slack, limit, other;
} ossicle_segment;

/// Where a ray crosses a facet: what `Facet.Passage` holds, and the number of the pair.
typedef struct {
    double share;
    uint32_t pair;
    bool is_against_normal, is_clear;
} ossicle_ray_crossing;

/// What `Facet.crossing` finds of each pair, to the last bit: four pairs at once, with the same operations in the same order. Returns how many
/// cross, in the order of the pairs. Any thread.
/// - segments: the rays by number, all from one place.
/// - crossings: room for one more than there are pairs.
size_t ossicle_cross_facets(const ossicle_four_facets *_Nonnull leaves, const ossicle_facet *_Nonnull facets,
                            const ossicle_segment *_Nonnull segments, const ossicle_ray_pair *_Nonnull pairs, size_t count,
                            ossicle_ray_crossing *_Nonnull crossings);

/// Sines and cosines of four angles, radians, with the bits of `DeterministicMath.sincos` of each. Returns false, and sets nothing, where
/// one is beyond 10⁶ or no number. Any thread.
bool ossicle_sines(double a, double b, double c, double d, double *_Nonnull sines, double *_Nonnull cosines);

/// Finds c and u/√(kL) of `UTD`, of both signs at each of two ψ, radians up to 4π. Any thread.
/// - openness: n, at least 1.
void ossicle_wedge(double openness, double one, double two, double *_Nonnull weights, double *_Nonnull arguments);

/// Multiplies complex amplitudes by what an edge sends, −e^(−jπ/4)/2 Σ c (f + jg) of `UTD`: n of them, a multiple of four, each at its own
/// √k. Any thread.
/// - weights: c of each term; `arguments`: u/√(kL).
/// - root: √L.
void ossicle_bend(const double *_Nonnull weights, const double *_Nonnull arguments, size_t terms, const double *_Nonnull roots, double root,
                  double *_Nonnull real, double *_Nonnull imaginary, size_t n);

/// Adds a path to bands of four tones, four real and then four imaginary parts of each. Any thread.
/// - real, imaginary: its amplitudes an octave apart, from the one below the first band on; 0 beyond n.
/// - turn: sines and cosines of its phases at the first band's tones.
void ossicle_add_octaves(const double *_Nonnull real, const double *_Nonnull imaginary, size_t n, const double *_Nonnull turn,
                         double *_Nonnull fields, size_t bands);

/// How sound gets to an edge: `EdgeArrival`.
typedef struct {
    /// c and u/√(kL) of its terms: direct sound and reflection at the nearest boundary of each, then their others.
    float weights[4], arguments[4];
    /// Those of the edge before, along whose side it comes.
    float last_weights[2], last_arguments[2];
    /// On which sides the nearest boundaries are: 1 or −1.
    float sides[2];
    /// √L at the edge, and at the one before.
    float root, last_root;
    bool is_along;
} ossicle_edge_terms;

/// What it sends at eight frequencies, eight real and then eight imaginary parts: c (f + jg) and η of the two nearest boundaries, and the
/// sum of all terms.
typedef struct {
    float waves[2][16], slopes[2][16], sum[16];
    /// u at the lowest frequency.
    float least[2], sides[2];
    bool reflects;
} ossicle_edge;

/// Finds that. Any thread.
/// - roots: √k of the frequencies.
void ossicle_find_edge(const ossicle_edge_terms *_Nonnull terms, const float *_Nonnull roots, ossicle_edge *_Nonnull edge);

/// Adds a path by an edge of one body and one of another to bands of four tones: D₁D₂X of `CoupledEdges`, times a factor. Any thread.
/// - correlation: ρ, of bodies on the same side of the path.
/// - real, imaginary: of the factor.
/// - turn: sines and cosines of the path's phases at the first band's tones.
/// - first: of each band, the first of the three frequencies around its tones; `shares`: of the second at each tone, then of the third.
void ossicle_add_edges(const ossicle_edge *_Nonnull a, const ossicle_edge *_Nonnull b, float correlation, float real, float imaginary,
                       const double *_Nonnull turn, const int32_t *_Nonnull first, const float *_Nonnull shares, double *_Nonnull fields,
                       size_t bands);
