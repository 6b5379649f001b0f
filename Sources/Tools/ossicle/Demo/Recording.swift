import OssicleCore

/// The rendered demo: the sound and, block by block, what the engine measured.
struct Recording: Sendable {
    struct Moment: Sendable {
        /// Seconds from the start to the middle of the block.
        let time: Double
        let frames: Int
        let directEnergy, reverbEnergy: Double
        let paths: [PathState]
        let voice: Vector
    }

    let sampleRate: Int
    private(set) var left: [Float] = []
    private(set) var right: [Float] = []
    private(set) var moments: [Moment] = []

    var seconds: Double { Double(left.count) / Double(sampleRate) }

    /// Frames per step: the voice moves and the scene updates about 94 times a second.
    static let blockFrames = 512

    /// Lets `stage` play the whole scene. `progress` hears the seconds done so far.
    init(
        of scene: DemoScene, on stage: inout some SceneStage, frames: Int, sampleRate: Int, progress: (Int) -> Void
    ) throws {
        self.sampleRate = sampleRate
        left.reserveCapacity(frames)
        right.reserveCapacity(frames)
        while left.count < frames {
            let start = left.count
            let count = min(Recording.blockFrames, frames - start)
            let voice = scene.walk.position(at: Double(start) / Double(frames))
            let block = try stage.render(count, voiceAt: voice)
            left += block.left
            right += block.right
            let middle = (Double(start) + Double(count) / 2) / Double(sampleRate)
            moments.append(
                Moment(
                    time: middle, frames: count, directEnergy: block.directEnergy, reverbEnergy: block.reverbEnergy,
                    paths: block.paths, voice: voice))
            progress(left.count / sampleRate)
        }
    }
}

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

/// What can play the demo scene block by block: the engine, or a stand-in under test.
protocol SceneStage {
    /// Moves the voice there, lets the scene catch up and renders the next `frames` frames.
    mutating func render(_ frames: Int, voiceAt position: Vector) throws -> StageBlock
}
