// What is used of Embree: result, name, parameters, arguments, and the result without the library.
#pragma once

#define EMBREE_FUNCTIONS(F) \
    F(RTCDevice, rtcNewDevice, (const char *settings), (settings), 0) \
    F(void, rtcReleaseDevice, (RTCDevice device), (device), (void)0) \
    F(int, rtcGetDeviceError, (RTCDevice device), (device), RTC_ERROR_UNKNOWN) \
    F(RTCGeometry, rtcNewGeometry, (RTCDevice device, int type), (device, type), 0) \
    F(void *, rtcSetNewGeometryBuffer, (RTCGeometry geometry, int type, unsigned slot, int format, size_t stride, size_t count), \
      (geometry, type, slot, format, stride, count), 0) \
    F(void, rtcCommitGeometry, (RTCGeometry geometry), (geometry), (void)0) \
    F(void, rtcReleaseGeometry, (RTCGeometry geometry), (geometry), (void)0) \
    F(RTCScene, rtcNewScene, (RTCDevice device), (device), 0) \
    F(void, rtcSetSceneFlags, (RTCScene scene, int flags), (scene, flags), (void)0) \
    F(void, rtcAttachGeometryByID, (RTCScene scene, RTCGeometry geometry, unsigned number), (scene, geometry, number), (void)0) \
    F(void, rtcCommitScene, (RTCScene scene), (scene), (void)0) \
    F(void, rtcReleaseScene, (RTCScene scene), (scene), (void)0)
