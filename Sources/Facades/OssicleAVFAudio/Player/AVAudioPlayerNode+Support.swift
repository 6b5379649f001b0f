// What a player asks of the engine it is in.

import OssicleCoreAudioTypes
import OssicleDevices

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

/// Arithmetic of times that a client may have made up.
package enum PlayerTimes {
    /// A sample time in frames at another rate, to the nearest; `nil` if it has none or no rate.
    package static func frame(_ time: AVAudioTime, at rate: Double) -> Int64? {
        guard time.isSampleTimeValid, time.sampleRate > 0 else { return nil }
        if time.sampleRate == rate { return limited(time.sampleTime) }
        let frame = (Double(time.sampleTime) * rate / time.sampleRate).rounded()
        return Int64(min(max(frame, -0x1p60), 0x1p60))
    }

    package static func sum(_ a: Int64, _ b: Int64) -> Int64 { limited(a) + limited(b) }

    private static func limited(_ frame: Int64) -> Int64 { min(max(frame, -(1 << 60)), 1 << 60) }
}
