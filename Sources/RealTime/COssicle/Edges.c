// What edges of bodies do to sound, at many frequencies at once: the loops of `PrismSum` and `CoupledEdges`. A lane is a frequency, and
// every sum has one order.
#include "Sines.h"

#pragma STDC FP_CONTRACT OFF

// f and g of `FresnelTail`, of as many u as a vector holds.
#define FRESNEL_TAIL(type, scalar, u, f, g) \
    do { \
        type above = (u) * (scalar)0.6616249581941006 + (scalar)0.45234048798453097; \
        above = above * (u) + (scalar)1.2352812776910107; \
        above = above * (u) + (scalar)1; \
        type below = (u) * (scalar)2.0785561080942405 + (scalar)1.4144504120131647; \
        below = below * (u) + (scalar)4.001629942418697; \
        below = below * (u) + (scalar)2.4712484840304922; \
        below = below * (u) + (scalar)2; \
        (f) = above / below; \
        above = ((u) * (scalar)0.5665711522891401 - (scalar)0.05610352556037999) * (u) + (scalar)1; \
        below = (u) * (scalar)8.306299473872873 + (scalar)5.0277451819049; \
        below = below * (u) + (scalar)3.9451284509549827; \
        below = below * (u) + (scalar)2; \
        const type square = (u) * (u), high = (u) * (scalar)5.5918331381631665 - (scalar)0.4198906209098701; \
        (g) = above / (below + high * (square * square)); \
    } while (0)

// a e^(−jφ) more.
INLINE void add_turned(const doubles *re, const doubles *im, const doubles *sine, const doubles *cosine, double *field) {
    STORE_DOUBLES(field, LOAD_DOUBLES(field) + (*re * *cosine + *im * *sine));
    STORE_DOUBLES(field + 4, LOAD_DOUBLES(field + 4) + (*im * *cosine - *re * *sine));
}

// To an octave above.
INLINE void rise(doubles *sine, doubles *cosine) {
    const doubles s = *sine, c = *cosine;
    *sine = 2 * s * c;
    *cosine = c * c - s * s;
}

// MARK: Paths around one body

CLONES
void ossicle_wedge(double openness, double one, double two, double *weights, double *arguments) {
    const double pi = 3.141592653589793, whole = 2 * pi * openness;
    const doubles psi = {one, one, two, two}, signs = {1, -1, 1, -1};
    doubles turns = (signs * pi + psi) / whole, s, c, ignored;
    round_away(&turns, &turns);
    // (π ± ψ)/2n and (2πnN± − ψ)/2
    const doubles angles = (signs * psi + pi) / (2 * openness), asides = (turns * whole - psi) / 2;
    find_sines(&angles, &s, &c);
    doubles aside, sizes;
    find_sines(&asides, &ignored, &aside);
    find_magnitudes(&aside, &aside);
    find_magnitudes(&s, &sizes);
    // On the boundary itself the shadow's side counts.
    const bits beside = sizes > 1e-12;
    const doubles edge = (doubles){0} - 0.7071067811865476, weight = c / s * aside / (1.4142135623730951 * openness);
    STORE_DOUBLES(weights, (doubles)(((bits)weight & beside) | ((bits)edge & ~beside)));
    STORE_DOUBLES(arguments, aside * (2 / __builtin_sqrt(pi)));
}

CLONES
void ossicle_bend(const double *weights, const double *arguments, size_t terms, const double *roots, double root, double *restrict real,
                  double *restrict imaginary, size_t n) {
    const double half = 0.5 * 0.7071067811865476;
    for (size_t i = 0; i < n; i += 4) {
        const doubles number = LOAD_DOUBLES(roots + i) * root;
        doubles re = {0}, im = {0};
        for (size_t term = 0; term < terms; term++) {
            const doubles u = number * arguments[term];
            doubles f, g;
            FRESNEL_TAIL(doubles, double, u, f, g);
            re += f * weights[term];
            im += g * weights[term];
        }
        const doubles x = (re + im) * -half, y = (re - im) * half;
        const doubles a = LOAD_DOUBLES(real + i), b = LOAD_DOUBLES(imaginary + i);
        STORE_DOUBLES(real + i, a * x - b * y);
        STORE_DOUBLES(imaginary + i, a * y + b * x);
    }
}

// At ⅜ and ⅛ of an octave below and above the middle one of three that are an octave apart.
INLINE void between_octaves(const double *x, size_t band, size_t n, doubles *value) {
    const double a = x[band], b = band + 1 < n ? x[band + 1] : 0, c = band + 2 < n ? x[band + 2] : 0;
    *value = (doubles){0.625, 0.875, 0.875, 0.625} * b + (doubles){0.375, 0.125, 0.125, 0.375} * (doubles){a, a, c, c};
}

CLONES
void ossicle_add_octaves(const double *real, const double *imaginary, size_t n, const double *turn, double *restrict fields, size_t bands) {
    doubles sine = LOAD_DOUBLES(turn), cosine = LOAD_DOUBLES(turn + 4);
    for (size_t band = 0; band < bands && band < n; band++) {
        doubles re, im;
        between_octaves(real, band, n, &re);
        between_octaves(imaginary, band, n, &im);
        add_turned(&re, &im, &sine, &cosine, fields + 8 * band);
        rise(&sine, &cosine);
    }
}

// MARK: Paths by an edge of each of two bodies

typedef struct {
    lanes8 re, im;
} wave;

INLINE void load(const float *x, wave *value) { *value = (wave){LOAD8(x), LOAD8(x + 8)}; }
INLINE void store(const wave *value, float *x) {
    STORE8(x, value->re);
    STORE8(x + 8, value->im);
}
INLINE void add(const wave *a, wave *sum) { *sum = (wave){sum->re + a->re, sum->im + a->im}; }
INLINE void multiply(const wave *a, wave *product) {
    *product = (wave){product->re * a->re - product->im * a->im, product->re * a->im + product->im * a->re};
}

// c (f + jg).
INLINE void term(float weight, const lanes8 *u, wave *value) {
    FRESNEL_TAIL(lanes8, float, *u, value->re, value->im);
    *value = (wave){value->re * weight, value->im * weight};
}

// The same, from u = 2 on by the first term of either's asymptotic series: within 2 % of what is small.
INLINE void distant_term(float weight, const lanes8 *u, wave *value) {
    const float pi = 3.141592653589793f;
    if ((*u)[0] > 2) {
        const lanes8 f = 1 / (*u * pi);
        *value = (wave){f * weight, f * f * f * pi * weight};
    } else term(weight, u, value);
}

// c (f + jg) and η.
INLINE void boundary(float weight, const lanes8 *u, wave *value, wave *slope) {
    const float pi = 3.141592653589793f;
    wave tail;
    FRESNEL_TAIL(lanes8, float, *u, tail.re, tail.im);
    const lanes8 energy = tail.re * tail.re + tail.im * tail.im;
    const lanes8 x = tail.im / energy, y = tail.re / energy - *u * pi;
    *value = (wave){tail.re * weight, tail.im * weight};
    *slope = (wave){(x + y) * 0.5f, (y - x) * 0.5f};
}

CLONES
void ossicle_find_edge(const ossicle_edge_terms *terms, const float *roots, ossicle_edge *edge) {
    const lanes8 number = LOAD8(roots) * terms->root;
    const lanes8 u[4] = {number * terms->arguments[0], number * terms->arguments[1], number * terms->arguments[2],
                         number * terms->arguments[3]};
    wave direct, reflected, slope, sum, other;
    boundary(terms->weights[0], &u[0], &direct, &slope);
    store(&slope, edge->slopes[0]);
    sum = direct;
    distant_term(terms->weights[2], &u[2], &other);
    add(&other, &sum);
    if (terms->is_along) {
        const lanes8 last = LOAD8(roots) * terms->last_root;
        const lanes8 v[2] = {last * terms->last_arguments[0], last * terms->last_arguments[1]};
        wave before;
        term(terms->last_weights[0], &v[0], &before);
        term(terms->last_weights[1], &v[1], &other);
        add(&other, &before);
        multiply(&before, &direct);
        multiply(&before, &sum);
    } else {
        boundary(terms->weights[1], &u[1], &reflected, &slope);
        store(&reflected, edge->waves[1]);
        store(&slope, edge->slopes[1]);
        add(&reflected, &sum);
        distant_term(terms->weights[3], &u[3], &other);
        add(&other, &sum);
    }
    store(&direct, edge->waves[0]);
    store(&sum, edge->sum);
    edge->least[0] = u[0][0];
    edge->least[1] = u[1][0];
    edge->sides[0] = terms->sides[0];
    edge->sides[1] = terms->sides[1];
    edge->reflects = !terms->is_along;
}

// X₀(r) − 1: within 8 % for real r from −1 to 0.9.
INLINE void excess(const wave *r, wave *value) {
    // 1 + r (a + r (b + r c))
    wave above = {r->re * 0.1203f + 0.1573f, r->im * 0.1203f};
    wave product = *r;
    multiply(&above, &product);
    product.re += 0.1366f;
    above = *r;
    multiply(&product, &above);
    above.re += 1;
    // 1/√(1 − r)
    const lanes8 rest = 1 - r->re, size = __builtin_elementwise_sqrt(rest * rest + r->im * r->im);
    const lanes8 root = __builtin_elementwise_sqrt((size + rest) * 0.5f);
    const wave inverse = {root / size, r->im / (root * size * 2)};
    multiply(&inverse, &above);
    *value = (wave){above.re - 1, above.im};
}

// What X has more of two terms than 1; within 2 % nothing from u₁u₂ = 1 on.
INLINE void couple(const ossicle_edge *a, size_t i, const ossicle_edge *b, size_t j, float correlation, wave *sum) {
    if (!(a->least[i] * b->least[j] < 1)) return;
    wave r, value, other;
    load(a->slopes[i], &r);
    load(b->slopes[j], &other);
    multiply(&other, &r);
    // Each looks along the path from its own end.
    const float signed_correlation = -correlation * a->sides[i] * b->sides[j];
    r = (wave){r.re * signed_correlation, r.im * signed_correlation};
    load(a->waves[i], &value);
    load(b->waves[j], &other);
    multiply(&other, &value);
    excess(&r, &other);
    multiply(&other, &value);
    add(&value, sum);
}

// On straight lines between three samples.
INLINE void between_samples(const float *x, const float *shares, doubles *value) {
    const lanes4 second = LOAD4(shares), third = LOAD4(shares + 4);
    const lanes4 place = second * (x[1] - x[0]) + third * (x[2] - x[0]) + x[0];
    *value = __builtin_convertvector(place, doubles);
}

CLONES
void ossicle_add_edges(const ossicle_edge *a, const ossicle_edge *b, float correlation, float real, float imaginary, const double *turn,
                       const int32_t *first, const float *shares, double *restrict fields, size_t bands) {
    wave sum, other;
    load(a->sum, &sum);
    load(b->sum, &other);
    multiply(&other, &sum);
    couple(a, 0, b, 0, correlation, &sum);
    if (b->reflects) couple(a, 0, b, 1, correlation, &sum);
    if (a->reflects) {
        couple(a, 1, b, 0, correlation, &sum);
        if (b->reflects) couple(a, 1, b, 1, correlation, &sum);
    }
    float values[16];
    STORE8(values, sum.re * real - sum.im * imaginary);
    STORE8(values + 8, sum.re * imaginary + sum.im * real);
    doubles sine = LOAD_DOUBLES(turn), cosine = LOAD_DOUBLES(turn + 4);
    for (size_t band = 0; band < bands; band++) {
        const float *const x = values + first[band];
        doubles re, im;
        between_samples(x, shares + 8 * band, &re);
        between_samples(x + 8, shares + 8 * band, &im);
        add_turned(&re, &im, &sine, &cosine, fields + 8 * band);
        rise(&sine, &cosine);
    }
}
