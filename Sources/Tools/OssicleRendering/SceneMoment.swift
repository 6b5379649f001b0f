import OssicleCore
import OssiclePHASE

/// What the engine measured while it rendered one step of a scene.
package struct SceneMoment: Sendable {
    /// Seconds from the start to the middle of the step.
    package let time: Double
    package let frames: Int
    /// Mean square of all channels (full scale 1): of sound with a direction of its own, and of the diffuse rest.
    package let directPower, reverbPower: Double
    /// What is between each source and the listener.
    package let paths: [PathState]
    /// Of the sources, in metres.
    package let positions: [String: Vector]

    package init(
        time: Double, frames: Int, directPower: Double, reverbPower: Double, paths: [PathState],
        positions: [String: Vector]
    ) {
        (self.time, self.frames, self.directPower, self.reverbPower) = (time, frames, directPower, reverbPower)
        (self.paths, self.positions) = (paths, positions)
    }
}

/// What stands between one source and the listener.
package struct PathState: Sendable, Equatable {
    package struct Obstacle: Sendable, Equatable {
        package let name: String
        /// Loss through it at 1 kHz, dB, positive.
        package let loss: Double

        package init(name: String, loss: Double) { (self.name, self.loss) = (name, loss) }
    }

    /// The loudest path that goes off surfaces or around edges.
    package struct Detour: Sendable, Equatable {
        /// As “around 1 edge” or “off 1 surface”.
        package let course: String
        /// Loss against free sight at 1 kHz, dB, positive.
        package let loss: Double

        package init(course: String, loss: Double) { (self.course, self.loss) = (course, loss) }
    }

    package let source: String
    /// Share of the source the listener sees, 0…1.
    package let visibleShare: Double
    package let obstacles: [Obstacle]
    /// nil without one, and in the steps that are not explained.
    package var detour: Detour?

    package init(source: String, visibleShare: Double, obstacles: [Obstacle], detour: Detour? = nil) {
        (self.source, self.visibleShare, self.obstacles, self.detour) = (source, visibleShare, obstacles, detour)
    }
}

extension PathState {
    init(_ report: PHASEDirectPathReport) {
        self.init(
            source: report.source, visibleShare: report.visibleShare,
            obstacles: report.occluders.map { Obstacle(name: $0.name, loss: $0.loss[5]) })
    }
}

extension PathState.Detour {
    /// - Parameter explanation: of the sound event that plays at the source.
    init?(_ explanation: PHASEExplanation) {
        guard let voice = explanation.voices.first, let distance = voice.distance,
            let path = voice.paths.max(by: { $0.decibels < $1.decibels })
        else { return nil }
        self.init(course: path.course, loss: -(path.decibels + Decibels.of(amplitude: max(distance, 1e-3))))
    }
}
