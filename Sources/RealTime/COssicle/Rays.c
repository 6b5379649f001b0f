// Many rays from one place in a tree of boxes, and before the facets of its leaves. What comes out errs to the safe side; the test in double
// precision that follows decides.
#include "Lanes.h"

#pragma STDC FP_CONTRACT OFF

typedef ossicle_four four;
typedef ossicle_four_numbers numbers;

INLINE four all(float value) { return (four){value, value, value, value}; }
INLINE four chosen(numbers mask, four a, four b) { return (four)((mask & (numbers)a) | (~mask & (numbers)b)); }
// The second where one is no number.
INLINE four smaller(four a, four b) { return chosen(a < b, a, b); }
INLINE four larger(four a, four b) { return chosen(a > b, a, b); }

enum { STEPS = 64, LINE = 64, MOST = 128 };

// Metres. Nothing lies on a shorter ray, and its length may have no inverse.
static const double SHORTEST = 1e-300;

// MARK: Bundles

// The outermost steps but one are where the outermost rays are.
static ossicle_ray_scale scale_of(double lower, double upper, float margin) {
    const double inner = STEPS - 2, width = upper - lower, extent = width > 1e-5 ? width : 1e-5;
    const float per_unit = (float)(inner / extent);
    // With half a step that turns rounding into cutting off.
    const float offset = margin * per_unit + 1e-3f + 0.5f;
    return (ossicle_ray_scale){(float)(lower - extent / inner), per_unit, -offset, offset};
}

INLINE int step_of(ossicle_ray_scale scale, double place) {
    const double step = (place - scale.first) * scale.per_unit;
    return step > 0 ? (int)(step < STEPS - 1 ? step : STEPS - 1) : 0;
}

size_t ossicle_sort_rays(const double *deltas, size_t stride, int axis, float margin, ossicle_ray_mask *left, ossicle_ray_mask *masks,
                         ossicle_ray_bundle *bundle) {
    double places_u[MOST], places_v[MOST];
    uint8_t rays[MOST];
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double sign = bundle->sign;
    double least_u = __builtin_inf(), most_u = -least_u, least_v = least_u, most_v = -least_u, reach = 0;
    size_t count = 0;
    for (int half = 0; half < 2; half++) {
        for (uint64_t word = (*left)[half]; word; word &= word - 1) {
            const int ray = 64 * half + __builtin_ctzll(word);
            const double *delta = (const double *)((const char *)deltas + (size_t)ray * stride);
            const double along = sign * delta[axis], most = 2 * along;
            if (!(along > SHORTEST && along < __builtin_inf() && __builtin_fabs(delta[u]) <= most && __builtin_fabs(delta[v]) <= most)) continue;
            const double inverse = 1 / along, place_u = delta[u] * inverse, place_v = delta[v] * inverse;
            rays[count] = (uint8_t)ray;
            places_u[count] = place_u;
            places_v[count++] = place_v;
            reach = along > reach ? along : reach;
            least_u = place_u < least_u ? place_u : least_u;
            most_u = place_u > most_u ? place_u : most_u;
            least_v = place_v < least_v ? place_v : least_v;
            most_v = place_v > most_v ? place_v : most_v;
        }
    }
    ossicle_ray_mask *columns = masks, *rows = masks + STEPS + 1;
    // Each by itself: a string instruction, which takes longer, zeroes what is above 2 KiB.
    for (int step = 0; step <= STEPS; step++) columns[step] = (ossicle_ray_mask){0, 0};
    __asm__ volatile("" ::: "memory");
    for (int step = 0; step <= STEPS; step++) rows[step] = (ossicle_ray_mask){0, 0};
    const ossicle_ray_scale scale_u = scale_of(least_u, most_u, margin), scale_v = scale_of(least_v, most_v, margin);
    ossicle_ray_mask taken = {0, 0};
    for (size_t i = 0; i < count; i++) {
        const uint64_t bit = (uint64_t)1 << (rays[i] & 63), is_low = -(uint64_t)(rays[i] < 64);
        const ossicle_ray_mask mask = {bit & is_low, bit & ~is_low};
        columns[step_of(scale_u, places_u[i]) + 1] |= mask;
        rows[step_of(scale_v, places_v[i]) + 1] |= mask;
        taken |= mask;
    }
    for (int step = 1; step <= STEPS; step++) {
        columns[step] |= columns[step - 1];
        rows[step] |= rows[step - 1];
    }
    *left &= ~taken;
    bundle->columns = columns;
    bundle->rows = rows;
    bundle->reach = (float)reach;
    bundle->u = scale_u;
    bundle->v = scale_v;
    return count;
}

// MARK: Boxes

// What is nearer along the axis counts as beside the start. Less than the least margin of a coordinate.
static const float NEAREST = 1e-30f;

// Steps, 0 ... 64; 0 for what is no number.
INLINE numbers cut(ossicle_ray_scale scale, four places, float offset) {
    const four steps = (places - scale.first) * scale.per_unit + offset;
    const four limited = smaller(larger(steps, all(0)), all(STEPS));
    // 1.5 * 2^23: the number then stands in the last bits.
    return (numbers)(limited + 12582912.0f) & 0x7f;
}

CLONES
size_t ossicle_search_boxes(const ossicle_ray_bundle *bundle, const ossicle_four_boxes *nodes, const ossicle_four_facets *facets,
                            ossicle_ray_mask wanted, ossicle_ray_visit *stack, size_t *depth, ossicle_ray_visit *leaves, size_t limit) {
    const ossicle_ray_bundle b = *bundle;
    size_t top = *depth, count = 0;
    while (top > 0 && count < limit) {
        const ossicle_ray_visit *from = stack + --top;
        const ossicle_ray_mask left = from->rays & wanted;
        if (!(left[0] | left[1])) continue;
        const ossicle_four_boxes *node = nodes + from->number;
        const four *corners = node->corners;
        const four near = corners[b.near] * b.sign - b.start_near, far = corners[b.far] * b.sign - b.start_far;
        // What begins beside or behind the start may be seen at any angle.
        const four near_inverse = 1.0f / larger(near, all(NEAREST)), far_inverse = 1.0f / far;
        const numbers is_out = (far <= NEAREST) | (near > b.reach);
        const four lower_u = corners[b.lower_u] - b.start_lower_u, upper_u = corners[b.upper_u] - b.start_upper_u;
        const four lower_v = corners[b.lower_v] - b.start_lower_v, upper_v = corners[b.upper_v] - b.start_upper_v;
        const four from_u = smaller(lower_u * near_inverse, lower_u * far_inverse);
        const four to_u = larger(upper_u * near_inverse, upper_u * far_inverse);
        const four from_v = smaller(lower_v * near_inverse, lower_v * far_inverse);
        const four to_v = larger(upper_v * near_inverse, upper_v * far_inverse);
        const numbers before_u = (is_out & STEPS) | (~is_out & cut(b.u, from_u, b.u.before)), after_u = cut(b.u, to_u, b.u.after);
        const numbers before_v = cut(b.v, from_v, b.v.before), after_v = cut(b.v, to_v, b.v.after);
        const numbers children = node->children;
        // Written in any case, and counted where it counts: whether a box is met is a toss-up.
        for (int lane = 0; lane < 4; lane++) {
            const ossicle_ray_mask rays = b.columns[after_u[lane]] & ~b.columns[before_u[lane]] & b.rows[after_v[lane]] &
                                          ~b.rows[before_v[lane]] & wanted;
            const int is_met = (rays[0] | rays[1]) != 0, is_leaf = children[lane] < 0;
            const int32_t number = is_leaf ? ~children[lane] : children[lane];
            leaves[count] = stack[top] = (ossicle_ray_visit){rays, number};
            const char *next = is_leaf ? (const char *)(facets + number) : (const char *)(nodes + number);
            next = is_met ? next : (const char *)node;
            __builtin_prefetch(next);
            __builtin_prefetch(next + LINE);
            __builtin_prefetch(next + 2 * LINE);
            count += is_met & is_leaf;
            top += is_met & !is_leaf;
        }
    }
    *depth = top;
    return count;
}

// MARK: Facets

// With s from a facet's corner a to the start, its edges e1 and e2 and a ray's d, the numerators of Moeller and Trumbore's u and v and their
// denominator are products of d with three vectors that are the same for all rays:
//
//     u' = d . (e2 x s)    v' = d . (s x e1)    D = d . (e2 x e1)
//
// A ray crosses where u', v' and D - u' - v' have the sign of D, and D that of s . (e1 x e2).

// By what the products may be off where d is at most 1 long and |e| (|s| + |e|) is a third: single precision by 5e-6, `Facet` by 1e-9.
static const float MARGIN = 8e-6f;
// Below this numbers may be denormal, and their signs mean nothing.
static const float LEAST = 1e-30f;

INLINE numbers sign_of(four values) { return (numbers)values & INT32_MIN; }
INLINE four magnitude(four values) { return (four)((numbers)values & INT32_MAX); }
INLINE four turned(four values, numbers sign) { return (four)((numbers)values ^ sign); }
INLINE ossicle_four_vectors turned_all(ossicle_four_vectors v, numbers sign) {
    return (ossicle_four_vectors){turned(v.x, sign), turned(v.y, sign), turned(v.z, sign)};
}
INLINE four largest(ossicle_four_vectors v) { return larger(larger(magnitude(v.x), magnitude(v.y)), magnitude(v.z)); }

INLINE ossicle_four_vectors cross(ossicle_four_vectors a, ossicle_four_vectors b) {
    return (ossicle_four_vectors){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Vectors of this width are no arguments of functions: not every clone has registers for them.

// Four rays before four facets: lane 4 * ray + facet.
#define SPREAD(four) __builtin_shufflevector(four, four, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3)
#define CHOSEN(mask, a, b) ((lanes)(((mask) & (lane_numbers)(a)) | (~(mask) & (lane_numbers)(b))))

typedef int32_t lane_numbers __attribute__((vector_size(64)));
typedef _Bool lane_bits __attribute__((ext_vector_type(16)));
_Static_assert(sizeof(lane_bits) == sizeof(uint16_t), "a bit each");

// The places of the bits of 0 ... 15, from the lowest on.
static const uint8_t PLACES[16][4] = {
    {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {0, 2, 0, 0}, {1, 2, 0, 0}, {0, 1, 2, 0},
    {3, 0, 0, 0}, {0, 3, 0, 0}, {1, 3, 0, 0}, {0, 1, 3, 0}, {2, 3, 0, 0}, {0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 2, 3},
};

CLONES
size_t ossicle_pair_rays(const ossicle_four_facets *leaves, const ossicle_facet *facets, ossicle_ray_directions start,
                         const ossicle_ray_visit *visits, size_t *position, size_t count, ossicle_ray_pair *pairs, size_t room) {
    size_t index = *position, found = 0;
    for (; index < count && found + OSSICLE_MOST_PAIRS_OF_A_LEAF <= room; index++) {
        const ossicle_four_facets *leaf = leaves + visits[index].number;
        const ossicle_four_vectors edge1 = leaf->edge1, edge2 = leaf->edge2;
        const ossicle_four_vectors away = {start.x - leaf->corner.x, start.y - leaf->corner.y, start.z - leaf->corner.z};
        const four edge = larger(largest(edge1), largest(edge2));
        const four allowed = MARGIN * (3.0f * edge * (largest(away) + edge + start.blur));
        const ossicle_four_vectors across = cross(edge1, edge2);
        const four height = away.x * across.x + away.y * across.y + away.z * across.z;
        // Turned so that all products of a ray that crosses are positive.
        const numbers sign = sign_of(height);
        // From a place in the facet's plane either side may be the front.
        const numbers is_flat = magnitude(height) <= larger(allowed * edge, all(LEAST));
        const four lowest_allowed = chosen(is_flat, all(-__builtin_inff()), -allowed);
        const ossicle_four_vectors u = turned_all(cross(edge2, away), sign), v = turned_all(cross(away, edge1), sign);
        const ossicle_four_vectors w = turned_all(across, sign ^ INT32_MIN);
        const lanes least = SPREAD(lowest_allowed);
        const lanes ux = SPREAD(u.x), uy = SPREAD(u.y), uz = SPREAD(u.z);
        const lanes vx = SPREAD(v.x), vy = SPREAD(v.y), vz = SPREAD(v.z);
        const lanes wx = SPREAD(w.x), wy = SPREAD(w.y), wz = SPREAD(w.z);
        const unsigned present = 0x1111 * ((1u << leaf->count) - 1);
        const uint32_t first = (uint32_t)visits[index].number * 4;
        unsigned met = 0;
        for (int half = 0; half < 2; half++) {
            uint64_t left = visits[index].rays[half];
            while (left) {
                // Where there are fewer than four, the last stands for the others as well.
                uint32_t rays[4];
                unsigned valid = 0;
                for (int i = 0; i < 4; i++) {
                    rays[i] = left ? (uint32_t)(64 * half + __builtin_ctzll(left)) : rays[0];
                    valid |= left ? 0xfu << 4 * i : 0;
                    left &= left - 1;
                }
                const four a = start.directions[rays[0]], c = start.directions[rays[1]], e = start.directions[rays[2]],
                           g = start.directions[rays[3]];
                const lanes8 ac = __builtin_shufflevector(a, c, 0, 1, 2, 3, 4, 5, 6, 7), eg = __builtin_shufflevector(e, g, 0, 1, 2, 3, 4, 5, 6, 7);
                const lanes d = __builtin_shufflevector(ac, eg, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
                const lanes x = __builtin_shufflevector(d, d, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
                const lanes y = __builtin_shufflevector(d, d, 1, 1, 1, 1, 5, 5, 5, 5, 9, 9, 9, 9, 13, 13, 13, 13);
                const lanes z = __builtin_shufflevector(d, d, 2, 2, 2, 2, 6, 6, 6, 6, 10, 10, 10, 10, 14, 14, 14, 14);
                const lanes along_u = x * ux + y * uy + z * uz, along_v = x * vx + y * vy + z * vz, both = x * wx + y * wy + z * wz;
                const lanes third = both - along_u - along_v;
                const lanes lower = CHOSEN(along_u < along_v, along_u, along_v), lower_still = CHOSEN(third < both, third, both);
                const lanes lowest = CHOSEN(lower < lower_still, lower, lower_still);
                const lane_bits crossed = __builtin_convertvector(lowest >= least, lane_bits);
                uint16_t bits;
                __builtin_memcpy(&bits, &crossed, sizeof bits);
                const unsigned hits = bits & present & valid;
                if (!hits) continue;
                met |= hits;
                for (int i = 0; i < 4; i++) {
                    const unsigned lanes_hit = hits >> 4 * i & 0xf;
                    for (int k = 0; k < 4; k++) pairs[found + k] = (ossicle_ray_pair){first + PLACES[lanes_hit][k], rays[i]};
                    found += (unsigned)__builtin_popcount(lanes_hit);
                }
            }
        }
        met |= met >> 8;
        met |= met >> 4;
        for (int lane = 0; lane < 4; lane++) {
            const char *next = met >> lane & 1 ? (const char *)(facets + leaf->first + lane) : (const char *)leaf;
            __builtin_prefetch(next);
            __builtin_prefetch(next + LINE);
        }
    }
    *position = index;
    return found;
}

// MARK: Crossings

typedef double doubles __attribute__((vector_size(32)));
typedef double unaligned_doubles __attribute__((vector_size(32), aligned(8)));
typedef int64_t words __attribute__((vector_size(32)));

#define DOUBLES(address) (*(const unaligned_doubles *)(address))
#define EVEN(a, b) __builtin_shufflevector(a, b, 0, 4, 2, 6)
#define ODD(a, b) __builtin_shufflevector(a, b, 1, 5, 3, 7)
#define LOWER(a, b) __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define UPPER(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7)

// Of each of four records four numbers, from a place on: the first of all of them, then the second ones, the third and the fourth.
#define SIDE_BY_SIDE(records, place, first, second, third, fourth)                                                                  \
    do {                                                                                                                            \
        const doubles a = DOUBLES(records[0] + place), b = DOUBLES(records[1] + place), c = DOUBLES(records[2] + place),            \
                      d = DOUBLES(records[3] + place);                                                                              \
        first = LOWER(EVEN(a, b), EVEN(c, d));                                                                                      \
        second = LOWER(ODD(a, b), ODD(c, d));                                                                                       \
        third = UPPER(EVEN(a, b), EVEN(c, d));                                                                                      \
        fourth = UPPER(ODD(a, b), ODD(c, d));                                                                                       \
    } while (0)

typedef _Bool four_bits __attribute__((ext_vector_type(4)));
// A bit of each lane of a mask.
#define BITS(mask)                                                               \
    ({                                                                           \
        const four_bits lanes_set = __builtin_convertvector(mask, four_bits);    \
        uint8_t set;                                                             \
        __builtin_memcpy(&set, &lanes_set, sizeof set);                          \
        set & 0xfu;                                                              \
    })

// As `Facet` has them: the overlap of facets, and sines of the least angles at which one is crossed, and is crossed clearly.
static const double OVERLAP = 1e-9, FLATTEST = 1e-10, STEEPEST = 0.05;

CLONES
size_t ossicle_cross_facets(const ossicle_four_facets *leaves, const ossicle_facet *facets, const ossicle_segment *segments,
                            const ossicle_ray_pair *pairs, size_t count, ossicle_ray_crossing *crossings) {
    size_t found = 0;
    for (size_t next = 0; next < count; next += 4) {
        const double *facet[4], *segment[4];
        for (size_t i = 0; i < 4; i++) {
            // Where there are fewer than four, the last stands for the others as well.
            const ossicle_ray_pair pair = pairs[next + i < count ? next + i : count - 1];
            facet[i] = facets[leaves[pair.place >> 2].first + (int32_t)(pair.place & 3)].corner;
            segment[i] = segments[pair.ray].delta;
        }
        doubles ax, ay, az, e1x, e1y, e1z, e2x, e2y, e2z, size, inset, x, y, z, length, slack, limit, unused;
        SIDE_BY_SIDE(facet, 0, ax, ay, az, e1x);
        SIDE_BY_SIDE(facet, 4, e1y, e1z, e2x, e2y);
        SIDE_BY_SIDE(facet, 8, e2z, size, inset, unused);
        SIDE_BY_SIDE(segment, 0, x, y, z, unused);
        SIDE_BY_SIDE(segment, 4, length, slack, limit, unused);
        (void)unused;
        // All from one place.
        const double *start = segments[pairs[0].ray].start;
        const doubles sx = start[0] - ax, sy = start[1] - ay, sz = start[2] - az;
        const doubles px = y * e2z - z * e2y, py = z * e2x - x * e2z, pz = x * e2y - y * e2x;
        const doubles qx = sy * e1z - sz * e1y, qy = sz * e1x - sx * e1z, qz = sx * e1y - sy * e1x;
        const doubles determinant = e1x * px + e1y * py + e1z * pz, inverse = 1.0 / determinant;
        const doubles u = (sx * px + sy * py + sz * pz) * inverse, v = (x * qx + y * qy + z * qz) * inverse;
        const doubles share = (e2x * qx + e2y * qy + e2z * qz) * inverse;
        const doubles area = (doubles)((words)determinant & INT64_MAX);
        const words is_crossed = (area > FLATTEST * size * length) & (u >= -OVERLAP) & (u <= 1 + OVERLAP) & (v >= -OVERLAP) &
                                 (u + v <= 1 + OVERLAP) & (share > slack) & (share < limit);
        const words is_clear = (u >= inset) & (v >= inset) & (1 - u - v >= inset) & (area > STEEPEST * size * length);
        const unsigned crossed = BITS(is_crossed), clear = BITS(is_clear), against = BITS(determinant > 0);
        // Written in any case, and counted where it counts.
        for (unsigned i = 0; i < 4; i++) {
            crossings[found] = (ossicle_ray_crossing){share[i], (uint32_t)next + i, against >> i & 1, clear >> i & 1};
            found += crossed >> i & (next + i < count);
        }
    }
    return found;
}
