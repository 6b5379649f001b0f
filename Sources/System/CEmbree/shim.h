// The part of Embree's binary interface that is used, of versions 3 and 4, in our own declarations: a build needs no headers of Embree's.
#pragma once
#include <RuntimeLibrary.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ossicle_embree_device *RTCDevice;
typedef struct ossicle_embree_scene *RTCScene;
typedef struct ossicle_embree_geometry *RTCGeometry;

enum {
    RTC_ERROR_NONE = 0,
    RTC_ERROR_UNKNOWN = 1,
    RTC_GEOMETRY_TYPE_TRIANGLE = 0,
    RTC_BUFFER_TYPE_INDEX = 0,
    RTC_BUFFER_TYPE_VERTEX = 1,
    RTC_FORMAT_UINT3 = 0x5003,
    RTC_FORMAT_FLOAT3 = 0x9003,
    RTC_SCENE_FLAG_ROBUST = 1 << 2,
    /// A query brings its filter along: of Embree 3 in its context, of Embree 4 in its arguments.
    RTC_SCENE_FLAG_QUERY_FILTER = 1 << 3
};

typedef struct __attribute__((aligned(16))) {
    float org_x, org_y, org_z, tnear;
    float dir_x, dir_y, dir_z, time;
    float tfar;
    unsigned mask, id, flags;
} RTCRay;

/// What a ray meets. Embree 4 has numbers of instances behind `instID`; there is room for both.
typedef struct __attribute__((aligned(16))) {
    float Ng_x, Ng_y, Ng_z, u, v;
    unsigned primID, geomID, instID, instPrimID;
} RTCHit;
typedef struct {
    RTCRay ray;
    RTCHit hit;
} RTCRayHit;

typedef struct ossicle_embree_context ossicle_embree_context;
/// A triangle that Embree proposes. For a single ray `ray` and `hit` are laid out as above.
typedef struct {
    int *valid;
    void *geometryUserPtr;
    ossicle_embree_context *context;
    void *ray, *hit;
    unsigned N;
} RTCFilterFunctionNArguments;
typedef void (*RTCFilterFunctionN)(const RTCFilterFunctionNArguments *arguments);

/// What a query brings along, at the beginning of whatever a filter needs. Embree 3 sees flags, the filter and a number of an instance; Embree 4 sees
/// in the first two words numbers of instances. The words are set by the query.
struct ossicle_embree_context {
    unsigned first, second;
    RTCFilterFunctionN filter;
    /// No number of an instance: all bits.
    unsigned instID, instPrimID;
};

#include "functions.h"
EMBREE_FUNCTIONS(RUNTIME_DECLARE)

/// Looks for Embree 4, then 3, once; whether one is there. Call it before any function of the library's.
bool ossicle_load_embree(void);
/// 3 or 4; 0 where it is missing.
int ossicle_embree_version(void);

/// Finds the nearest triangle along the ray that the filter, if there is one, lets stand.
void ossicle_embree_intersect(RTCScene scene, ossicle_embree_context *context, RTCRayHit *hit);
/// Whether there is any such triangle: the ray's end is −∞ then.
void ossicle_embree_occluded(RTCScene scene, ossicle_embree_context *context, RTCRay *ray);
