// The engine that players or recorders have in common.

import Dispatch
import OssicleCoreAudioTypes
import OssiclePlayback
import Synchronization

/// Who plays or records through a shared engine. Called without locks of the shared engine's.
protocol SharedEngineMember: AnyObject, Sendable {
    /// Between two render calls; `frame` comes next, in frames of the engine.
    func tick(at frame: Int64)
    /// The next frame behind `frame` at which `tick` has something to do offline.
    func nextEvent(after frame: Int64) -> Int64?
    /// The engine was stopped by its device, and runs again: what it held is gone.
    func engineDidRestart()
    /// The engine was stopped by its device, and does not start again.
    func engineWasLost(_ error: any Error)
    /// The engine is rendered no more.
    func engineIsLetGo()
    /// The program's session was interrupted or deactivated, and the engine halted.
    func sessionInterrupted()
    /// The interruption is over; the program resumes by itself.
    func sessionInterruptionEnded(mayResume: Bool)
}

extension SharedEngineMember {
    func engineIsLetGo() {}
}

/// An engine for all players at one output and system sounds, or all recorders, of a process: made with the first that
/// needs it and let go with the last. Its time continues from engine to engine. One that renders offline has an engine
/// for good.
///
/// Any thread. The lock is never held while a member or code of the client's runs.
final class SharedEngine: @unchecked Sendable {
    /// Of players and system sounds, at the default output.
    static let output = SharedEngine()
    /// Of the recorders, at the default input.
    static let input = SharedEngine()

    /// By the identifier or name of the output. One that is played to no more is a few words of memory.
    private static let outputs = Mutex<[String: SharedEngine]>([:])

    /// - Parameter device: nil for the default output.
    static func output(at device: String?) -> SharedEngine {
        guard let device else { return output }
        return outputs.withLock { outputs in
            let shared = outputs[device] ?? SharedEngine(device: device)
            outputs[device] = shared
            return shared
        }
    }

    /// A weak reference as an array's element.
    private struct Entry { weak var member: (any SharedEngineMember)? }

    /// Where the engine's frames lie in the time of devices.
    private struct Anchor {
        var frame: Int64 = 0
        var seconds = 0.0
    }

    let isOffline: Bool
    /// Whether there may be an input; at a device that shows when it is opened.
    let hasInput: Bool
    /// Identifier or name of the output; nil for the default one.
    private let device: String?
    private let lock = NSRecursiveLock()
    private var engine: AVAudioEngine?
    /// By rate in Hz.
    private var mixers: [Double: AVAudioMixerNode] = [:]
    private var entries: [Entry] = []
    private var anchor = Anchor()
    private var ticker: Ticker?
    private var observer: (any NSObjectProtocol)?
    /// Calls of delegates that wait for the end of a slice; `nil` outside of an offline render call.
    private var waiting: [@Sendable () -> Void]?

    /// - Parameter device: nil for the default output.
    init(device: String? = nil) { (isOffline, hasInput, self.device) = (false, true, device) }

    /// - Parameter engine: in offline rendering, and running.
    init(offline engine: AVAudioEngine, hasInput: Bool) {
        (isOffline, self.hasInput, device) = (true, hasInput, nil)
        self.engine = engine
    }

    deinit { engine?.stop() }

    // MARK: Members

    /// Has `member` take part: makes the engine if there is none, runs `connect`, and starts it. Throws what `connect`
    /// throws, and why the device does not open. An engine that the session halted goes on.
    func join(_ member: any SharedEngineMember, connect: (AVAudioEngine) throws -> Void) throws {
        try lock.withLock {
            let engine = self.engine ?? makeEngine()
            do {
                try connect(engine)
                if !engine.isRunning {
                    let now = seconds
                    try engine.start()
                    anchor = Anchor(frame: position, seconds: now)
                }
            } catch {
                letGoIfUnused()
                throw error
            }
            if !entries.contains(where: { $0.member === member }) { entries.append(Entry(member: member)) }
            if ticker == nil, !isOffline {
                ticker = Ticker(label: "ossicle.shared", milliseconds: 5) { [weak self] in self?.tick() }
            }
        }
    }

    /// The member needs the engine no more; the last one stops it.
    func leave(_ member: any SharedEngineMember) {
        lock.withLock {
            entries.removeAll { $0.member == nil || $0.member === member }
            letGoIfUnused()
        }
    }

    /// Runs `body` with the engine, if there is one.
    func withEngine<Result>(_ body: (AVAudioEngine) throws -> Result) rethrows -> Result? {
        try lock.withLock { try engine.map(body) }
    }

    /// The mixer for sound of a rate: one for all, so that players of one rate have one clock and start on the same
    /// frame. Throws for a rate that cannot be rendered. Within `join`.
    func mixer(_ rate: Double, in engine: AVAudioEngine) throws -> AVAudioMixerNode {
        try lock.withLock {
            let main = engine.mainMixerNode, format = main.outputFormat(forBus: 0)
            if format.sampleRate == rate { return main }
            if let mixer = mixers[rate] { return mixer }
            let mixer = AVAudioMixerNode()
            engine.attach(mixer)
            do {
                try engine.connectNode(mixer, to: main, format: format.standard(atRate: rate))
            } catch {
                engine.detach(mixer)
                throw error
            }
            mixers[rate] = mixer
            return mixer
        }
    }

    /// The device that rendered it offline is gone.
    func letGo() { for member in members { member.engineIsLetGo() } }

    private func makeEngine() -> AVAudioEngine {
        let engine = AVAudioEngine()
        engine.isAutoShutdownEnabled = self !== SharedEngine.input
        engine.outputDeviceUniqueID = device
        engine.staysOnWhenDevicesChange = true
        if self === SharedEngine.input { engine.machine.locked { engine.machine.hardware.recordsAll = true } }
        observer = NotificationCenter.default.addObserver(
            forName: .AVAudioEngineConfigurationChange, object: engine, queue: nil
        ) { [weak self] _ in self?.reopen() }
        self.engine = engine
        SessionParticipants.shared.add(self)
        return engine
    }

    private func letGoIfUnused() {
        guard !isOffline, entries.allSatisfy({ $0.member == nil }), let engine else { return }
        anchor = Anchor(frame: 0, seconds: seconds)
        ticker = nil
        if let observer { NotificationCenter.default.removeObserver(observer) }
        observer = nil
        (self.engine, mixers) = (nil, [:])
        engine.stop()
    }

    /// The device has changed. Starts the engine again if it was stopped.
    private func reopen() {
        var failure: (any Error)?
        let isNew: Bool = lock.withLock {
            guard let engine, !engine.isRunning else { return false }
            let now = seconds
            do { try engine.start() } catch { failure = error }
            anchor = Anchor(frame: position, seconds: now)
            return true
        }
        guard isNew else { return }
        for member in members {
            if let failure { member.engineWasLost(failure) } else { member.engineDidRestart() }
        }
    }

    private var members: [any SharedEngineMember] { lock.withLock { entries.compactMap { $0.member } } }

    // MARK: Time

    /// The engine's next frame.
    private var position: Int64 {
        guard let machine = engine?.machine else { return 0 }
        return machine.locked { machine.session.executor.position }
    }

    /// Hz.
    private var rate: Double {
        guard let machine = engine?.machine else { return AVAudioFormat.initial.sampleRate }
        return max(machine.locked { machine.renderFormat.sampleRate }, 1)
    }

    private var seconds: TimeInterval { anchor.seconds + Double(position - anchor.frame) / rate }

    /// Time of the next frame to be rendered, in seconds. It stands still while no engine runs, and never goes back.
    var currentTime: TimeInterval { lock.withLock { seconds } }

    /// The next frame of the engine, and the engine's rate in Hz.
    var now: (frame: Int64, rate: Double) { lock.withLock { (position, rate) } }

    /// When its output was missing, since the engine was made.
    var deviceBreaks: [DeviceBreak] {
        withEngine { engine in engine.machine.locked { engine.machine.session.breaks } } ?? []
    }

    /// The frame of the engine at a time.
    func frame(at time: TimeInterval) -> Int64 {
        lock.withLock {
            let frames = ((time - anchor.seconds) * rate).rounded()
            return anchor.frame + Int64(min(max(frames, -0x1p60), 0x1p60))
        }
    }

    // MARK: Between render calls

    private func tick() {
        let frame = now.frame
        for member in members { member.tick(at: frame) }
    }

    /// Has a delegate called: on the main queue or, offline, on the thread that renders, behind the slice that is being
    /// rendered. Not under a lock.
    func deliver(_ call: @escaping @Sendable () -> Void) {
        if !isOffline { return DispatchQueue.main.async(execute: call) }
        if !deliverBehindSlice(call) { call() }
    }

    /// Has `call` made behind the slice that is being rendered offline; false, and no call, while none is.
    func deliverBehindSlice(_ call: @escaping @Sendable () -> Void) -> Bool {
        lock.withLock {
            waiting?.append(call)
            return waiting != nil
        }
    }

    /// Renders the next frames of an engine in offline rendering, cut where a member has something to do.
    /// - Parameters:
    ///   - prepare: called ahead of a slice of at most so many frames; returns how many are to be rendered, at least 1.
    ///   - take: gets each slice.
    func render(
        _ frames: Int, into slice: AVAudioPCMBuffer, prepare: (Int) -> Int, _ take: (AVAudioPCMBuffer) throws -> Void
    ) throws {
        guard let engine else { return }
        var left = frames
        defer { makeWaitingCalls(isLast: true) }
        while left > 0 {
            let now = lock.withLock {
                waiting = waiting ?? []
                return position
            }
            for member in members { member.tick(at: now) }
            let event = members.compactMap { $0.nextEvent(after: now) }.min() ?? .max
            let count = prepare(Int(min(Int64(min(left, Int(slice.frameCapacity))), max(event - now, 1))))
            try engine.renderOffline(AVAudioFrameCount(count), to: slice)
            engine.drainCallbacks()
            try take(slice)
            for member in members { member.tick(at: now + Int64(count)) }
            makeWaitingCalls(isLast: false)
            left -= count
        }
    }

    /// Makes the calls that wait, and those that they cause.
    private func makeWaitingCalls(isLast: Bool) {
        func take() -> [@Sendable () -> Void] {
            lock.withLock {
                defer { waiting = isLast && waiting?.isEmpty != false ? nil : [] }
                return waiting ?? []
            }
        }
        while case let calls = take(), !calls.isEmpty { for call in calls { call() } }
    }
}

extension SharedEngine: SessionParticipant {
    /// The engine reports by itself.
    package var deviceReport: DeviceReport? { nil }

    package func pauseForSession() {
        for member in members { member.sessionInterrupted() }
    }

    package func sessionInterruptionEnded(mayResume: Bool) {
        for member in members { member.sessionInterruptionEnded(mayResume: mayResume) }
    }
}
