import AVFoundation
import SessionKit

/// Plays and records, as a talk over the network does.
final class Talk: @unchecked Sendable {
    private let events = SessionEvents()
    private let voice: Speaker
    private(set) var isOnHold = false
    /// What happened to the route, in words.
    private(set) var routes: [String] = []
    private(set) var rebuilds = 0

    init() throws {
        voice = try Speaker(frequency: 330)
        let session = events.session
        try session.setCategory(.playAndRecord, mode: .voiceChat, options: [.allowBluetoothHFP, .defaultToSpeaker])
        try session.setPreferredIOBufferDuration(0.005)
        try session.setPreferredSampleRate(48_000)
        events.interruptionBegan = { [unowned self] in isOnHold = true }
        events.interruptionEnded = { [unowned self] _ in
            // A talk goes on in any case: somebody waits at the other end.
            try? begin()
        }
        events.routeChanged = { [unowned self] reason, previous in
            let names = previous?.inputs.map(\.portName).joined(separator: ", ") ?? ""
            routes.append("\(reason) from \(names)")
        }
        events.servicesWereReset = { [unowned self] in
            rebuilds += 1
            try? begin()
        }
    }

    func begin() throws {
        try events.session.setActive(true)
        try voice.play([.loops, .interrupts])
        isOnHold = false
    }

    func end() throws {
        voice.pause()
        try events.session.setActive(false, options: .notifyOthersOnDeactivation)
    }

    var isSounding: Bool { voice.isPlaying }
}
