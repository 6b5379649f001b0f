import OssicleFiles
import OssicleRender

/// Turns a stretch of a file into what a player plays: its rate, its channels. For one thread at a time.
///
/// Surplus channels of the file are dropped. A mono file goes to the first two channels; other channels the file does
/// not have are silent. A file that breaks off continues as silence.
final class StreamDecoder {
    /// Frames there will be.
    let frameCount: Int64
    /// What went wrong, from then on.
    private(set) var failure: AudioFileError?
    /// Frames that were there before it went wrong; so far, if nothing has.
    private(set) var soundFrames: Int64 = 0

    private let path: String
    private let file: FileFrames
    private let frames: any FrameSource
    private let fileChannels: Int
    private let scratch: [UnsafeMutablePointer<Float>]

    /// - Parameters:
    ///   - hold: keeps the file within reach; `nil` to find it by its path.
    ///   - repeats: how often the whole file follows.
    init(
        path: String, hold: FileHold? = nil, from start: Int64, count: Int64, repeats: Int = 0, rate: Double,
        channels: Int
    ) throws(AudioFileError) {
        file = try FileFrames(path: path, hold: hold, from: start, count: count, repeats: repeats)
        self.path = path
        let fileRate = file.info.sampleRate
        fileChannels = min(file.info.channelCount, channels)
        if fileRate == rate {
            (frames, frameCount) = (file, file.left)
        } else {
            frames = RateConversion.chain(file, channels: fileChannels, frames: file.left, from: fileRate, to: rate)
            frameCount = RateConversion.length(file.left, from: fileRate, to: rate)
        }
        let room = Int(min(max(frameCount, 1), Int64(FileStream.chunk)))
        scratch = (0..<fileChannels).map { _ in .allocate(capacity: room) }
    }

    deinit { scratch.forEach { $0.deallocate() } }

    /// Samples of the file that are NaN or infinite, which are played as 0.
    var nonFiniteSamples: Int { file.nonFiniteSamples }

    /// Lets go of the file until more of it is needed.
    package func rest() { file.rest() }

    /// Writes the next frames, at most a chunk, to every plane.
    func read(into planes: [UnsafeMutablePointer<Float>], frames count: Int) {
        let done = failure == nil ? decode(count) : 0
        soundFrames += Int64(done)
        for (channel, plane) in planes.enumerated() {
            let copied = source(of: channel).map { source in
                plane.update(from: scratch[source], count: done)
                return done
            }
            (plane + (copied ?? 0)).update(repeating: 0, count: count - (copied ?? 0))
        }
    }

    private func source(of channel: Int) -> Int? {
        if channel < fileChannels { return channel }
        return fileChannels == 1 && channel == 1 ? 0 : nil
    }

    private func decode(_ count: Int) -> Int {
        do {
            let done = try frames.read(into: scratch, frames: count)
            // Behind a conversion, what the file owes is missed by the file itself.
            if done < count || (file.left > 0 && file.isExhausted) { failure = brokenOff }
            return done
        } catch {
            failure = error
            return 0
        }
    }

    private var brokenOff: AudioFileError {
        AudioFileError(
            .damaged, path: path, found: "it ends before the length in its header",
            rule: "A file holds the frames its header promises.",
            cure: "Write or copy the file again; the rest is played as silence.")
    }
}

extension StreamDecoder: StreamContent {
    package func write(to window: StreamWindow) -> Bool {
        window.write(atMost: Int(min(frameCount - window.nextFrame, Int64(FileStream.chunk)))) { planes, count in
            read(into: planes, frames: count)
            return count
        }
        return window.nextFrame < frameCount
    }

    package var fault: (any Error)? {
        if let failure { return FileStreamFault.unreadable(failure) }
        return nonFiniteSamples > 0 ? FileStreamFault.nonFinite(samples: nonFiniteSamples, path: path) : nil
    }

    package var breakOff: FileStream.BreakOff? { failure.map { ($0, soundFrames) } }
}
