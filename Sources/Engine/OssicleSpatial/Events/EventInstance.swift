import OssiclePlayback
import OssicleRender
import OssicleSoundEvents

/// Why an event ended.
package enum EventEnd: Int, Sendable { case failure, finished, terminated }

/// What became of a seek.
package enum SeekResult: Int, Sendable { case failure, alreadyInProgress, successful }

/// One sound event that a client has made. All of it under the engine's lock, which is why what every update looks at
/// needs no check against overlapping accesses.
package final class EventInstance: @unchecked Sendable {
    /// `ending`: stopped by the client, to be carried out by the next update.
    package enum Stage { case made, waiting, playing, ending, ended }

    // What every pass over the events reads comes first.
    @exclusivity(unchecked) package internal(set) var stage = Stage.made
    /// Engine time from which on nothing of the event can be heard any more.
    @exclusivity(unchecked) package internal(set) var silentFrom: Int64?
    /// What an update needs of it while it is passed over.
    @exclusivity(unchecked) var idle: IdleEvent?
    package let parts: EventParts
    /// Whose event it is, while it plays.
    package internal(set) var client: EventClient?
    /// What the client wants of its time, and what the voices know of that.
    @exclusivity(unchecked) package var transport = EventTransport()
    package private(set) var chosen = ChosenLeaves()
    @exclusivity(unchecked) package private(set) var voices: [Voice] = []
    private(set) var voicesByNode: [Int: Voice] = [:]
    /// How far the sequences that have begun have come, by node.
    @exclusivity(unchecked) var sequences: [Int: SequenceProgress] = [:]
    /// nil until it has ended.
    package internal(set) var endReason: EventEnd?
    /// A leaf could not play.
    package internal(set) var hasFailed = false
    /// One per mixer that a voice plays into, by mixer index.
    @exclusivity(unchecked) package internal(set) var channels = MixerChannels()
    /// The meta-parameters as of the last time anything was evaluated.
    @exclusivity(unchecked) private var known = KnownValues()
    /// Blend gains by node, as of the last update.
    var treeGains: [Double] = []

    /// Whether a blend is in its tree.
    let isBlended: Bool

    package init(_ parts: EventParts) {
        self.parts = parts
        isBlended = parts.event.tree.isBlended
    }

    package var tree: EventTree { parts.event.tree }

    package var isIndefinite: Bool {
        tree.leaves.contains { tree.sampler($0)?.playback == .looping || tree.stream($0) != nil }
    }

    /// All that was triggered has its command to begin.
    var hasScheduledAll: Bool { sequences.values.allSatisfy { $0.next == nil } }

    func add(_ voice: Voice) {
        voices.append(voice)
        voicesByNode[voice.node] = voice
    }

    /// What the tree has chosen to play.
    func trigger(_ activations: [Activation]) { chosen = ChosenLeaves(activations, in: tree) }

    /// Changes whenever the meta-parameters do.
    var valuesVersion: UInt64 { known.version }

    /// What the meta-parameters stand at, at engine time `seconds`.
    package func values(at seconds: Double) -> ParameterValues {
        evaluate(at: seconds)
        return currentValues
    }

    /// What they stood at when anything was evaluated last.
    var currentValues: ParameterValues { known.values ?? ParameterValues(tree.parameters) }

    /// Reads the meta-parameters anew where they do not hold.
    func evaluate(at seconds: Double) {
        if known.holds(at: seconds, parts.parameters) { return }
        var values = ParameterValues(tree.parameters)
        for (index, parameter) in parts.parameters.enumerated() {
            switch parameter?.value {
            case .number(let number): values.set(index, to: number.value(at: seconds))
            case .text(let text): values.set(index, to: text)
            case nil: break
            }
        }
        known.note(values, at: seconds, parts.parameters)
    }

    /// Values that hold until a client sets another, or, while one fades, for one moment.
    private struct KnownValues {
        /// Changes whenever the values do.
        private(set) var version: UInt64 = 0
        private(set) var values: ParameterValues?
        private var seconds = 0.0
        /// Of the meta-parameters that the values were read from.
        private var source: UInt64 = 0

        mutating func note(_ values: ParameterValues, at seconds: Double, _ parameters: [ParameterState?]) {
            self.values = values
            self.seconds = seconds
            source = Self.version(parameters)
            version &+= 1
        }

        func holds(at seconds: Double, _ parameters: [ParameterState?]) -> Bool {
            guard values != nil else { return false }
            if parameters.isEmpty { return true }
            guard source == Self.version(parameters) else { return false }
            return seconds == self.seconds
                || parameters.allSatisfy { $0?.isSettled(at: min(seconds, self.seconds)) ?? true }
        }

        private static func version(_ parameters: [ParameterState?]) -> UInt64 {
            parameters.reduce(0) { $0 &+ ($1?.version ?? 0) }
        }
    }

    /// Frames of output after its voices have ended: each mixer, and the effects ahead of it.
    func tail(sampleRate: Double) -> Int64 {
        channels.all.map { entry in
            entry.channel.tail + (parts.outlets[entry.mixer]?.inserts.tail(sampleRate: sampleRate) ?? 0)
        }
        .max() ?? 0
    }
}

/// Whose event it is.
package struct EventClient {
    /// The client's object, held while the event plays, so that a client may start an event and forget it.
    package let object: AnyObject
    let hasEnded: (@Sendable (EventEnd) -> Void)?
}

/// What a tree has chosen to play when it was triggered.
package struct ChosenLeaves {
    package private(set) var activations: [Activation] = []
    /// Indices of the activations, by node.
    private(set) var indices: [Int: Int] = [:]
    /// Which nodes have one at or below them.
    private(set) var makesSound: [Bool] = []

    init() {}

    init(_ activations: [Activation], in tree: EventTree) {
        self.activations = activations
        indices = Dictionary(
            activations.enumerated().map { ($1.node, $0) }, uniquingKeysWith: { first, _ in first })
        makesSound = tree.nodesThatSound(activations)
    }
}

/// What an event is made of, once and for all.
package struct EventParts {
    /// Where a mixer's sound comes from and who hears it: numbers of objects.
    package enum Binding {
        case spatial(source: UInt64, listener: UInt64)
        case ambient(listener: UInt64)
        case channel

        /// nil for a channel mixer, which belongs to no listener.
        package var listener: UInt64? {
            switch self {
            case .spatial(_, let listener), .ambient(let listener): listener
            case .channel: nil
            }
        }
    }

    package let number: UInt64
    package let assetIdentifier: String
    package let event: RegisteredEvent
    /// By mixer index.
    package let bindings: [Binding]
    /// Sounds by node, for every sampler of the tree.
    package let sounds: [Int: RegisteredSound]
    /// By index; nil for a mapped one, which follows its input.
    package let parameters: [ParameterState?]
    /// By mixer index; nil for a mixer whose identifier another had before.
    package let outlets: [MixerOutlets?]
    /// Nil for an event without push or pull streams.
    package let streams: EventStreams?

    package init(
        number: UInt64, assetIdentifier: String, event: RegisteredEvent, bindings: [Binding],
        sounds: [Int: RegisteredSound], parameters: [ParameterState?], outlets: [MixerOutlets?],
        streams: EventStreams?
    ) {
        self.number = number
        self.assetIdentifier = assetIdentifier
        self.event = event
        self.bindings = bindings
        self.sounds = sounds
        self.parameters = parameters
        self.outlets = outlets
        self.streams = streams
    }
}

/// How an event's time goes: what the client requested, and what was sent to the voices.
package struct EventTransport {
    /// When it begins, and from where in its sounds, in seconds.
    package var startTime: EngineTime?
    var startPosition = 0.0
    package var isPaused = false
    /// Whether the voices stand still.
    package var isHalted = false
    /// When it continues after a pause; nil is at once.
    package var resumeTime: EngineTime?
    /// The seek that is under way.
    package var seek: Seek?
    /// Engine frame at which the voices were last moved in time: what they published of their ends before no longer
    /// holds.
    var unsettledAt: Int64 = -1

    /// Whether an update has anything to do about it.
    var isCalled: Bool { isPaused || isHalted || resumeTime != nil || seek != nil }

    /// A seek that is under way.
    package struct Seek {
        let seconds: Double
        /// When to continue; nil is as soon as may be.
        let time: EngineTime?
        let handler: (@Sendable (SeekResult) -> Void)?
        /// Engine frame at which the voices continue; nil until an update has sent it.
        var takesEffectAt: Int64?
    }
}

/// The value of one meta-parameter as the simulation works with it. Under the engine's lock.
package final class ParameterState {
    package enum Value {
        case number(NumberFade)
        case text(String)
    }

    package var value: Value { didSet { version &+= 1 } }
    /// Changes with the value.
    private(set) var version: UInt64 = 0

    package init(_ value: Value) { self.value = value }

    /// Whether it stays as it is from then on.
    fileprivate func isSettled(at seconds: Double) -> Bool {
        if case .number(let number) = value { number.isOver(at: seconds) } else { true }
    }
}

/// A moment that a client names.
package enum EngineTime: Sendable {
    /// A sample time at a rate in Hz; at 0 it counts the engine's own frames.
    case sample(Int64, rate: Double)
    /// Nanoseconds of the host's clock, of the frame that the device takes then.
    case host(UInt64)

    /// The engine frame that this means, `next` at the earliest.
    /// - Parameters:
    ///   - next: the frame that is rendered next.
    ///   - rate: of the engine, Hz.
    ///   - clock: of the engine; in manual rendering host time 0 is frame 0.
    func frame(after next: Int64, rate: Double, clock: RenderClock) -> Int64 {
        switch self {
        case .sample(let frame, let other):
            let isOurs = other == rate || other == 0
            return max(next, isOurs ? frame : Int64(nearest: Double(frame) / other * rate))
        case .host(let time): return max(next, clock.frame(at: time, rate))
        }
    }

    /// Whether the frame is known: not before a device that was started has stated its time.
    func isDefinite(_ clock: RenderClock) -> Bool {
        if case .host = self { !clock.isPresumed } else { true }
    }
}

extension Int64 {
    /// The nearest whole number, within what fits; 0 for NaN.
    package init(nearest number: Double) {
        let rounded = number.rounded()
        self = Int64(exactly: rounded) ?? (rounded > 0 ? .max : rounded < 0 ? .min : 0)
    }
}
