// Recording to one file.

import OssicleCoreAudioTypes

/// Records what comes in into a sound file of any writable kind.
///
/// The input opens with `record` and closes with `stop`. Recording begins and ends on its frame; what comes in is
/// converted to the file's rate and channels and written on a thread of its own. The file can be read at every moment:
/// of a process that was killed, or on a full disk, what was written until a quarter of a second before stays. Calls
/// may come from any thread. What cannot be done is answered with false and kept in `lastError`. A recorder that is let
/// go stops.
///
/// "/dev/null" keeps nothing, for who only wants the levels.
open class AVAudioRecorder: NSObject, @unchecked Sendable {
    let take: RecorderTake
    private let delegates = WeakDelegate()

    private init(_ take: RecorderTake) {
        self.take = take
        super.init()
        take.recorder = self
    }

    deinit { take.stop() }

    /// A recorder for a file, which is created by `prepareToRecord` or `record`, and overwritten where there is one.
    /// `AVAudioFileTypeKey` or the extension names the container. Without a format linear PCM is recorded, without a
    /// rate 44.1 kHz, without channels one. Throws what of it is not possible.
    public convenience init(url: URL, settings: [String: Any]) throws {
        var complete: [String: Any] = [
            AVFormatIDKey: NSNumber(value: kAudioFormatLinearPCM), AVSampleRateKey: NSNumber(value: 44100.0),
            AVNumberOfChannelsKey: NSNumber(value: 1),
        ]
        complete.merge(settings) { $1 }
        self.init(
            try RecorderTake(url: url, settings: complete, input: OfflineAudioDevice.inForce?.shared ?? .input))
    }

    /// A recorder for a file in `format`, linear PCM or compressed.
    public convenience init(url: URL, format: AVAudioFormat) throws {
        try self.init(url: url, settings: format.settings)
    }

    // MARK: Recording

    /// Creates the file. False if that is not possible.
    @discardableResult
    open func prepareToRecord() -> Bool { attempt { try take.prepare() } }

    /// Begins, or goes on after a pause, with the next frame. True also if it already records. Behind `stop` it begins
    /// the file anew. False without an input.
    @discardableResult
    open func record() -> Bool { attempt { try take.record(at: nil, duration: nil) } }

    /// As `record`, at a time of `deviceCurrentTime`, on its frame; a time that has passed means the next frame. False
    /// for a time that is not finite.
    @discardableResult
    open func record(atTime time: TimeInterval) -> Bool { record(time, nil) }

    /// As `record`, and stops by itself after so many seconds of sound; pauses do not count. False for what is negative
    /// or not finite.
    @discardableResult
    open func record(forDuration duration: TimeInterval) -> Bool { record(nil, duration) }

    /// As `record(atTime:)` and `record(forDuration:)`.
    @discardableResult
    open func record(atTime time: TimeInterval, forDuration duration: TimeInterval) -> Bool { record(time, duration) }

    private func record(_ time: TimeInterval?, _ duration: TimeInterval?) -> Bool {
        attempt {
            guard time?.isFinite ?? true, duration.map({ $0.isFinite && $0 >= 0 }) ?? true else {
                throw AudioRecorderFault.notATime(time, duration)
            }
            try take.record(at: time, duration: duration)
        }
    }

    /// Takes nothing from the next frame on, and keeps file and input; `record` goes on behind it.
    open func pause() { take.pause() }

    /// Ends the recording. The file is closed when it returns.
    open func stop() { take.stop() }

    /// Removes the file. False while it records or is paused, and where there is none.
    @discardableResult
    open func deleteRecording() -> Bool { attempt { try take.delete() } }

    /// Requested to record, and neither paused, stopped nor at its end since; also while it waits for its start.
    open var isRecording: Bool { take.isRecording }

    // MARK: The file

    /// Where the file is.
    open var url: URL { take.url }

    /// What it records, as a settings dictionary; final once the file has been created.
    open var settings: [String: Any] { take.settings }

    /// The format in the file; final once the file has been created.
    open var format: AVAudioFormat { take.format }

    /// Receives the end and errors, on the main queue.
    open weak var delegate: (any AVAudioRecorderDelegate)? {
        get { delegates.delegate }
        set { delegates.delegate = newValue }
    }

    /// For each channel of the file the channel of the input's port that it comes from, by its number; `nil`, the
    /// default, for where the layouts say. Takes effect with the next file; any other count than the file's channels is
    /// refused.
    open var channelAssignments: [AVAudioSessionChannelDescription]? {
        get { take.channelAssignments }
        set { attempt { try take.assign(newValue) } }
    }

    // MARK: Time

    /// Seconds recorded so far, without pauses; 0 while stopped.
    open var currentTime: TimeInterval { take.currentTime }

    /// Time of the input's next frame in seconds, the same for all recorders. It runs while one records, stands still
    /// in between and never goes back.
    open var deviceCurrentTime: TimeInterval { take.input.currentTime }

    // MARK: Level

    /// Whether levels are measured. Default false.
    open var isMeteringEnabled: Bool {
        get { take.meter.isEnabled }
        set { take.meter.isEnabled = newValue }
    }

    /// Takes over the levels of the latest tenth of a second that was recorded, for the two calls below.
    open func updateMeters() { take.meter.update() }

    /// The largest magnitude of an input channel in dBFS, −160 … 0.
    @discardableResult
    open func peakPower(forChannel channelNumber: Int) -> Float { take.meter.peak(channelNumber) }

    /// The RMS level of an input channel in dBFS, −160 … 0; −3.01 for a full-scale sine.
    @discardableResult
    open func averagePower(forChannel channelNumber: Int) -> Float { take.meter.average(channelNumber) }

    // MARK: Errors

    /// Runs a call that cannot throw; an error is recorded.
    @discardableResult
    private func attempt(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return true
        } catch {
            take.errors.record(error)
            return false
        }
    }
}

/// A delegate that any thread may set.
private final class WeakDelegate: @unchecked Sendable {
    private let lock = NSLock()
    private weak var content: (any AVAudioRecorderDelegate)?

    var delegate: (any AVAudioRecorderDelegate)? {
        get { lock.withLock { content } }
        set { lock.withLock { content = newValue } }
    }
}

/// What can be wrong with a call to a recorder.
enum AudioRecorderFault {
    private static func fault(_ code: OSStatus, _ value: String, _ rule: String, _ cure: String) -> OssicleError {
        .avfaudio(code, "AVAudioRecorder", value: value, rule: rule, cure: cure)
    }

    static var noInput: OssicleError {
        fault(
            kAudioUnitErr_FormatNotSupported, "there is no input",
            "A recorder needs a device that sound comes in from.",
            "Connect a microphone, look after the sound server, or give OfflineAudioDevice an input.")
    }

    static var notPermitted: OssicleError {
        fault(
            kAudio_FilePermissionError, "recording is denied", "A device is recorded with permission.",
            "Ask AVAudioApplication.shared.recordPermission, and unset OSSICLE_DENY_RECORD_PERMISSION.")
    }

    static func assignments(_ count: Int, channels: Int) -> OssicleError {
        fault(
            kAudio_ParamError, "\(count) channel assignments", "Each of the file's \(channels) channels has one.",
            "Give \(channels), or nil.")
    }

    static func notATime(_ time: TimeInterval?, _ duration: TimeInterval?) -> OssicleError {
        let words = [time.map { "time \($0)" }, duration.map { "duration \($0)" }].compactMap { $0 }
        return fault(
            kAudio_ParamError, words.joined(separator: ", "), "Times are finite, and durations not negative.",
            "Check the computation they come from.")
    }

    static func inUse(_ url: URL) -> OssicleError {
        fault(
            kAudioFileOperationNotSupportedError, "deleteRecording() while \"\(url.path)\" is recorded",
            "A recording is deleted when it is over.", "Call stop() first.")
    }
}

/// Receives what becomes of a recorder: on the main queue, or where `OfflineAudioDevice` renders it on the thread that
/// renders or stops it. Every method may be left out.
public protocol AVAudioRecorderDelegate: NSObjectProtocol {
    /// The recording is over and its file is closed, after `stop()`, at the end of its duration, or after an error.
    /// `flag` is false where not all could be written.
    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)
    /// Something could not be written, for instance on a full disk; what was written until then stays.
    /// `audioRecorderDidFinishRecording` follows.
    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?)
    /// The session was interrupted, and the recorder paused. Apple has deprecated it for the session's notifications.
    func audioRecorderBeginInterruption(_ recorder: AVAudioRecorder)
    /// The interruption is over; `flags` is 1 where recording may go on. Apple has deprecated it for the session's
    /// notifications.
    func audioRecorderEndInterruption(_ recorder: AVAudioRecorder, withOptions flags: Int)
}

extension AVAudioRecorderDelegate {
    public func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {}
    public func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {}
    public func audioRecorderBeginInterruption(_ recorder: AVAudioRecorder) {}
    public func audioRecorderEndInterruption(_ recorder: AVAudioRecorder, withOptions flags: Int) {}
}
