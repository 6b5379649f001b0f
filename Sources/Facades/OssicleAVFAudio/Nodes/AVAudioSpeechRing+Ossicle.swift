import Foundation
import OssicleCoreAudioTypes
import OssiclePlayback

/// What a microphone has heard lately, in mono and at the rate that recognisers take, to be read at their pace (an
/// addition of Ossicle).
///
/// It listens by a tap of its own, so the input needs no connection and other taps stay. Any thread.
///
/// ```swift
/// let ring = try AVAudioSpeechRing(on: engine.inputNode)
/// try engine.start()
/// while let words = ring.read(1_600, timeout: 5) { recogniser.feed(words) }
/// ```
public final class AVAudioSpeechRing: @unchecked Sendable {
    /// RMS below which 10 ms count as silence: −60 dBFS.
    private static let silence: Float = 0.001
    /// From where on a sample counts as clipped.
    private static let clipping: Float = 0.99

    /// Float samples, one channel.
    public let format: AVAudioFormat
    private let node: AVAudioInputNode
    private let capacity: Int
    private let condition = NSCondition()
    // Under the condition's lock.
    private var tap: Tap?
    private var samples: [Float]
    private var written = 0
    private var taken = 0
    private var dropped = 0
    private var clipped = 0
    private var quiet = 0

    /// Begins to listen. Throws for a rate outside of 8,000 to 48,000 Hz, and for an input that cannot be tapped.
    /// - Parameters:
    ///   - node: an engine's input, with or without voice processing.
    ///   - sampleRate: Hz.
    ///   - seconds: how much is kept for a slow reader, 0.1 to 600.
    public init(on node: AVAudioInputNode, sampleRate: Double = 16_000, seconds: Double = 10) throws {
        guard (8_000...48_000).contains(sampleRate),
            let format = AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: 1)
        else {
            throw OssicleError.avfaudio(
                kAudioUnitErr_FormatNotSupported, "AVAudioSpeechRing", value: "\(sampleRate) Hz",
                rule: "A ring for speech has 8,000 to 48,000 Hz.", cure: "16,000 Hz is what most recognisers take.")
        }
        (self.node, self.format) = (node, format)
        capacity = Int((seconds.isFinite ? min(max(seconds, 0.1), 600) : 10) * sampleRate)
        samples = [Float](repeating: 0, count: capacity)
        tap = try node.addTap(0, AVAudioFrameCount(sampleRate / 100), format) { [weak self] buffer, _ in
            self?.take(buffer)
        }
    }

    deinit { close() }

    /// Frames that can be read now.
    public var availableFrames: Int { condition.withLock { written - taken } }
    /// Frames that were lost, the oldest first, that were not read in time.
    public var droppedFrames: Int { condition.withLock { dropped } }
    /// Samples of 0.99 or more, or −0.99 or less, that have come so far: the microphone's gain is too high.
    public var clippedFrames: Int { condition.withLock { clipped } }
    /// How long, by now, nothing louder than −60 dBFS has come, s: a microphone that is muted or not there.
    public var silentSeconds: Double { condition.withLock { Double(quiet) / format.sampleRate } }

    /// Exactly so many frames, the oldest there are; nil where they have not come in time, or more are wanted than the
    /// ring holds.
    /// - Parameters:
    ///   - frames: 1 to what the ring holds.
    ///   - timeout: seconds to wait; 0 not to.
    public func read(_ frames: AVAudioFrameCount, timeout: TimeInterval = 0) -> AVAudioPCMBuffer? {
        guard frames > 0, Int(frames) <= capacity,
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames),
            let target = buffer.floatChannelData?[0]
        else { return nil }
        let deadline = Date(timeIntervalSinceNow: timeout)
        return condition.withLock {
            while written - taken < Int(frames) {
                guard timeout > 0, tap != nil, condition.wait(until: deadline) else { return nil }
            }
            for i in 0..<Int(frames) { target[i] = samples[(taken + i) % capacity] }
            taken += Int(frames)
            buffer.frameLength = frames
            return buffer
        }
    }

    /// Ends listening; what is there can still be read.
    public func close() {
        let old = condition.withLock {
            defer { tap = nil }
            condition.broadcast()
            return tap
        }
        if let old { node.removeTaps { $0 === old } }
    }

    /// The tap's queue.
    private func take(_ buffer: AVAudioPCMBuffer) {
        guard let source = buffer.floatChannelData?[0] else { return }
        let new = UnsafeBufferPointer(start: source, count: Int(buffer.frameLength))
        let power = new.reduce(0) { $0 + $1 * $1 } / Float(max(new.count, 1))
        condition.withLock {
            for sample in new {
                samples[written % capacity] = sample
                written += 1
                if abs(sample) >= Self.clipping { clipped += 1 }
            }
            quiet = power < Self.silence * Self.silence ? quiet + new.count : 0
            let lost = max(written - taken - capacity, 0)
            (dropped, taken) = (dropped + lost, taken + lost)
            condition.broadcast()
        }
    }
}
