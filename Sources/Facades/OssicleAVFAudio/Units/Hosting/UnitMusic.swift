import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleMIDI
import OssicleRender
import Synchronization

/// What plays a unit of the client's from within its engine: sequences, and MIDI processors that are connected to it.
final class UnitMusic: @unchecked Sendable {
    let feed: EventFeed
    let events: EventQueue<AURenderEvent>
    private let clock: UnitClock
    /// Processors that run before the unit does.
    private let sources = Published<[MIDIProcessor]>([])
    private let beats = UnitBeats()

    init(_ unit: AUAudioUnit) {
        let clock = UnitClock()
        feed = EventFeed { clock.offset }
        (events, self.clock) = (unit.cycle.events, clock)
    }

    /// - Parameters:
    ///   - offset: frames by which the unit's clock is ahead of the engine's.
    ///   - music: where the engine's music is.
    func locate(_ offset: @escaping () -> Int64, music: @escaping () -> MusicalClock?) {
        clock.set(offset)
        beats.find = music
    }

    /// Control side; asks the engine.
    func locateClock() { beats.offset.store(clock.offset, ordering: .relaxed) }

    /// Lets the unit ask where the engine's music is, unless its owner has given it other blocks. Before allocation,
    /// under no lock.
    func lendBeats(to unit: AUAudioUnit) {
        locateClock()
        beats.lend(to: unit)
    }

    func setSources(_ processors: [MIDIProcessor]) { sources.change { $0 = processors } }

    /// Render side: the events of a block, into the unit's queue.
    func deliver(from start: Int64, frames: Int, rate: Double, _ time: AudioTimeStamp) {
        beats.begin(at: start, rate: rate)
        sources.read { processors in
            for index in 0..<processors.count { processors[index].run(from: start, frames: frames, rate: rate, time) }
        }
        feed.deliver(from: start, frames: frames, rate: rate) { [events] frame, event in
            switch event {
            case .bytes(let bytes): events.send(midi: bytes, at: frame)
            case .parameter(let parameter): events.send(AURenderEvent(parameter, at: frame))
            case .object: true
            }
        }
    }

    /// `@unchecked`: the lock guards the closure, which asks the engine.
    private final class UnitClock: @unchecked Sendable {
        private let lock = NSLock()
        private var place: () -> Int64 = { 0 }

        var offset: Int64 { lock.withLock { place }() }
        func set(_ place: @escaping () -> Int64) { lock.withLock { self.place = place } }
    }
}

extension AURenderEvent {
    /// A value of a track's parameter.
    fileprivate init(_ parameter: PlayedEvent.Parameter, at frame: Int64) {
        let address = AUParameterAddress(
            parameterID: parameter.id, scope: parameter.scope, element: parameter.element)
        self.init(
            parameter: AUParameterEvent(
                next: nil, eventSampleTime: frame, eventType: parameter.frames > 0 ? .parameterRamp : .parameter,
                reserved: (0, 0, 0), rampDurationSampleFrames: AUAudioFrameCount(clamping: parameter.frames),
                parameterAddress: address ?? AUParameterAddress(parameter.id), value: parameter.value))
    }
}
