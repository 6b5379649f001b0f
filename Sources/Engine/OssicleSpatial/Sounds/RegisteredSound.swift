import OssicleFiles
import OssicleRender
import OssicleSoundEvents

/// A sound asset as the engine plays it. Immutable; players hold it while they may read its memory.
package final class RegisteredSound: Sendable {
    package enum Samples: Sendable {
        case resident(ResidentAudio)
        /// Path of the file to be read while it plays, and its beginning, so that a start need not wait for the disk.
        case streamed(path: String, head: ResidentAudio)
    }

    let samples: Samples
    package let sampleRate: Double
    package let channelCount: Int
    package let frameCount: Int64
    /// Linear; 1 without normalisation.
    let normalisation: Double

    /// A pointer per channel of a resident sound.
    private nonisolated(unsafe) let table: UnsafeMutablePointer<UnsafePointer<Float>>

    package init(
        samples: Samples, sampleRate: Double, channelCount: Int, frameCount: Int64, normalisation: Double
    ) {
        self.samples = samples
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.frameCount = frameCount
        self.normalisation = normalisation
        table = .allocate(capacity: max(channelCount, 1))
        if case .resident(let audio) = samples {
            for channel in 0..<channelCount { (table + channel).initialize(to: audio[channel]) }
        }
    }

    deinit { table.deallocate() }

    /// Samples that were NaN or infinite and are 0; of a streamed sound those in its beginning.
    package var nonFiniteSamples: Int {
        switch samples {
        case .resident(let audio), .streamed(path: _, head: let audio): audio.nonFiniteCount
        }
    }

    /// The samples of a resident sound for a player; valid as long as the sound lives.
    func source(loops: Bool) -> SampleSource {
        var frames = frameCount
        if case .streamed = samples { frames = 0 }
        return SampleSource(
            channels: UnsafePointer(table), channelCount: channelCount, frameCount: frames, loops: loops)
    }
}

/// A registered tree, and what its random nodes chose lately.
package final class RegisteredEvent {
    package let tree: EventTree
    /// Under the engine's lock.
    var history = SelectionHistory()

    package init(tree: EventTree) { self.tree = tree }
}
