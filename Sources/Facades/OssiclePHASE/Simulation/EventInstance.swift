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

    /// Held while playing, so that a client may start an event and forget it.
    var keptFacade: PHASESoundEvent?
    weak var facade: PHASESoundEvent?
    var stage = Stage.made
    /// What the client wants, and what the voices have been told.
    var isPaused = false
    var isHalted = false
    var prepareState = PHASESoundEvent.PrepareState.prepareNotStarted
    var startHandler: (@Sendable (PHASESoundEvent.StartHandlerReason) -> Void)?
    var activations: [Activation] = []
    var voices: [Voice] = []
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

    var isIndefinite: Bool { tree.leaves.contains { tree.sampler($0)?.playback == .looping } }

    var renderingState: PHASESoundEvent.RenderingState {
        switch stage {
        case .made, .ending, .ended: .stopped
        case .waiting, .playing: isPaused ? .paused : .started
        }
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
