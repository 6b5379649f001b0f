import OssicleCore

/// What stands between one source and the listener.
struct PathState: Sendable, Equatable {
    struct Obstacle: Sendable, Equatable {
        let name: String
        /// Loss on the way through or around it at 1 kHz, dB, positive.
        let loss: Double
    }
    let source: String
    /// Share of the source the listener sees, 0…1.
    let visibleShare: Double
    let obstacles: [Obstacle]
}

/// One block of rendered sound with what the engine knows about it.
struct StageBlock: Sendable {
    var left: [Float]
    var right: [Float]
    /// Mean square per ear of the direct and of the reverberant part.
    var directEnergy: Double
    var reverbEnergy: Double
    var paths: [PathState]
}

/// Whoever can play the demo scene block by block: the engine, or a stand-in under test.
protocol SceneStage {
    /// Moves the voice there, lets the scene catch up and renders the next `frames` frames.
    mutating func render(_ frames: Int, voiceAt position: Vector) throws -> StageBlock
}
