// What makes a player play.

import Foundation
import OssicleAVFAudio
import OssicleCoreAudioTypes

/// The engine, the items and the clock of one player.
///
///     items ─▶ reading queue: decode, mix ─▶ FrameRing ─▶ source node ─▶ time effect ─▶ main mixer
///                                               Timeline: which item and frame each frame of the ring is
///     clock: every 10 ms at a device, every slice of an `OfflineAudioDevice` ─▶ ends, observers, stalls
///
/// One lock guards everything; no code of the client's runs under it. Calls of handlers are collected and made behind
/// it: offline on the thread that renders, so that they are in step with the sound, else on a queue of the player's
/// own.
final class PlayerMachine: @unchecked Sendable {
    weak var player: AVPlayer?
    let condition = NSCondition()
    let reports: PlayerReports
    let queues = PlayerQueues()
    /// What renders it; `nil` for the system's devices.
    let device = OfflineAudioDevice.inForce

    // Under the condition's lock.
    let graph = PlaybackGraph()
    var queue: [AVPlayerItem] = []
    var transport = Transport()
    var reading = Reading()
    var timeline = Timeline()
    var seeking = Seeking()
    var observers: [TimeObserver] = []
    var offline = OfflineRendering()
    private var clock: (any DispatchSourceTimer)?
    private var watched: [any NSObjectProtocol] = []

    init() {
        reports = PlayerReports(of: condition)
        if let device {
            do { try graph.renderOffline(device.format) } catch { transport.error = error }
            device.add(self)
        } else {
            watchDevice()
        }
    }

    deinit {
        for observer in watched { NotificationCenter.default.removeObserver(observer) }
        clock?.cancel()
        for item in queue { item.interruption.isSet = true }
    }

    /// Runs `body` under the lock, and behind it the calls of handlers that it leaves.
    @discardableResult
    func locked<Result>(_ body: (PlayerMachine) throws -> Result) rethrows -> Result {
        condition.lock()
        defer {
            let hasReports = reports.areWaiting
            condition.broadcast()
            condition.unlock()
            if hasReports { reports.deliver(at: device) }
        }
        return try body(self)
    }

    /// Has a handler called behind the lock.
    func report(_ call: @escaping () -> Void) { reports.add(call) }

    func report(_ change: AVPlayer.Change) { report { [reports] in reports.changes.send(change) } }

    func post(_ name: NSNotification.Name, _ item: AVPlayerItem, _ info: [AnyHashable: Any]? = nil) {
        report { NotificationCenter.default.post(name: name, object: item, userInfo: info) }
    }

    // MARK: The clock at a device

    /// Has time followed while something plays.
    func setClock(isOn: Bool) {
        guard isOn != (clock != nil) else { return }
        clock?.cancel()
        clock = nil
        guard isOn else { return }
        let timer = DispatchSource.makeTimerSource(queue: queues.clock)
        timer.schedule(deadline: .now() + .milliseconds(10), repeating: .milliseconds(10))
        timer.setEventHandler { [weak self] in
            self?.locked {
                guard $0.transport.status == .playing else { return }
                $0.advance(by: $0.graph.takeRenderedFrames())
                $0.checkForStall()
                $0.read()
            }
        }
        timer.resume()
        clock = timer
    }

    private func watchDevice() {
        watched = [
            NotificationCenter.default.addObserver(
                forName: .AVAudioEngineConfigurationChange, object: graph.engine, queue: nil
            ) { [weak self] _ in
                self?.locked { if $0.transport.status == .playing { $0.start() } }
            },
            NotificationCenter.default.addObserver(
                forName: AVAudioSession.interruptionNotification, object: nil, queue: nil
            ) { [weak self] note in
                let type = note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
                guard type == AVAudioSession.InterruptionType.began.rawValue else { return }
                self?.locked { if $0.transport.rate != 0 { $0.set(rate: 0, .audioSessionInterrupted) } }
            },
        ]
    }

    /// Renders to a device. One that refuses pauses the player, and its error says why.
    func start() {
        do {
            try graph.run()
            guard transport.error != nil else { return }
            transport.error = nil
            report(.status(.readyToPlay))
        } catch {
            transport.error = error
            report(.status(.failed))
            set(rate: 0, .setRateFailed)
        }
    }
}
