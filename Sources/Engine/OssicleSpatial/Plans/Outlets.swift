import Dispatch
import OssicleDSP
import OssiclePlayback

/// What takes sound from the engine or processes its output: taps, the mixes of single listeners, insert effects. Under
/// the engine's lock.
package final class Outlets: TapHost {
    private let session: RenderSession
    package let taps = TapList()
    package let inserts = InsertChain()
    /// In the order of the requests.
    private(set) var listeners: [ListenerMix] = []
    /// Those in the plan, in the order of its channels.
    package private(set) var planned: [ListenerMix] = []
    /// What flows out; nil before it is known. Taps get `presumedFormat` until then.
    package var format: (any TapFormat)?
    private let presumedFormat: any TapFormat
    /// Whether the voices of the next plan are measured.
    package var metersVoices = false
    private var tapped: [Tap] = []
    private var fading: [InsertChain] = []

    init(_ session: RenderSession, presumedFormat: any TapFormat) {
        self.session = session
        self.presumedFormat = presumedFormat
    }

    // MARK: Listeners

    /// The mix of a listener; nil if there is none.
    package func mix(of listener: UInt64) -> ListenerMix? { listeners.first { $0.listener == listener } }

    /// It is in the plan after the next update, as long as its owner lives.
    package func add(_ mix: ListenerMix) { listeners.append(mix) }

    // MARK: The plan

    /// Readies the mixes for the next plan.
    /// - Returns: whether it has to be made.
    func update(_ stage: OutputStage, _ preset: ReverbPreset?, _ rooms: RoomFields, at position: Int64) -> Bool {
        listeners.removeAll { $0.owner == nil }
        stage.setEarlyRoom(preset)
        var isStale = stage.main.update(preset, rooms.fields, rooms.responses, at: position)
        for mix in listeners {
            let bus = mix.bus ?? stage.makeBus()
            let fields = rooms.fields.filter { $0.listener == mix.listener }
            let responses = rooms.responses.filter { $0.listener == nil || $0.listener == mix.listener }
            if bus.update(preset, fields, responses, at: position) || mix.bus == nil { isStale = true }
            mix.bus = bus
        }
        return isStale || fading.contains { $0.hasFaded(at: position) }
    }

    /// The mixes sound on at another output. While nothing renders.
    func move(from old: OutputStage, to new: OutputStage, at position: Int64) {
        new.takeOverMain(of: old, at: position)
        for mix in listeners { mix.bus = mix.bus.map { new.makeBus(after: $0, at: position) } }
        // Effects are made for a number of channels.
        if new.channelCount != old.channelCount { inserts.halt() }
    }

    /// All mixes cross-fade to another HRTF.
    func apply(_ hrtf: HRTFFilters, on stage: OutputStage, at position: Int64) {
        for bus in [stage.main] + listeners.compactMap(\.bus) { bus.apply(hrtf, stage, at: position) }
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
    package func shutDown() {
        for mix in listeners { mix.releaseOwner() }
        listeners = []
    }

    // MARK: Taps

    /// Delivers what was tapped since the last time.
    package func attend(_ mode: RenderMode) {
        for tap in tapped { tap.attend(framesAhead: 0, mode: mode) }
    }

    /// These taps are no more.
    package func end(_ taps: [Tap]) {
        tapped.removeAll { tap in taps.contains { $0 === tap } }
        for tap in taps { tap.flush() }
    }

    package func tappedFormat(_ bus: Int) -> any TapFormat { format ?? presumedFormat }

    package func hostTime(ofTapped frame: Int64, rate: Double) -> UInt64 { session.clock.hostTime(of: frame, rate) }

    package func callTapBlock(on queue: DispatchQueue, _ block: @escaping @Sendable () -> Void) {
        session.runTapBlock("A tap block on a PHASEEngine", on: queue, block)
    }
}

/// The mix of one listener. Under the engine's lock.
package final class ListenerMix {
    /// The listener's number.
    package let listener: UInt64
    package let taps = TapList()
    /// There while the engine runs.
    package internal(set) var bus: OutputBus?
    /// The client's object for it; nil once the client has released that. The mix ends with it.
    package weak var owner: AnyObject?
    /// Keeps the owner while it has taps, though the client has released it.
    private var kept: AnyObject?

    package init(listener: UInt64) { self.listener = listener }

    package func keepWhileTapped() { kept = taps.all.isEmpty ? nil : owner }

    fileprivate func releaseOwner() { kept = nil }
}
