// Scheduling with handlers.
//
// A call that cannot be carried out is recorded in the engine's `lastError`, and its handler is called at once.

import OssicleCoreAudioTypes
import OssiclePlayback
import OssicleRecording

extension AVAudioPlayerNode {
    /// Plays a buffer behind what is scheduled. The handler is called when the player has taken it, or has been
    /// stopped. Do not change a buffer of deinterleaved 32-bit floats before that: it is not copied.
    public func scheduleBuffer(_ buffer: AVAudioPCMBuffer, completionHandler: AVAudioNodeCompletionHandler? = nil) {
        schedule(buffer, nil, [], SegmentCompletion(completionHandler))
    }

    /// Plays a buffer behind what is scheduled; the handler is called at the moment of `callbackType`.
    public func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        schedule(buffer, nil, [], SegmentCompletion(callbackType, completionHandler))
    }

    /// Plays a buffer at a player time (or, at a device and while playing, a host time), not before what is scheduled
    /// has ended, unless `options` let it interrupt. A looping buffer's handler is called when it is interrupted or
    /// stopped.
    public func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = [],
        completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {
        schedule(buffer, when, options, SegmentCompletion(completionHandler))
    }

    /// Plays a buffer at a time, with options; the handler is called at the moment of `callbackType`.
    public func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = [],
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        schedule(buffer, when, options, SegmentCompletion(callbackType, completionHandler))
    }

    /// Plays a buffer that never changes.
    public func scheduleBuffer(
        _ buffer: AVReadOnlyAudioPCMBuffer, atTime when: AVAudioTime? = nil,
        options: AVAudioPlayerNodeBufferOptions = [],
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType = .dataConsumed,
        completionHandler: (@Sendable () -> Void)? = nil
    ) {
        let completion = completionHandler.map { handler in SegmentCompletion(callbackType) { _, _ in handler() } }
        guard let view = AVAudioPCMBuffer(viewing: buffer) else {
            return refuse(PlayerFault.samples(self, buffer.format), completion)
        }
        schedule(view, when, options, completion)
    }

    /// Plays a whole file at a player time (or, at a device and while playing, a host time), not before what is
    /// scheduled has ended. The file object's own position stays where it is, and does not matter.
    public func scheduleFile(
        _ file: AVAudioFile, at when: AVAudioTime?, completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {
        schedule(file, 0, file.length, when, SegmentCompletion(completionHandler))
    }

    /// Plays a whole file; the handler is called at the moment of `callbackType`.
    public func scheduleFile(
        _ file: AVAudioFile, at when: AVAudioTime?,
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        schedule(file, 0, file.length, when, SegmentCompletion(callbackType, completionHandler))
    }

    /// Plays `numberFrames` frames of a file from `startFrame` on, both in the file's frames; what lies beyond its end
    /// is left out.
    public func scheduleSegment(
        _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition, frameCount numberFrames: AVAudioFrameCount,
        at when: AVAudioTime?,
        completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {
        schedule(file, startFrame, Int64(numberFrames), when, SegmentCompletion(completionHandler))
    }

    /// Plays a stretch of a file; the handler is called at the moment of `callbackType`.
    public func scheduleSegment(
        _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition, frameCount numberFrames: AVAudioFrameCount,
        at when: AVAudioTime?,
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        schedule(file, startFrame, Int64(numberFrames), when, SegmentCompletion(callbackType, completionHandler))
    }

    // MARK: One body for all

    func schedule(
        _ buffer: AVAudioPCMBuffer, _ when: AVAudioTime?, _ options: AVAudioPlayerNodeBufferOptions,
        _ completion: SegmentCompletion?
    ) {
        do {
            let output = outputFormat(forBus: 0)
            guard !isConnected || buffer.format.channelCount == output.channelCount else {
                throw PlayerFault.channels(self, buffer.format.channelCount, output: output)
            }
            guard let (samples, keeper) = buffer.playableSamples(loops: options.contains(.loops)) else {
                throw PlayerFault.samples(self, buffer.format)
            }
            home.machine?.note(self) { number, writer in
                .buffer(number, buffer.soundRecord(writer), at: when?.timeRecord, options: options.rawValue)
            }
            queue.schedule(
                ScheduledSegment(
                    samples, keeping: keeper, at: try playerFrame(of: when), interruption: options.interruption,
                    completion: completion))
        } catch {
            refuse(error, completion)
        }
    }

    func schedule(
        _ file: AVAudioFile, _ start: AVAudioFramePosition, _ count: Int64, _ when: AVAudioTime?,
        _ completion: SegmentCompletion?
    ) {
        do {
            guard start >= 0 else { throw PlayerFault.negativeStart(self, start) }
            let time = try playerFrame(of: when)
            try file.checkReadable()
            // Not connected yet, it will be in the file's own format.
            let format = isConnected ? outputFormat(forBus: 0) : file.processingFormat
            let stream = try FileStream(
                file, from: start, count: count, rate: format.sampleRate, channels: Int(format.channelCount))
            noteSegment(file, start, count, when)
            queue.schedule(ScheduledSegment(stream, at: time, completion: completion))
            if stream.request(ahead: Int(min(format.sampleRate, 1e6))) { FileStream.readers.wake() }
        } catch {
            refuse(error, completion)
        }
    }

    private func noteSegment(
        _ file: AVAudioFile, _ start: AVAudioFramePosition, _ count: Int64, _ when: AVAudioTime?
    ) {
        guard let machine = home.machine, machine.recorder.isRecording else { return }
        guard let bytes = try? Data(contentsOf: file.url) else {
            return machine.noteGap("\(file.url.lastPathComponent) could not be read again")
        }
        machine.note(self) { number, writer in
            .segment(
                number, data: writer.add(bytes), name: file.url.lastPathComponent, from: start, count: count,
                at: when?.timeRecord)
        }
    }

    private func refuse(_ error: any Error, _ completion: SegmentCompletion?) {
        record([error])
        queue.refuse(completion)
    }
}

/// How a scheduled buffer takes its place.
public struct AVAudioPlayerNodeBufferOptions: OptionSet, Sendable {
    /// Bits of the options.
    public let rawValue: UInt

    /// Options of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Plays over and over, until it is interrupted or stopped.
    public static let loops = AVAudioPlayerNodeBufferOptions(rawValue: 1)
    /// Takes the place of everything scheduled before it, at its time or at once: what plays is cut, what waits is
    /// dropped.
    public static let interrupts = AVAudioPlayerNodeBufferOptions(rawValue: 2)
    /// Ends the loop that plays with the pass it is in, at its time or as soon as possible. Nothing is dropped. Goes
    /// before `interrupts`.
    public static let interruptsAtLoop = AVAudioPlayerNodeBufferOptions(rawValue: 4)
}

/// Which moment a completion handler reports.
public enum AVAudioPlayerNodeCompletionCallbackType: Int, Sendable {
    /// The player has taken the last frame. Here that is when it renders it.
    case dataConsumed = 0
    /// The last frame has been rendered.
    case dataRendered = 1
    /// The last frame has been heard: the latency downstream and of the device later. In manual rendering, as
    /// `dataRendered`.
    case dataPlayedBack = 2
}

/// Called at the moment it was scheduled for; on a queue of the player's own.
public typealias AVAudioPlayerNodeCompletionHandler = @Sendable (AVAudioPlayerNodeCompletionCallbackType) -> Void
