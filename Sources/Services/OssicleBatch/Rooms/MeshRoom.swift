import OssicleAcoustics
import OssicleCore
import OssicleResponses
import OssicleScenes
import Synchronization

/// A room whose surfaces come from a file: Wavefront OBJ, glTF, STL, PLY. Any thread.
final class MeshRoom: Sendable {
    let occluders: [Occluder]
    /// Around all surfaces.
    let bounds: Bounds
    let triangleCount: Int
    private let check: PositionCheck
    /// What rays are traced in, for the medium that was asked for last.
    private let tracer = Mutex<SceneTracer?>(nil)

    /// - Throws: `SceneFileError`.
    init(contentsOfFile path: String, options: SceneFileOptions) throws {
        occluders = try SceneFile(contentsOfFile: path, options: options).occluders
        bounds = occluders.reduce(into: Bounds.empty) { box, occluder in box.include(occluder.bounds) }
        triangleCount = occluders.reduce(0) { $0 + $1.geometry.mesh.triangles.count }
        check = PositionCheck(
            occluders: occluders, tracer: SceneTracer(AcousticScene(occluders: occluders, medium: Medium())))
    }

    func tracer(in medium: Medium) -> SceneTracer {
        tracer.withLock { known in
            if let known, known.scene.medium == medium { return known }
            let made = SceneTracer(AcousticScene(occluders: occluders, medium: medium))
            known = made
            return made
        }
    }

    /// Whether one shell with all else in it has normals that look in: then it is known where its air is.
    var isClosed: Bool { check.hasRoom }

    /// Whether a position is in the room's air, as far as that is known, and at least `margin` metres from its
    /// surfaces.
    func contains(_ place: Vector, margin: Double) -> Bool {
        if isClosed {
            guard pointwiseMin(place, bounds.lower) == bounds.lower, pointwiseMax(place, bounds.upper) == bounds.upper
            else { return false }
        }
        let isFar = occluders.allSatisfy { occluder in
            let reach = margin / occluder.pose.scale.magnitude
            return occluder.geometry.signedDistance(to: occluder.pose.toLocal(place), within: reach).magnitude >= reach
        }
        return isFar && check.misplacements([RirPair(source: place, listener: Pose(listenerAt: place))]).isEmpty
    }

    /// Whether both are in the open, or both in the same air.
    func connects(_ source: Vector, _ listener: Vector) -> Bool {
        check.misplacements([RirPair(source: source, listener: Pose(listenerAt: listener))]).isEmpty
    }
}
