#if canImport(CEmbree)
import CEmbree
@testable import OssicleAcoustics
@testable import OssicleCore

/// Embree without us: the same triangles, single rays, watertight.
struct BareEmbree {
    private let scene: RTCScene

    /// - Parameter isPinned: to instructions every processor has, which is what it takes to get the same bytes of it
    ///   everywhere; otherwise it uses all there are.
    init?(_ mesh: TriangleMesh, isPinned: Bool) {
        guard ossicle_load_embree(), let device = rtcNewDevice("threads=1" + (isPinned ? ",isa=sse4.2" : "")),
            let geometry = rtcNewGeometry(device, Int32(RTC_GEOMETRY_TYPE_TRIANGLE)),
            let vertices = rtcSetNewGeometryBuffer(
                geometry, Int32(RTC_BUFFER_TYPE_VERTEX), 0, Int32(RTC_FORMAT_FLOAT3), 12, mesh.vertices.count),
            let indices = rtcSetNewGeometryBuffer(
                geometry, Int32(RTC_BUFFER_TYPE_INDEX), 0, Int32(RTC_FORMAT_UINT3), 12, mesh.triangles.count),
            let scene = rtcNewScene(device)
        else { return nil }
        for (index, vertex) in mesh.vertices.enumerated() {
            for axis in 0..<3 {
                vertices.storeBytes(of: Float(vertex[axis]), toByteOffset: 12 * index + 4 * axis, as: Float.self)
            }
        }
        for (index, triangle) in mesh.triangles.enumerated() {
            for corner in 0..<3 {
                indices.storeBytes(of: UInt32(triangle[corner]), toByteOffset: 12 * index + 4 * corner, as: UInt32.self)
            }
        }
        rtcCommitGeometry(geometry)
        rtcSetSceneFlags(scene, Int32(RTC_SCENE_FLAG_ROBUST))
        rtcAttachGeometryByID(scene, geometry, 0)
        rtcReleaseGeometry(geometry)
        rtcCommitScene(scene)
        rtcReleaseDevice(device)
        self.scene = scene
    }

    func release() { rtcReleaseScene(scene) }

    /// Traces prepared rays one after the other; a checksum of what they met.
    func trace(_ rays: [Ray]) -> Float {
        var sum: Float = 0
        for ray in rays {
            var context = BareEmbree.context
            if ray.wantsNearest {
                var hit = RTCRayHit()
                hit.ray = ray.ray
                hit.hit.geomID = .max
                ossicle_embree_intersect(scene, &context, &hit)
                sum += hit.ray.tfar
            } else {
                var asked = ray.ray
                ossicle_embree_occluded(scene, &context, &asked)
                sum += asked.tfar < 0 ? 1 : 0
            }
        }
        return sum
    }

    /// The least that makes paths of it: from hit to hit, mirrored or by the cosine law, with a look at the source from
    /// each. No energies, no bands.
    /// - Returns: hits, and a checksum.
    func walk(
        from listener: SIMD3<Float>, source: SIMD3<Float>, rays: Int, bounces: Int, scattering: Float
    ) -> (hits: Int, sum: Float) {
        var (hits, sum, random) = (0, Float(0), BareRandom())
        for _ in 0..<rays {
            var (place, direction) = (listener, random.direction())
            for _ in 0..<bounces {
                var context = BareEmbree.context
                var found = RTCRayHit()
                found.ray = BareEmbree.ray(place, direction, .infinity)
                found.hit.geomID = .max
                ossicle_embree_intersect(scene, &context, &found)
                guard found.hit.geomID != .max else { break }
                hits += 1
                place += direction * found.ray.tfar
                var normal = SIMD3(found.hit.Ng_x, found.hit.Ng_y, found.hit.Ng_z)
                normal *= (normal.dot(direction) > 0 ? -1 : 1) / normal.magnitude
                let way = source - place
                if way.dot(normal) > 0 {
                    let distance = way.magnitude
                    var asked = BareEmbree.ray(place, way / distance, distance - 1e-4)
                    ossicle_embree_occluded(scene, &context, &asked)
                    if asked.tfar >= 0 { sum += 1 / distance }
                }
                direction =
                    random.unit() < scattering
                    ? normal + random.direction() : direction - normal * (2 * normal.dot(direction))
                direction /= direction.magnitude
            }
        }
        return (hits, sum)
    }

    private static var context: ossicle_embree_context {
        ossicle_embree_context(first: 0, second: 0, filter: nil, instID: .max, instPrimID: .max)
    }

    private static func ray(_ start: SIMD3<Float>, _ direction: SIMD3<Float>, _ length: Float) -> RTCRay {
        RTCRay(
            org_x: start.x, org_y: start.y, org_z: start.z, tnear: 1e-4, dir_x: direction.x, dir_y: direction.y,
            dir_z: direction.z, time: 0,
            tfar: length, mask: .max, id: 0, flags: 0)
    }

    /// A ray as Embree wants it.
    struct Ray {
        let ray: RTCRay
        let wantsNearest: Bool

        init(_ other: RecordingTracer.Ray) {
            wantsNearest = other.wantsNearest
            ray = RTCRay(
                org_x: Float(other.start.x), org_y: Float(other.start.y), org_z: Float(other.start.z), tnear: 1e-4,
                dir_x: Float(other.direction.x), dir_y: Float(other.direction.y), dir_z: Float(other.direction.z),
                time: 0,
                tfar: Float(other.length - (other.wantsNearest ? 0 : 1e-4)), mask: .max, id: 0, flags: 0)
        }
    }
}
#else
@testable import OssicleAcoustics

/// Embree is not built in here.
struct BareEmbree {
    init?(_ mesh: TriangleMesh, isPinned: Bool) { nil }
    func release() {}
    func trace(_ rays: [Ray]) -> Float { 0 }

    func walk(
        from listener: SIMD3<Float>, source: SIMD3<Float>, rays: Int, bounces: Int, scattering: Float
    ) -> (hits: Int, sum: Float) { (0, 0) }

    struct Ray {
        init(_ other: RecordingTracer.Ray) {}
    }
}
#endif
