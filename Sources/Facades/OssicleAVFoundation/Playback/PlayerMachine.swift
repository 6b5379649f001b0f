// What makes a player play.

import Foundation
import OssicleAVFAudio
import OssicleCoreAudioTypes

/// The engine, the items and the clock of one player.
///
///     items ─▶ reading queue: decode, mix ─▶ FrameRing ─▶ source node ─▶ time effect ─▶ main mixer
///                                               Timeline: which item and frame each frame of the ring is
///     clock: every 10 ms at a device, every slice in manual rendering ─▶ ends, observers, stalls
///
/// One lock guards everything; no code of the client's runs under it. What is to be reported is collected, and reported behind
/// it: on the thread that renders in manual rendering, so that handlers are in step with the sound, else on a queue of
/// the player's own.
final class PlayerMachine: @unchecked Sendable {
    weak var player: AVPlayer?
    let condition = NSCondition()
    let changeFeed = ChangeFeed<AVPlayer.Change>()

    // Under the condition's lock.
    let graph = PlaybackGraph()
    var queue: [AVPlayerItem] = []
    var transport = Transport()
    var reading = Reading()
    var timeline = Timeline()
    var seeking = Seeking()
    var observers: [TimeObserver] = []
    var manual: ManualClock?
    private var told: [() -> Void] = []
    private var clock: (any DispatchSourceTimer)?
    private var watched: [any NSObjectProtocol] = []

    let queues = PlayerQueues()

    init() {
        watched = [
            NotificationCenter.default.addObserver(
                forName: .AVAudioEngineConfigurationChange, object: graph.engine, queue: nil
            ) { [weak self] _ in
                self?.locked { $0.followDevice() }
            },
            NotificationCenter.default.addObserver(
                forName: AVAudioSession.interruptionNotification, object: nil, queue: nil
            ) { [weak self] note in
                let type = note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
                guard type == AVAudioSession.InterruptionType.began.rawValue else { return }
                self?.locked { $0.followInterruption() }
            },
        ]
    }

    deinit {
        for observer in watched { NotificationCenter.default.removeObserver(observer) }
        clock?.cancel()
        for item in queue { item.interruption.isSet = true }
    }

    /// Runs `body` under the lock, and then reports what it left to be reported.
    @discardableResult
    func locked<Result>(inStep: Bool = false, _ body: (PlayerMachine) throws -> Result) rethrows -> Result {
        condition.lock()
        defer {
            let told = self.told
            self.told = []
            condition.broadcast()
            condition.unlock()
            if inStep {
                for tell in told { tell() }
            } else if !told.isEmpty {
                let news = News(told)
                queues.telling.async { for tell in news.told { tell() } }
            }
        }
        return try body(self)
    }

    /// To be called behind the lock.
    func tell(_ news: @escaping () -> Void) { told.append(news) }

    func tell(_ change: AVPlayer.Change) { tell { [changeFeed] in changeFeed.send(change) } }

    func post(_ name: NSNotification.Name, _ item: AVPlayerItem, _ info: [AnyHashable: Any]? = nil) {
        tell { NotificationCenter.default.post(name: name, object: item, userInfo: info) }
    }

    private struct News: @unchecked Sendable {
        let told: [() -> Void]
        init(_ told: [() -> Void]) { self.told = told }
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
                guard $0.manual == nil, $0.transport.status == .playing else { return }
                $0.advance(by: $0.graph.takeRenderedFrames())
                $0.checkForStall()
                $0.read()
            }
        }
        timer.resume()
        clock = timer
    }

    /// The device has changed and the engine has stopped: it goes on at the new one.
    private func followDevice() {
        if transport.status == .playing, manual == nil { start() }
    }

    /// The session is interrupted: a player at a device pauses, and stays so until it is played again.
    private func followInterruption() {
        if transport.rate != 0, manual == nil { set(rate: 0, .audioSessionInterrupted) }
    }

    /// Renders. A device that refuses pauses the player, and its error says why.
    func start() {
        do {
            try graph.run()
        } catch {
            transport.error = error
            tell(.status(.failed))
            set(rate: 0, .setRateFailed)
        }
    }
}
