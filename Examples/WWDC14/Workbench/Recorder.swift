import AVFoundation

/// Stands where the loudspeaker would be: takes what an engine renders, offline and in stereo.
public final class Recorder {
    private let engine: AVAudioEngine
    private let buffer: AVAudioPCMBuffer
    public private(set) var take: Take

    /// Switches `engine` to offline rendering. Before `engine.start()`.
    public init(of engine: AVAudioEngine, rate: Double = 48_000, blockFrames: AVAudioFrameCount = 512) throws {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: rate, channels: 2),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: blockFrames)
        else { throw Failure("no stereo format at \(rate) Hz") }
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: blockFrames)
        self.engine = engine
        self.buffer = buffer
        take = Take(rate: rate)
    }

    /// Renders up to a frame, block by block. Between two blocks all handlers and taps have returned, so that whatever
    /// they ask for happens on the same frame in every run; then `betweenBlocks` has its turn.
    public func record(until frame: Int, betweenBlocks: () throws -> Void = {}) throws {
        while take.left.count < frame {
            let status = try engine.renderOffline(
                min(AVAudioFrameCount(frame - take.left.count), buffer.frameCapacity), to: buffer)
            guard status == .success || status == .insufficientDataFromInputNode else {
                throw Failure("renderOffline returned \(status)")
            }
            take.left += buffer.samples(0)
            take.right += buffer.samples(1)
            engine.drainCallbacks()
            try betweenBlocks()
        }
        if let error = engine.lastError { throw error }
    }

    /// Renders the next `seconds`.
    public func record(seconds: Double, betweenBlocks: () throws -> Void = {}) throws {
        try record(until: take.left.count + Int((seconds * take.rate).rounded()), betweenBlocks: betweenBlocks)
    }
}
