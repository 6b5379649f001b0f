// What a player asks of the engine it is in.

import OssicleCoreAudioTypes
import OssicleMessages
import OssiclePlayback
import OssicleRender

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
        return home.machine?.frame(atHostTime: time.hostTime, of: self)
    }

    /// The player time that a time given to a schedule call means.
    func playerFrame(of time: AVAudioTime?) throws -> Int64? {
        guard let time else { return nil }
        if let frame = PlayerTimes.frame(time, at: playerRate) { return frame }
        guard let frame = try nodeFrame(of: time), let zero else { return nil }
        return PlayerTimes.sum(frame, -zero)
    }

    /// Plays from a time on, which is exact once the device has stated when it takes its first frame: `keepAppointment`
    /// corrects it then.
    func begin(at when: AVAudioTime?, gate: StartGate? = nil) throws {
        let hasHostTime = when.map { $0.isHostTimeValid && !$0.isSampleTimeValid } ?? false
        // A device that rests has to run for the frames to have host times.
        if hasHostTime { wakeEngine() }
        let frame = try nodeFrame(of: when)
        home.machine?.note(self) { number, _ in .play(number, at: when?.timeRecord) }
        appointment.withLock {
            $0 = hasHostTime && home.machine?.session.clock.isPresumed == true ? when?.hostTime : nil
            queue.play(at: frame, gate: gate)
        }
        wakeEngine()
    }

    /// Corrects a start that was requested before the device had stated a time.
    func keepAppointment() {
        guard appointment.withLock({ $0 != nil }), home.machine?.session.clock.isPresumed == false else { return }
        appointment.withLock { appointment in
            guard let time = appointment else { return }
            appointment = nil
            queue.play(at: home.machine?.frame(atHostTime: time, of: self))
        }
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
