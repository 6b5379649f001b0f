#include "shim.h"

RUNTIME_LIBRARY(ossicle_load_any_embree, "libembree4.so.4 libembree3.so.3", EMBREE_FUNCTIONS)

// What Embree 4 takes with a query; versions built for curves of a least width have a number more.
typedef struct {
    unsigned flags, features;
    ossicle_embree_context *context;
    RTCFilterFunctionN filter;
    void *userGeometry;
    float leastWidth;
} arguments;

enum { CALLS_ARGUMENT_FILTER = 1 << 1 };

static int version;
static void (*intersect3)(RTCScene, ossicle_embree_context *, RTCRayHit *);
static void (*occluded3)(RTCScene, ossicle_embree_context *, RTCRay *);
static void (*intersect4)(RTCScene, RTCRayHit *, arguments *);
static void (*occluded4)(RTCScene, RTCRay *, arguments *);

// The library has been looked for before: here the lock is held.
static void find_queries(void) {
    if (!library) return;
    void *intersect = ossicle_find_function(library, "rtcIntersect1"), *occluded = ossicle_find_function(library, "rtcOccluded1");
    if (!intersect || !occluded) return;
    intersect3 = (void (*)(RTCScene, ossicle_embree_context *, RTCRayHit *))intersect;
    occluded3 = (void (*)(RTCScene, ossicle_embree_context *, RTCRay *))occluded;
    intersect4 = (void (*)(RTCScene, RTCRayHit *, arguments *))intersect;
    occluded4 = (void (*)(RTCScene, RTCRay *, arguments *))occluded;
    // Of version 4 alone.
    version = ossicle_find_function(library, "rtcSetGeometryEnableFilterFunctionFromArguments") ? 4 : 3;
}

bool ossicle_load_embree(void) {
    static int queries;
    ossicle_load_any_embree();
    ossicle_run_once(&queries, find_queries);
    return version > 0;
}

int ossicle_embree_version(void) { return ossicle_load_embree() ? version : 0; }

static arguments begin(ossicle_embree_context *context) {
    context->first = context->second = ~0u;
    return (arguments){context->filter ? CALLS_ARGUMENT_FILTER : 0, ~0u, context, context->filter, 0, 0};
}

void ossicle_embree_intersect(RTCScene scene, ossicle_embree_context *context, RTCRayHit *hit) {
    if (version == 4) {
        arguments with = begin(context);
        intersect4(scene, hit, &with);
    } else if (version == 3) {
        context->first = 0;
        intersect3(scene, context, hit);
    }
}

void ossicle_embree_occluded(RTCScene scene, ossicle_embree_context *context, RTCRay *ray) {
    if (version == 4) {
        arguments with = begin(context);
        occluded4(scene, ray, &with);
    } else if (version == 3) {
        context->first = 0;
        occluded3(scene, context, ray);
    }
}
