import OssicleAcoustics
import OssicleCore

/// The single paths of a response, for programs to read.
package struct PathFacts: Encodable, Sendable {
    package struct Path: Encodable, Sendable {
        /// “direct”, “reflection”, “diffraction” or “diffracted reflection”.
        package let kind: String
        /// Reflections, or edges of a diffraction.
        package let order: Int
        /// Seconds from emission, and metres.
        package let delay, length: Double
        /// dB in the ten octave bands re the source's sound at 1 m ahead of it, with distance and air; −200 at least.
        package let levels: [Double]
        /// Unit vectors of the world: from the source, and from the listener to where the sound comes from.
        package let departure, arrival: [Double]
        /// Metres; where it meets surfaces or edges, from the source on.
        package let corners: [[Double]]
        /// What it meets there, by object and material; of reflections only.
        package let surfaces: [Surface]
    }

    package struct Surface: Encodable, Sendable {
        package let object, material: String
    }

    /// Metres; x, y up, z.
    package let source, listener: [Double]
    /// Hz, of the levels.
    package let bands: [Double]
    /// The direct path first, then the edges, then the reflections, each by their length.
    package let paths: [Path]

    package init(_ result: RirResult, tracer: SceneTracer) {
        (source, listener) = (Self.list(result.pair.source), Self.list(result.pair.listener.position))
        bands = RirFacts.nominal
        guard let acoustics = result.acoustics.first else {
            paths = []
            return
        }
        let writer = Writer(tracer: tracer, source: result.pair.source)
        let direct = acoustics.direct
        let straight = Path(
            kind: "direct", order: 0, delay: direct.centreDistance / tracer.scene.medium.speedOfSound,
            length: direct.centreDistance,
            levels: writer.levels(direct.bandGains, direct.effectiveDistance, travelled: direct.centreDistance),
            departure: Self.list(-direct.direction), arrival: Self.list(direct.direction), corners: [], surfaces: [])
        func sorted(_ paths: [SoundPath]) -> [SoundPath] {
            paths.sorted { ($0.length, $0.identity) < ($1.length, $1.identity) }
        }
        paths =
            [straight] + (sorted(acoustics.diffractions) + sorted(acoustics.reflections)).map { writer.path($0) }
    }

    fileprivate static func list(_ v: Vector) -> [Double] { [v.x, v.y, v.z] }

    private struct Writer {
        let tracer: SceneTracer
        let source: Vector

        func levels(_ gains: OctaveBands, _ distance: Double, travelled: Double) -> [Double] {
            let all = gains * tracer.scene.medium.gains(distance: travelled) * Float(1 / max(distance, 0.01))
            return all.values.map { max(Decibels.of(amplitude: max(Double($0), 1e-10)), -200) }
        }

        func path(_ path: SoundPath) -> Path {
            let (kind, order) =
                switch path.kind {
                case .reflection(let order): ("reflection", order)
                case .diffraction(let edges): ("diffraction", edges)
                case .diffractedReflection(let order): ("diffracted reflection", order)
                }
            return Path(
                kind: kind, order: order, delay: path.length / tracer.scene.medium.speedOfSound, length: path.length,
                levels: levels(path.bandGains, path.length, travelled: path.length),
                departure: list(path.departure), arrival: list(path.arrival), corners: path.corners.map(list),
                surfaces: kind == "reflection" ? surfaces(path.corners) : [])
        }

        /// What a ray from corner to corner meets.
        private func surfaces(_ corners: [Vector]) -> [Surface] {
            zip([source] + corners, corners).map { start, corner in
                let occluders = tracer.scene.occluders
                guard let direction = (corner - start).direction,
                    let hit = tracer.nearestHit(
                        from: start + direction * 1e-4, towards: direction, within: (corner - start).magnitude + 0.01),
                    occluders.indices.contains(Int(hit.occluder))
                else { return Surface(object: "", material: "") }
                let occluder = occluders[Int(hit.occluder)], element = Int(hit.element)
                let materials = occluder.materials
                return Surface(
                    object: occluder.name,
                    material: materials.indices.contains(element) ? materials[element].name : "")
            }
        }
    }
}
