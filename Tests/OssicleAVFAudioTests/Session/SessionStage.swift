import Foundation
import OssicleDevices
import OssiclePlayback
import Synchronization
@testable import OssicleAVFAudio

/// A session apart from the program's, with surroundings that a test makes up.
final class SessionStage {
    let surroundings: StagedSurroundings
    let participants = SessionParticipants()
    let access: RecordAccess
    let session: AVAudioSession
    let notes: NotificationLog
    /// What devices were last to be opened with.
    let wishes = Box(DevicePreferences())

    init(devices: DeviceList = SessionStage.laptop, isDenied: Bool = false) {
        surroundings = StagedSurroundings(devices)
        access = RecordAccess(environment: isDenied ? ["OSSICLE_DENY_RECORD_PERMISSION": "1"] : [:])
        let wishes = wishes
        session = AVAudioSession(
            SessionControl(surroundings: surroundings, participants: participants, access: access) {
                wishes.value = $0
            })
        notes = NotificationLog(of: session)
    }

    /// Waits for what the surroundings reported.
    func settle() { session.control.queue.sync {} }

    static let speaker = DeviceInfo(
        id: "alsa_output.pci-0", name: "Speakers", direction: .output, sampleRate: 48_000, channelCount: 2,
        isDefault: true)
    static let headset = DeviceInfo(
        id: "alsa_output.usb-0", name: "Headset", direction: .output, sampleRate: 44_100, channelCount: 2)
    static let microphone = DeviceInfo(
        id: "alsa_input.pci-0", name: "Microphone", direction: .input, sampleRate: 48_000, channelCount: 1,
        isDefault: true)
    static let headsetMicrophone = DeviceInfo(
        id: "alsa_input.usb-0", name: "Headset microphone", direction: .input, sampleRate: 16_000, channelCount: 1)
    static let laptop = DeviceList(outputs: [speaker, headset], inputs: [headsetMicrophone, microphone])
}

/// Reports what a test says, and writes down what it is told.
final class StagedSurroundings: SessionSurroundings {
    private struct State: Sendable {
        var devices: DeviceList
        var report: (@Sendable (SurroundingsEvent) -> Void)?
        var ducking: [Bool] = []
        var role: StreamRole?
        var holds: [SoundHold] = []
        var isMuted = false
    }

    private let state: Mutex<State>

    init(_ devices: DeviceList) { state = Mutex(State(devices: devices)) }

    var devices: DeviceList { state.withLock { $0.devices } }
    func watch(_ report: @escaping @Sendable (SurroundingsEvent) -> Void) { state.withLock { $0.report = report } }
    func duckOthers(by decibels: Int) { state.withLock { $0.ducking.append(decibels > 0) } }
    func muteOutput(_ isMuted: Bool) { state.withLock { $0.isMuted = isMuted } }
    func adopt(role: StreamRole) { state.withLock { $0.role = role } }
    func hold(_ hold: SoundHold, since: UInt64) { state.withLock { $0.holds.append(hold) } }

    var ducking: [Bool] { state.withLock { $0.ducking } }
    var isMuted: Bool { state.withLock { $0.isMuted } }
    var role: StreamRole? { state.withLock { $0.role } }
    var holds: [SoundHold] { state.withLock { $0.holds } }

    func report(_ event: SurroundingsEvent) { state.withLock { $0.report }?(event) }

    func change(to devices: DeviceList) {
        let old = self.devices
        state.withLock { $0.devices = devices }
        report(.devices(old: old, new: devices))
    }
}

/// A value that closures of several threads share.
final class Box<Value: Sendable>: Sendable {
    private let content: Mutex<Value>
    init(_ value: Value) { content = Mutex(value) }
    var value: Value {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }
}

/// What an object posts, in order.
final class NotificationLog: @unchecked Sendable {
    private let lock = NSLock()
    private var posted: [Notification] = []
    private var observer: (any NSObjectProtocol)?

    init(of object: NSObject) {
        observer = NotificationCenter.default.addObserver(forName: nil, object: object, queue: nil) {
            [weak self] note in
            self?.append(note)
        }
    }

    deinit { observer.map(NotificationCenter.default.removeObserver) }

    private func append(_ note: Notification) { lock.withLock { posted.append(note) } }

    /// What came since last asked.
    func take() -> [Notification] {
        lock.withLock {
            defer { posted = [] }
            return posted
        }
    }

    /// The names of what came since last asked.
    func takeNames() -> [NSNotification.Name] { take().map(\.name) }
}

/// Plays to a device, as far as a session can tell.
final class StagedParticipant: SessionParticipant {
    private let state = Mutex((isPlaying: true, ends: [Bool]()))
    let deviceReport: DeviceReport?

    init(_ report: DeviceReport? = nil) { deviceReport = report }

    var isPlaying: Bool { state.withLock { $0.isPlaying } }
    var ends: [Bool] { state.withLock { $0.ends } }
    func pauseForSession() { state.withLock { $0.isPlaying = false } }
    func sessionInterruptionEnded(mayResume: Bool) { state.withLock { $0.ends.append(mayResume) } }
}

/// The code of a session's error that `body` throws; `nil` if it throws none.
func sessionCode(_ body: () throws -> Void) -> AVAudioSession.ErrorCode? {
    do { try body() } catch let error as NSError {
        return error.domain == NSOSStatusErrorDomain ? AVAudioSession.ErrorCode(rawValue: error.code) : nil
    }
    return nil
}
