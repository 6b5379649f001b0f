// The engine's values as AVFAudio's: completions, buffers and files that are scheduled, times.

import OssicleFiles
import OssiclePlayback
import OssicleRender

extension SegmentCompletion {
    init(
        _ type: AVAudioPlayerNodeCompletionCallbackType,
        _ handler:
            @escaping @Sendable (
                AVAudioPlayerNodeCompletionCallbackType, AVAudioPlayerNodeCompletionReason
            ) -> Void
    ) {
        self.init(waitsUntilHeard: type == .dataPlayedBack) {
            handler(type, AVAudioPlayerNodeCompletionReason($0))
        }
    }

    init?(_ handler: AVAudioNodeCompletionHandler?) {
        guard let handler else { return nil }
        self.init { _ in handler() }
    }

    init?(_ type: AVAudioPlayerNodeCompletionCallbackType, _ handler: AVAudioPlayerNodeCompletionHandler?) {
        guard let handler else { return nil }
        self.init(type) { type, _ in handler(type) }
    }
}

extension AVAudioPlayerNodeCompletionReason {
    fileprivate init(_ outcome: SegmentOutcome) {
        self =
            switch outcome {
            case .finished: .finished
            case .interrupted: .interrupted
            case .stopped: .stopped
            case .refused: .refused
            }
    }
}

extension AVAudioPlayerNodeBufferOptions {
    /// Of both interruptions the gentler one.
    var interruption: QueueEntry.Sound.Interruption {
        contains(.interruptsAtLoop) ? .atLoop : contains(.interrupts) ? .cut : .none
    }
}

extension AVAudioPCMBuffer: PlayableBuffer {
    /// Deinterleaved 32-bit floats are played where they are, anything else from a copy in that form.
    package func playableSamples(loops: Bool) -> (samples: SampleSource, keeper: AnyObject)? {
        guard format.commonFormat != .otherFormat, let standard = converted(to: format.standardCounterpart),
            let channels = standard.floatChannelData
        else { return nil }
        let table = UnsafeRawPointer(channels).assumingMemoryBound(to: UnsafePointer<Float>.self)
        let samples = SampleSource(
            channels: table, channelCount: Int(standard.format.channelCount),
            frameCount: Int64(standard.frameLength), loops: loops)
        return (samples, standard)
    }

    /// A buffer over the memory of one that never changes, which it keeps.
    convenience init?(viewing buffer: AVReadOnlyAudioPCMBuffer) {
        guard
            let list = buffer.withUnsafeAudioBufferList({ list in list.pointee.mBuffers.mDataByteSize > 0 ? list : nil }
            )
        else {
            self.init(pcmFormat: buffer.format, frameCapacity: 0)
            return
        }
        self.init(pcmFormat: buffer.format, bufferListNoCopy: list) { _ in withExtendedLifetime(buffer) {} }
    }
}

extension FileStream {
    /// - Parameters:
    ///   - start, count: in the file's frames; what lies beyond its end is left out.
    ///   - rate: Hz, of the player.
    convenience init(
        _ file: AVAudioFile, from start: Int64, count: Int64, rate: Double, channels: Int
    ) throws {
        do throws(AudioFileError) {
            try self.init(
                path: file.url.path, hold: file.reach, from: start, count: count, rate: rate, channels: channels)
        } catch {
            throw OssicleError(error)
        }
    }
}

extension PlayerTimes {
    /// A sample time in frames at another rate, to the nearest; `nil` if it has none or no rate.
    static func frame(_ time: AVAudioTime, at rate: Double) -> Int64? {
        guard time.isSampleTimeValid, time.sampleRate > 0 else { return nil }
        return frame(time.sampleTime, from: time.sampleRate, at: rate)
    }
}
