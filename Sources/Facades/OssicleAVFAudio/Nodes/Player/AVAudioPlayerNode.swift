// A node that plays buffers and files.

import OssicleCoreAudioTypes
import OssicleGraph
import OssicleNodes
import OssiclePlayback
import OssicleRender
import Synchronization

/// Plays what is scheduled, in order, each on its frame. No inputs, one output.
///
/// Player time begins at 0 where `play` takes effect, stands still while paused and returns to 0 with `stop`; it may
/// run past the last sound, and what is scheduled then plays at once. A player that is not rendered for a while, or
/// whose clock begins anew, continues where it was; `reset` changes nothing. Buffers play as they are, at the player's
/// rate; files are converted to its rate and channels, and decoded in the background. Calls take effect with the next
/// frame to be rendered, without a fade, and never wait for it. Any thread, handlers included.
open class AVAudioPlayerNode: AVAudioNode, AVAudioMixing {
    let queue = PlayerQueue(handlerName: "A completion handler of an AVAudioPlayerNode")
    /// Host time of a start that was requested before the device had stated a time.
    let appointment = Mutex<UInt64?>(nil)

    private let nonFiniteReport = NonFiniteReport()

    /// A player with nothing to play.
    public override init() {
        super.init()
        queue.fence = { [home] in home.machine?.session.callbacks }
    }

    deinit { queue.stop() }

    open override var numberOfInputs: Int { 0 }

    // MARK: Playing

    /// Plays from the next frame on. Throws when the engine does not run or the player is not connected.
    open func playAudio() throws { try playAudio(at: nil) }

    /// Plays from `when` on, a node time or, at a device, a host time: the device takes the first frame then, and
    /// it is heard `outputPresentationLatency` later. What has passed, and `nil`, means the next frame. In manual
    /// rendering host times are left out of account. Throws when the engine does not run, when the player is not
    /// connected, and for a time without parts.
    open func playAudio(at when: AVAudioTime?) throws {
        _ = try nodeFrame(of: when)
        try requireRendering()
        try begin(at: when)
    }

    /// As `playAudio()`, but an engine that does not run and a missing connection are only recorded: the player begins
    /// once both are there.
    open func play() { play(at: nil) }

    /// As `playAudio(at:)`, but an engine that does not run and a missing connection are only recorded: the player
    /// begins once both are there.
    open func play(at when: AVAudioTime?) {
        recording {
            try begin(at: when)
            try requireRendering()
        }
    }

    /// Stands still with the next frame; `play` goes on.
    open func pause() {
        home.machine?.note(self) { number, _ in .pausePlayer(number) }
        appointment.withLock {
            $0 = nil
            queue.pause()
        }
    }

    /// Drops everything scheduled, whose handlers are called, and sets player time back to 0.
    open func stop() { end() }

    private func end() {
        home.machine?.note(self) { number, _ in .stopPlayer(number) }
        appointment.withLock {
            $0 = nil
            queue.stop()
        }
    }

    /// Told to play and neither paused nor stopped since; also when there is nothing left to play.
    open var isPlaying: Bool { queue.isPlaying }

    /// Decodes that many frames of the files scheduled, and returns when they are there.
    open func prepare(withFrameCount frameCount: AVAudioFrameCount) {
        record(queue.fill(ahead: Int(frameCount)).map { OssicleError($0) })
    }

    // MARK: Times

    /// The node time of a player time; `nil` while not playing or not heard. Right after `play`, before a frame of it
    /// has been rendered, it is the one that the next render call would make it.
    @discardableResult
    open func nodeTime(forPlayerTime playerTime: AVAudioTime) -> AVAudioTime? {
        guard let zero, playerTime.isSampleTimeValid, let frame = PlayerTimes.frame(playerTime, at: playerRate) else {
            return nil
        }
        let nodeFrame = PlayerTimes.sum(frame, zero)
        return home.machine.flatMap { machine in machine.position(of: self).map { machine.time(nodeFrame, at: $0) } }
            ?? AVAudioTime(sampleTime: nodeFrame, atRate: playerRate)
    }

    /// The player time of a node time; `nil` while not playing or not heard. Right after `play` as
    /// `nodeTime(forPlayerTime:)`.
    @discardableResult
    open func playerTime(forNodeTime nodeTime: AVAudioTime) -> AVAudioTime? {
        guard let zero, let frame = try? nodeFrame(of: nodeTime) else { return nil }
        let playerFrame = PlayerTimes.sum(frame, -zero)
        guard nodeTime.isHostTimeValid else { return AVAudioTime(sampleTime: playerFrame, atRate: playerRate) }
        return AVAudioTime(hostTime: nodeTime.hostTime, sampleTime: playerFrame, atRate: playerRate)
    }

    /// Node time of player time 0.
    var zero: Int64? { queue.zero(next: home.machine?.position(of: self)?.frame) }

    // MARK: In the graph

    package override func lower(_ lowering: inout NodeLowering<AVAudioFormat>) -> NodePorts {
        let node = lowering.graph.add(
            title, .queuePlayer(queue.renderer.pointer), owner: queue.renderer, inputs: [],
            outputs: [lowering.outputChannels],
            meter: lowering.meter)
        return NodePorts(outputs: [0: Graph.Port(node)])
    }

    override func engineDidStop() { end() }

    override var isAwake: Bool { queue.isPlaying }
}

extension AVAudioPlayerNode: RenderAttendant {
    package func attend(framesAhead: Int, mode: RenderMode) {
        switch mode {
        case .offline:
            queue.collect()
            if framesAhead > 0 { record(queue.fill(ahead: framesAhead).map { OssicleError($0) }) }
        case .device:
            keepAppointment()
            if queue.hasReports { collectHeard() }
            record(queue.request(ahead: framesAhead).map { OssicleError($0) })
        }
        nonFiniteReport.record(queue.nonFiniteSamples, of: self)
    }

    /// What it takes for this is asked of the engine before the queue is locked: the engine asks queues under its own
    /// lock.
    private func collectHeard() {
        let (rate, latency, clock) = (playerRate, outputPresentationLatency, home.machine?.session.clock)
        queue.collect { frame in
            (clock?.hostTime(of: frame, rate) ?? 0) &+ AVAudioTime.hostTime(forSeconds: latency)
        }
    }

    package func drain() { queue.drain() }
}
