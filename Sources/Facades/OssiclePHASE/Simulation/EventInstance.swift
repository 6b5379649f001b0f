import OssicleAVFAudio
import OssicleRender
import OssicleSoundEvents

/// The engine's side of one sound event. All of it under the engine's lock.
final class EventInstance: @unchecked Sendable {
    /// Where a mixer's sound comes from and who hears it.
    enum Binding {
        case spatial(PHASESource, PHASEListener)
        case ambient(PHASEListener)
        case channel
    }

    /// `ending`: stopped by the client, to be carried out by the next update.
    enum Stage { case made, waiting, playing, ending, ended }

    let number: UInt64
    let assetIdentifier: String
    let event: RegisteredEvent
    let bindings: [Binding]
    /// Sounds by node, for every leaf of the tree.
    let sounds: [Int: RegisteredSound]
    let parameters: [PHASEMetaParameter?]
    let metaParameters: [String: PHASEMetaParameter]
    let mixers: [String: PHASEMixer]
    /// Nil for an event without push or pull streams.
    var streams: EventStreams?

    /// Held while playing, so that a client may start an event and forget it.
    var keptFacade: PHASESoundEvent?
    weak var facade: PHASESoundEvent?
    var stage = Stage.made
    /// When it begins, and from where in its sounds, in seconds.
    var startTime: AVAudioTime?
    var startPlace = 0.0
    /// What the client wants, and what the voices have been told.
    var isPaused = false
    var isHalted = false
    /// When it goes on after a pause; nil is at once.
    var resumeTime: AVAudioTime?
    /// The seek that is under way.
    var seek: Seek?
    var prepareState = PHASESoundEvent.PrepareState.prepareNotStarted
    var startHandler: (@Sendable (PHASESoundEvent.StartHandlerReason) -> Void)?
    var activations: [Activation] = []
    /// Indices of the activations, by node, and which nodes have one at or below them.
    var activationIndices: [Int: Int] = [:]
    var makesSound: [Bool] = []
    var voices: [Voice] = []
    var voicesByNode: [Int: Voice] = [:]
    /// How far the sequences that have begun have come, by node.
    var turns: [Int: SequenceTurns] = [:]
    /// Engine frame at which the voices were last told to move in time: what they said of their ends before no longer holds.
    var unsettledAt: Int64 = -1
    /// nil until it has ended.
    var endReason: PHASESoundEvent.StartHandlerReason?
    /// A leaf could not play.
    var hasFailed = false
    /// One per mixer that a voice plays into, by mixer index.
    var strips: [Int: MixerStrip] = [:]
    /// Engine time from which on nothing of the event can be heard any more.
    var silentFrom: Int64?

    init(number: UInt64, assetIdentifier: String, event: RegisteredEvent, bindings: [Binding], sounds: [Int: RegisteredSound],
         parameters: [PHASEMetaParameter?], mixers: [String: PHASEMixer]) {
        (self.number, self.assetIdentifier, self.event, self.bindings, self.sounds) = (number, assetIdentifier, event, bindings, sounds)
        self.parameters = parameters
        self.mixers = mixers
        metaParameters = Dictionary(parameters.compactMap { $0 }.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
    }

    var tree: EventTree { event.tree }

    var isIndefinite: Bool { tree.leaves.contains { tree.sampler($0)?.playback == .looping || tree.stream($0) != nil } }

    /// Everything that was triggered has been told to begin.
    var hasTakenAllTurns: Bool { turns.values.allSatisfy { $0.next == nil } }

    var renderingState: PHASESoundEvent.RenderingState {
        switch stage {
        case .made, .ending, .ended: .stopped
        case .waiting, .playing: isPaused ? .paused : .started
        }
    }

    /// What the tree has chosen to play.
    func trigger(_ chosen: [Activation]) {
        activations = chosen
        activationIndices = Dictionary(chosen.enumerated().map { ($1.node, $0) }, uniquingKeysWith: { first, _ in first })
        makesSound = tree.nodesThatSound(chosen)
    }

    /// What the meta-parameters stand at, at engine time `seconds`.
    func values(at seconds: Double) -> ParameterValues {
        var values = ParameterValues(tree.parameters)
        for (index, parameter) in parameters.enumerated() {
            switch parameter {
            case let number as PHASENumberMetaParameter: values.set(index, to: number.value(at: seconds))
            case let text as PHASEStringMetaParameter: values.set(index, to: text.text)
            default: break
            }
        }
        return values
    }
}
