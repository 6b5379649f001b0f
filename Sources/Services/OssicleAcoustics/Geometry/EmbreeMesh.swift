#if SystemLibraries
import CEmbree
import OssicleCore

/// A mesh as Embree holds it: the way to find, fast and in single precision, which triangles a ray may meet.
///
/// The triangles stand in a box from −1 to 1, so that rounding is the same small share of any mesh, and each is a
/// little larger than in truth, by more than all the rounding on the way. So what the test in double precision finds is
/// among what Embree finds, on whatever processor; which of it counts, and where, is not Embree's to say.
final class EmbreeMesh: @unchecked Sendable {
    /// Below this the tree is as fast.
    private static let fewest = 8
    /// By how much a triangle is larger on each side. Vertices, a ray's start and its direction are off by 2⁻²⁴ each,
    /// the edge tests by a few times that.
    private static let growth = 1.6e-5
    /// A needle's tip would move far; it moves this far at most, times `growth`.
    private static let tip = 8.0

    let view: UnsafePointer<View>

    /// For inner loops. Valid as long as the mesh lives.
    struct View: BitwiseCopyable, @unchecked Sendable {
        let scene: RTCScene
        /// What stands in the shell, by itself; nil where there is no shell.
        let inside: Inside?
        /// What stands at 0, and how long a unit is.
        let centre: Vector
        let unitsPerMetre: Double
        let lower: Vector
        let upper: Vector
        /// What is closer to an edge of the common triangle, in barycentric coordinates, may be there by growth and
        /// rounding alone.
        let edge: Float
        /// Metres between two triangles that Embree is sure to find in the order in which a steep path crosses them.
        let clearance: Double
    }

    /// The mesh without its shell.
    struct Inside: BitwiseCopyable {
        /// Triangles keep their numbers.
        let scene: RTCScene
        /// Around all of it.
        let boxes: FourBoxes
    }

    /// Nil where Embree is not to be had, or would not help.
    init?(
        _ facets: UnsafeBufferPointer<Facet>, _ bounds: Bounds, shell: ConvexShell? = nil,
        device: EmbreeDevice? = .shared
    ) {
        let extent = bounds.extent
        let unitsPerMetre = 2 / max(extent.x, max(extent.y, extent.z))
        let sizes = facets.map { $0.size.squareRoot() * unitsPerMetre }
        let commonSize = sizes.reduce(0, +) / Double(max(sizes.count, 1))
        // Specks far apart would all look like one place.
        let specks = sizes.count { $0 < 10 * EmbreeMesh.growth }
        guard facets.count >= EmbreeMesh.fewest, unitsPerMetre.isFinite, specks * 2 <= facets.count,
            let device
        else { return nil }
        let grown = facets.lazy.map { facet in
            (piece: facet.piece, corners: EmbreeMesh.grown(facet, bounds.centre, unitsPerMetre: unitsPerMetre))
        }
        guard let scene = device.commit(grown.map(\.corners)) else { return nil }
        var inside: Inside?
        if let shell, !shell.contents.isEmpty,
            let rest = device.commit(grown.map { $0.piece == shell.piece ? EmbreeMesh.nowhere : $0.corners })
        {
            inside = Inside(
                scene: rest, boxes: FourBoxes(shell.contents, bounds.centre, unitsPerMetre: unitsPerMetre))
        }
        let view = UnsafeMutablePointer<View>.allocate(capacity: 1)
        view.initialize(
            to: View(
                scene: scene, inside: inside, centre: bounds.centre, unitsPerMetre: unitsPerMetre,
                lower: bounds.lower, upper: bounds.upper,
                edge: Float(min(4 * EmbreeMesh.growth / commonSize, 2e-3)),
                clearance: EmbreeRay.clearance / unitsPerMetre))
        self.view = UnsafePointer(view)
    }

    deinit {
        rtcReleaseScene(view.pointee.scene)
        if let inside = view.pointee.inside { rtcReleaseScene(inside.scene) }
        view.deallocate()
    }

    /// Embree leaves out triangles that are so far away (Embree's manual: vertices beyond 1.844 · 10¹⁸ are not valid).
    private static let nowhere = (
        Vector(repeating: .infinity), Vector(repeating: .infinity), Vector(repeating: .infinity)
    )

    /// The corners of a triangle whose sides have moved out by `growth`.
    private static func grown(_ facet: Facet, _ centre: Vector, unitsPerMetre: Double) -> (Vector, Vector, Vector) {
        let a = (facet.corner - centre) * unitsPerMetre
        let (b, c) = (a + facet.edge1 * unitsPerMetre, a + facet.edge2 * unitsPerMetre)
        return (moved(a, b, third: c), moved(b, c, third: a), moved(c, a, third: b))
    }

    private static func moved(_ corner: Vector, _ other: Vector, third: Vector) -> Vector {
        guard let u = (other - corner).direction, let v = (third - corner).direction else { return corner }
        return corner - (u + v) * (growth * min(1 / u.cross(v).magnitude, tip))
    }
}

/// The one Embree of the process.
struct EmbreeDevice: @unchecked Sendable {
    /// Nil on a machine that has no Embree, or cannot run it.
    static let shared = EmbreeDevice()

    private let device: RTCDevice

    /// One thread, because scenes are built on workers already. Which instructions Embree uses is for it to choose:
    /// they do not change what the tracer answers.
    init?(instructions: String? = nil) {
        guard ossicle_load_embree() else { return nil }
        let choice = instructions.map { ",isa=\($0)" } ?? ""
        guard let device = rtcNewDevice("threads=1,ignore_config_files=1" + choice) else { return nil }
        self.device = device
    }

    /// Builds a scene of loose triangles, which is the caller's to release. Nil where that fails.
    func commit<Triangles: Collection>(_ triangles: Triangles) -> RTCScene?
    where Triangles.Element == (Vector, Vector, Vector) {
        guard let geometry = rtcNewGeometry(device, Int32(RTC_GEOMETRY_TYPE_TRIANGLE)) else { return nil }
        defer { rtcReleaseGeometry(geometry) }
        guard
            let corners = rtcSetNewGeometryBuffer(
                geometry, Int32(RTC_BUFFER_TYPE_VERTEX), 0, Int32(RTC_FORMAT_FLOAT3), 12, 3 * triangles.count),
            let indices = rtcSetNewGeometryBuffer(
                geometry, Int32(RTC_BUFFER_TYPE_INDEX), 0, Int32(RTC_FORMAT_UINT3), 12, triangles.count),
            let scene = rtcNewScene(device)
        else { return nil }
        let floats = corners.assumingMemoryBound(to: Float.self)
        func store(_ vertex: Vector, at place: Int) {
            (floats[3 * place], floats[3 * place + 1], floats[3 * place + 2]) = (
                Float(vertex.x), Float(vertex.y), Float(vertex.z)
            )
        }
        for (index, triangle) in triangles.enumerated() {
            store(triangle.0, at: 3 * index)
            store(triangle.1, at: 3 * index + 1)
            store(triangle.2, at: 3 * index + 2)
        }
        let numbers = indices.assumingMemoryBound(to: UInt32.self)
        for index in 0..<(3 * triangles.count) { numbers[index] = UInt32(index) }
        rtcCommitGeometry(geometry)
        rtcSetSceneFlags(scene, Int32(RTC_SCENE_FLAG_QUERY_FILTER))
        rtcAttachGeometryByID(scene, geometry, 0)
        rtcCommitScene(scene)
        // Errors are kept for each thread.
        guard rtcGetDeviceError(device) == Int32(RTC_ERROR_NONE) else {
            rtcReleaseScene(scene)
            return nil
        }
        return scene
    }
}
#endif
