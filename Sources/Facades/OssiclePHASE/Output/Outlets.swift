import Dispatch
import OssicleAVFAudio
import OssicleDSP

/// Everybody who takes sound from the engine or works on its output: taps, the mixes of single listeners, insert effects; and the clock and
/// the gate of whoever renders. Under the engine's lock.
final class Outlets: TapHost {
    /// What host time it is at a frame; in manual rendering, rendered time.
    let clock = RenderClock()
    /// Closed while nobody may render.
    let gate = RenderGate()
    /// Blocks of taps that have not returned.
    let deliveries = DispatchGroup()
    /// What offline rendering waits for.
    let callbacks = CallbackFence()
    /// Seconds it waits for one handler.
    var callbackLimit = 10.0
    let taps = TapPoint()
    let inserts = InsertChain()
    /// In the order in which they were asked for.
    private(set) var listeners: [ListenerMix] = []
    /// Those in the plan, in the order of its channels.
    private(set) var planned: [ListenerMix] = []
    /// What flows out; nil before it is known.
    var format: AVAudioFormat?
    /// Updates the scene while another thread renders.
    var updates: UpdateClock?
    private var tapped: [Tap] = []
    private var fading: [InsertChain] = []

    // MARK: Listeners

    /// The mix of a listener, which is made if there is none.
    func mix(of listener: PHASEListener) -> PHASEListenerOutput {
        if let output = listeners.first(where: { $0.listener == listener.number })?.facade { return output }
        let mix = ListenerMix(listener: listener.number)
        let output = PHASEListenerOutput(listener, mix)
        mix.facade = output
        listeners.append(mix)
        listener.core.planChanged()
        return output
    }

    // MARK: The plan

    /// Readies the mixes for the next plan.
    /// - Returns: whether it has to be made.
    func update(_ stage: OutputStage, _ preset: PHASEReverbPreset, _ fields: [RoomField], at position: Int64) -> Bool {
        listeners.removeAll { $0.facade == nil }
        stage.setRoom(preset)
        var isStale = stage.main.update(preset, fields, at: position)
        for mix in listeners {
            let bus = mix.bus ?? stage.makeBus()
            if bus.update(preset, fields.filter { $0.listener == mix.listener }, at: position) || mix.bus == nil { isStale = true }
            mix.bus = bus
        }
        return isStale || fading.contains { $0.hasFaded(at: position) }
    }

    /// All mixes change over to another head.
    func hear(with head: HeadFilters, on stage: OutputStage, at position: Int64) {
        for bus in [stage.main] + listeners.compactMap(\.bus) { bus.hear(with: head, at: position) }
    }

    /// A plan with these is in place.
    func installed(_ mixes: [ListenerMix], _ taps: [Tap], _ fading: [InsertChain]) {
        for tap in tapped where !taps.contains(where: { $0 === tap }) { tap.flush() }
        (planned, tapped, self.fading) = (mixes, taps, fading)
    }

    /// Nothing sounds any more.
    func halt() {
        installed([], [], [])
        inserts.halt()
        for mix in listeners { mix.bus = nil }
    }

    /// The engine is going away.
    func shutDown() {
        for mix in listeners { mix.letGo() }
        listeners = []
    }

    // MARK: Taps

    /// Hands over what was tapped since the last time.
    func attend(_ mode: RenderMode) {
        for tap in tapped { tap.attend(framesAhead: 0, mode: mode) }
    }

    /// These taps are no more.
    func end(_ taps: [Tap]) {
        tapped.removeAll { tap in taps.contains { $0 === tap } }
        for tap in taps { tap.flush() }
    }

    func tappedFormat(_ bus: AVAudioNodeBus) -> AVAudioFormat { format ?? EngineCore.defaultFormat }

    func hostTime(ofTapped frame: Int64, rate: Double) -> UInt64 { clock.hostTime(of: frame, rate) }

    func callTapBlock(on queue: DispatchQueue, _ block: @escaping @Sendable () -> Void) {
        let deliveries = deliveries
        deliveries.enter()
        callbacks.run("A tap block on a PHASEEngine", on: queue) {
            block()
            deliveries.leave()
        }
    }
}
