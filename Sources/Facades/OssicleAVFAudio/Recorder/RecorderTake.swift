// The control side of an AVAudioRecorder.

import OssicleCoreAudioTypes
import OssicleMessages
import OssiclePlayback

/// Records from a shared engine's input into a file.
///
///     input ─▶ tap's ring ─▶ the tap's own queue: span ─▶ meter, converter ─▶ file
///
/// While a device takes the place of another no frames come; silence of that length stands for them, so that times in
/// the file stay true. The audio thread only writes to the ring. Any thread; the lock is never held while code of the
/// client's runs.
final class RecorderTake: @unchecked Sendable {
    enum Phase { case stopped, recording, paused, finishing }

    /// Where sound comes in.
    private struct Intake {
        /// There while the take has part in the engine.
        var tap: Tap?
        /// Hz; stays when the tap is gone.
        var rate = 0.0
        /// Breaks of the engine's that have been dealt with.
        var breakCount = 0
    }

    let url: URL
    let input: SharedEngine
    let meter = LevelMeter()
    let errors = ErrorLog()
    /// The recorder in the client's hands; set once, before anybody else knows the take.
    weak var recorder: AVAudioRecorder?

    private let lock = NSRecursiveLock()
    private let request: [String: Any]
    /// Written by the tap's queue while there is a tap; else under the lock.
    private var file: RecordingFile?

    // Under the lock.
    private var phase = Phase.stopped
    private var span = RecordedSpan()
    private var intake = Intake()
    private var fileFormat: AVAudioFormat?
    /// What went wrong with the file, first.
    private var failure: (any Error)?
    private var assignments: [AVAudioSessionChannelDescription]?

    /// Throws what is wrong with the settings.
    init(url: URL, settings: [String: Any], input: SharedEngine) throws {
        try RecordingFile.check(url, settings)
        self.url = url
        self.input = input
        request = settings
    }

    // MARK: State

    var isRecording: Bool { lock.withLock { phase == .recording } }

    /// Seconds recorded so far; 0 while stopped.
    var currentTime: TimeInterval {
        lock.withLock {
            guard phase != .stopped, intake.rate > 0 else { return 0 }
            return Double(span.count(before: nextFrame)) / intake.rate
        }
    }

    /// The file's format once it is there, before that what was asked for.
    var format: AVAudioFormat { lock.withLock { fileFormat } ?? AVAudioFormat(settings: request) ?? .none }

    var settings: [String: Any] {
        let file = lock.withLock { fileFormat }
        return file.map { request.merging($0.settings) { $1 } } ?? request
    }

    /// The input's next frame.
    private var nextFrame: Int64 { inputFrame(input.now.frame) }

    private func inputFrame(_ engineFrame: Int64) -> Int64 {
        PlayerTimes.frame(engineFrame, from: input.now.rate, at: max(intake.rate, 1))
    }

    // MARK: Recording

    /// Creates the file.
    func prepare() throws {
        try lock.withLock {
            if phase == .stopped, file == nil { try openFile() }
        }
    }

    private func openFile() throws {
        let opened = try RecordingFile(url: url, settings: request, inputs: assignments?.map { $0.channelNumber - 1 })
        (file, span, failure) = (opened, RecordedSpan(), nil)
        fileFormat = opened.format
    }

    /// Begins or continues, at a time of the input's device or with the next frame. What cannot be recorded overwrites
    /// no file.
    /// - Parameter duration: seconds to record in all from then on; `nil` leaves an earlier limit in force.
    func record(at time: TimeInterval?, duration: TimeInterval?) throws {
        try lock.withLock {
            guard phase == .stopped || phase == .paused else { return }
            try connect()
            do {
                if file == nil { try openFile() }
            } catch {
                disconnect()
                throw error
            }
            let start = max(time.map { inputFrame(input.frame(at: $0)) } ?? nextFrame, nextFrame)
            let limit = duration.map { Int64(min(max(($0 * intake.rate).rounded(), 0), 0x1p60)) }
            span.begin(at: start, limit: limit)
            phase = .recording
        }
    }

    /// Takes part in the engine, with a tap on its input. Throws without permission and without an input.
    private func connect() throws {
        guard input.isOffline || AVAudioApplication.shared.recordPermission != .denied else {
            throw AudioRecorderFault.notPermitted
        }
        do {
            try input.join(self) { engine in
                if intake.tap != nil { return }
                let node = engine.inputNode, format = node.outputFormat(forBus: 0)
                guard input.hasInput, format.sampleRate >= 1, format.channelCount >= 1 else {
                    throw AudioRecorderFault.noInput
                }
                intake.rate = format.sampleRate
                intake.breakCount = input.deviceBreaks.count
                intake.tap = try node.addTap(0, AVAudioFrameCount(format.sampleRate / 50), nil) {
                    [weak self] buffer, time in
                    self?.receive(buffer, time)
                }
            }
        } catch {
            // The next attempt may find another engine.
            disconnect()
            throw error
        }
    }

    private func disconnect() {
        guard let tap = intake.tap else { return }
        _ = input.withEngine { $0.inputNode.removeTaps { $0 === tap } }
        intake.tap = nil
        input.leave(self)
    }

    /// Takes nothing from the next frame on, and keeps file and input.
    func pause() {
        lock.withLock {
            guard phase == .recording else { return }
            span.end(at: nextFrame)
            phase = .paused
            meter.clear()
        }
    }

    /// Ends the recording and returns when the file is closed.
    func stop() { finish(.recording, .paused) }

    var channelAssignments: [AVAudioSessionChannelDescription]? { lock.withLock { assignments } }

    /// For the next file.
    func assign(_ channels: [AVAudioSessionChannelDescription]?) throws {
        let count = Int(format.channelCount)
        if let channels, channels.count != count {
            throw AudioRecorderFault.assignments(channels.count, channels: count)
        }
        lock.withLock { assignments = channels }
    }

    /// Removes the file. Throws while there is a recording, and where there is no file.
    func delete() throws {
        try lock.withLock {
            guard phase == .stopped else { throw AudioRecorderFault.inUse(url) }
            file = nil
            try FileManager.default.removeItem(at: url)
        }
    }

    // MARK: On the tap's queue

    private func receive(_ buffer: AVAudioPCMBuffer, _ time: AVAudioTime) {
        let block = time.sampleTime..<time.sampleTime + Int64(buffer.frameLength)
        let pieces = lock.withLock { failure == nil ? take(block) : [] }
        do {
            for piece in pieces {
                switch piece {
                case .sound(let frames):
                    guard let part = buffer.part(frames) else { continue }
                    meter.add(part)
                    try file?.write(part)
                case .silence(let count): try file?.writeSilence(count, in: buffer.format)
                }
            }
        } catch {
            lock.withLock { failure = failure ?? error }
        }
        let isOver = lock.withLock { failure != nil || span.isComplete(before: block.upperBound) }
        if isOver { finish(.recording, isOnTapQueue: true) }
    }

    /// What of a block is recorded, and ahead of it what the input has missed since the last one. Under the lock.
    private func take(_ block: Range<Int64>) -> [RecordedSpan.Piece] {
        for missed in input.deviceBreaks.dropFirst(intake.breakCount) {
            span.miss(Int64((missed.seconds * intake.rate).rounded()), at: inputFrame(missed.frame))
            intake.breakCount += 1
        }
        return span.take(block)
    }

    /// Closes the file, lets go of the input and notifies the delegate; in one of the given phases.
    private func finish(_ phases: Phase..., isOnTapQueue: Bool = false) {
        let begun: Tap? = lock.withLock {
            guard phases.contains(phase) else { return nil }
            if phase == .recording { span.end(at: nextFrame) }
            phase = .finishing
            return intake.tap
        }
        guard let tap = begun else { return }
        _ = input.withEngine { $0.inputNode.removeTaps { $0 === tap } }
        if !isOnTapQueue { tap.drain() }
        input.leave(self)
        var late: (any Error)?
        do { try file?.close() } catch { late = error }
        let error = lock.withLock {
            defer {
                (self.file, intake.tap, phase) = (nil, nil, .stopped)
                meter.clear()
            }
            return failure ?? late
        }
        if let error { errors.record(error) }
        tell { recorder, delegate in
            if let error { delegate.audioRecorderEncodeErrorDidOccur(recorder, error: error) }
            delegate.audioRecorderDidFinishRecording(recorder, successfully: error == nil)
        }
    }

    /// Has the delegate called. Not under the lock.
    private func tell(_ call: @escaping @Sendable (AVAudioRecorder, any AVAudioRecorderDelegate) -> Void) {
        input.deliver { [weak self] in
            guard let recorder = self?.recorder, let delegate = recorder.delegate else { return }
            call(recorder, delegate)
        }
    }
}

extension RecorderTake: SharedEngineMember {
    func tick(at frame: Int64) {}
    func nextEvent(after frame: Int64) -> Int64? { nil }

    /// Goes on with the input there is now.
    func engineDidRestart() {
        // What came before the restart is written first.
        lock.withLock { intake.tap }?.drain()
        let rate = input.withEngine { $0.inputNode.outputFormat(forBus: 0).sampleRate } ?? 0
        lock.withLock {
            guard intake.tap != nil, rate >= 1, phase != .finishing else { return }
            let scale = rate / intake.rate
            intake.rate = rate
            span.restart(at: nextFrame, scale: scale, isRecording: phase == .recording)
        }
    }

    func sessionInterrupted() {
        let wasRecording = isRecording
        pause()
        if wasRecording { tell { $1.audioRecorderBeginInterruption($0) } }
    }

    func sessionInterruptionEnded(mayResume: Bool) {
        guard lock.withLock({ phase == .paused }) else { return }
        tell { $1.audioRecorderEndInterruption($0, withOptions: mayResume ? 1 : 0) }
    }

    /// What was recorded is closed, and the delegate notified.
    func engineWasLost(_ error: any Error) {
        lock.withLock { failure = failure ?? error }
        finish(.recording, .paused)
    }
}
