import OssicleAVFAudio
import OssicleFiles
import OssicleRender
import OssicleSoundEvents

/// A sound asset as the engine plays it. Immutable; players hold it while they may read its memory.
final class RegisteredSound: Sendable {
    enum Samples: Sendable {
        case resident(ResidentAudio)
        /// Path of the file to be read while it plays, and its beginning, so that a start need not wait for the disk.
        case streamed(path: String, head: ResidentAudio)
    }

    let samples: Samples
    let sampleRate: Double
    let channelCount: Int
    let frameCount: Int64
    /// Core Audio's labels in file order, where the file or the client gave a layout.
    let labels: [UInt32]
    /// Linear; 1 without normalisation.
    let normalisation: Double

    /// A pointer per channel of a resident sound.
    private nonisolated(unsafe) let table: UnsafeMutablePointer<UnsafePointer<Float>>

    init(samples: Samples, sampleRate: Double, channelCount: Int, frameCount: Int64, labels: [UInt32], normalisation: Double) {
        (self.samples, self.sampleRate, self.channelCount) = (samples, sampleRate, channelCount)
        (self.frameCount, self.labels, self.normalisation) = (frameCount, labels, normalisation)
        table = .allocate(capacity: max(channelCount, 1))
        if case .resident(let audio) = samples {
            for channel in 0..<channelCount { (table + channel).initialize(to: audio[channel]) }
        }
    }

    deinit { table.deallocate() }

    /// Samples that were NaN or infinite and are 0; of a streamed sound those in its beginning.
    var nonFiniteSamples: Int {
        switch samples {
        case .resident(let audio), .streamed(path: _, head: let audio): audio.nonFiniteCount
        }
    }

    /// The samples of a resident sound for a player; valid as long as the sound lives.
    func source(loops: Bool) -> SampleSource {
        var frames = frameCount
        if case .streamed = samples { frames = 0 }
        return SampleSource(channels: UnsafePointer(table), channelCount: channelCount, frameCount: frames, loops: loops)
    }
}

/// A sound-event asset: the captured tree, and what its random nodes chose lately.
final class RegisteredEvent: @unchecked Sendable {
    let tree: EventTree
    /// What the streams of the tree play, by node.
    let formats: [Int: AVAudioFormat]
    /// Under the engine's lock.
    var history = SelectionHistory()

    /// What was changed when its definitions were captured.
    let corrections: [PHASEAssetError]

    init(tree: EventTree, formats: [Int: AVAudioFormat] = [:], corrections: [PHASEAssetError] = []) {
        (self.tree, self.formats, self.corrections) = (tree, formats, corrections)
    }
}
