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
    init(of scene: DemoScene, on stage: inout some SceneStage, frames: Int, sampleRate: Int, progress: (Int) -> Void) throws {
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
            moments.append(Moment(time: middle, frames: count, directEnergy: block.directEnergy, reverbEnergy: block.reverbEnergy,
                                  paths: block.paths, voice: voice))
            progress(left.count / sampleRate)
        }
    }
}
