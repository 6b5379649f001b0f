import Dispatch
import OssicleAVFAudio
import OssicleDSP
import OssiclePlayback
import OssicleSpatial

/// What takes sound from the engine or processes its output: taps, the mixes of single listeners, insert effects. Under
/// the engine's lock.
final class Outlets: TapHost {
    private let session: RenderSession
    let taps = TapPoint()
    let inserts = InsertChain()
    /// In the order in which they were asked for.
    private(set) var listeners: [ListenerMix] = []
    /// Those in the plan, in the order of its channels.
    private(set) var planned: [ListenerMix] = []
    /// What flows out; nil before it is known.
    var format: AVAudioFormat?
    private var tapped: [Tap] = []
    private var fading: [InsertChain] = []

    init(_ session: RenderSession) { self.session = session }

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
    func update(_ stage: OutputStage, _ preset: ReverbPreset?, _ fields: [RoomField], at position: Int64) -> Bool {
        listeners.removeAll { $0.facade == nil }
        stage.setEarlyRoom(preset)
        var isStale = stage.main.update(preset, fields, at: position)
        for mix in listeners {
            let bus = mix.bus ?? stage.makeBus()
            if bus.update(preset, fields.filter { $0.listener == mix.listener }, at: position) || mix.bus == nil {
                isStale = true
            }
            mix.bus = bus
        }
        return isStale || fading.contains { $0.hasFaded(at: position) }
    }

    /// All mixes cross-fade to another HRTF.
    func apply(_ hrtf: HRTFTable, on stage: OutputStage, at position: Int64) {
        for bus in [stage.main] + listeners.compactMap(\.bus) { bus.apply(hrtf, at: position) }
    }

    /// A plan with these is in place.
    func installed(_ mixes: [ListenerMix], _ taps: [Tap], _ fading: [InsertChain]) {
        for tap in tapped where !taps.contains(where: { $0 === tap }) { tap.flush() }
        (planned, tapped, self.fading) = (mixes, taps, fading)
    }

    /// Rendering has stopped.
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

    func tappedFormat(_ bus: Int) -> any TapFormat { format ?? EngineCore.defaultFormat }

    func hostTime(ofTapped frame: Int64, rate: Double) -> UInt64 { session.clock.hostTime(of: frame, rate) }

    func callTapBlock(on queue: DispatchQueue, _ block: @escaping @Sendable () -> Void) {
        session.runTapBlock("A tap block on a PHASEEngine", on: queue, block)
    }
}

/// The mix of one listener. Under the engine's lock.
final class ListenerMix {
    /// The listener's number. The listener itself keeps the engine, and is kept by the client's output.
    let listener: UInt64
    let taps = TapPoint()
    /// There while the engine runs.
    var bus: OutputBus?
    private weak var output: PHASEListenerOutput?
    /// Keeps the output while it has taps that the client has let go.
    private var kept: PHASEListenerOutput?

    init(listener: UInt64) { self.listener = listener }

    /// The client's view of it; nil once the client has let it go.
    var facade: PHASEListenerOutput? {
        get { output }
        set { output = newValue }
    }

    /// Holds the client's object as long as there are taps on it.
    func keepWhileTapped() { kept = taps.taps.isEmpty ? nil : output }

    func letGo() { kept = nil }
}
