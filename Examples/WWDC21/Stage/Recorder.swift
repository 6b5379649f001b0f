import Foundation
import PHASE

/// Stands where the loudspeaker would be: takes what the engine renders, offline.
public final class Recorder {
    private static let blockFrames: AVAudioFrameCount = 480
    private let engine: PHASEEngine
    private let buffer: AVAudioPCMBuffer
    private var take = Take()

    /// Switches `engine` to offline rendering, stereo at 48 kHz. Before `engine.start()`.
    public init(of engine: PHASEEngine) throws {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: SoundFolder.sampleRate, channels: 2),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: Recorder.blockFrames)
        else { throw Failure("no stereo format") }
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: Recorder.blockFrames)
        self.engine = engine
        self.buffer = buffer
    }

    /// Renders the next `seconds` (a multiple of 10 ms) and returns everything taken so far.
    @discardableResult
    public func record(seconds: Double) throws -> Take {
        for _ in 0..<Int((seconds * SoundFolder.sampleRate).rounded()) / Int(Recorder.blockFrames) {
            let status = try engine.renderOffline(Recorder.blockFrames, to: buffer)
            guard status == .success, let channels = buffer.floatChannelData else {
                throw Failure("renderOffline returned \(status)")
            }
            take.left.append(contentsOf: UnsafeBufferPointer(start: channels[0], count: Int(buffer.frameLength)))
            take.right.append(contentsOf: UnsafeBufferPointer(start: channels[1], count: Int(buffer.frameLength)))
        }
        return take
    }
}
