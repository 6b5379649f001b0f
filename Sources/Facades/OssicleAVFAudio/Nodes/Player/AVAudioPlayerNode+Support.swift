// What a player asks of the engine it is in.

import OssicleCoreAudioTypes
import OssicleDevices
import OssiclePlayback

extension AVAudioPlayerNode {
    /// Frames per second of the node's clock.
    var playerRate: Double {
        let rate = outputFormat(forBus: 0).sampleRate
        return rate >= 1 ? rate : AVAudioFormat.initial.sampleRate
    }

    var isConnected: Bool {
        home.machine.map { machine in machine.locked { !machine.model.wires(from: self).isEmpty } } ?? false
    }

    /// An engine that has shut down by itself starts again.
    func wakeEngine() { home.machine?.wakeUp() }

    func requireRendering() throws {
        guard let machine = home.machine, machine.locked({ machine.state == .running }) else {
            throw PlayerFault.notRunning(self)
        }
        guard isConnected else { throw PlayerFault.disconnected(self) }
    }

    /// The frame of the node's clock that a time means; `nil` for no time, and for a host time that nothing can be made
    /// of.
    func nodeFrame(of time: AVAudioTime?) throws -> Int64? {
        guard let time else { return nil }
        if let frame = PlayerTimes.frame(time, at: playerRate) { return frame }
        guard time.isHostTimeValid else { throw PlayerFault.noTime(self) }
        guard home.machine?.hasHostTime == true, let anchor = lastRenderTime else { return nil }
        return time.extrapolateTime(fromAnchor: anchor.anchoredNow).flatMap { PlayerTimes.frame($0, at: playerRate) }
    }

    /// The player time that a time given to a schedule call means.
    func playerFrame(of time: AVAudioTime?) throws -> Int64? {
        guard let time else { return nil }
        if let frame = PlayerTimes.frame(time, at: playerRate) { return frame }
        guard let frame = try nodeFrame(of: time), let zero else { return nil }
        return PlayerTimes.sum(frame, -zero)
    }

    // MARK: Errors

    func record(_ errors: [any Error]) {
        guard !errors.isEmpty else { return }
        let log = home.machine?.errors ?? ErrorLog()
        for error in errors { log.record(error) }
    }

    func recording(_ body: () throws -> Void) {
        do { try body() } catch { record([error]) }
    }
}

extension AVAudioTime {
    /// The same frame, now, if the host time it comes with is long past: a device that was started has not asked for
    /// its first frame yet.
    fileprivate var anchoredNow: AVAudioTime {
        let now = HostClock.now
        return hostTime < now - min(now, 1_000_000_000)
            ? AVAudioTime(hostTime: now, sampleTime: sampleTime, atRate: sampleRate) : self
    }
}
