extension PHASEExplanation {
    /// Why something is not heard.
    public enum Cause: Sendable, Equatable {
        case engineStopped
        case enginePaused
        /// `start()` was not called.
        case notStarted
        /// It was started, and begins with the next update.
        case waitingForUpdate
        /// It was started for a time that has not come yet; in seconds from now.
        case waitingForStartTime(seconds: Double)
        /// It is not the first of its sequence, and others play before it.
        case waitingForTurn
        case eventPaused
        case ended(PHASESoundEvent.StartHandlerReason)
        /// The tree let no leaf sound: a switch without a fitting child, or a random node without children.
        case nothingChosen
        /// Metres.
        case culled(distance: Double, cullDistance: Double)
        case groupMuted(group: String)
        case silencedBySolo(group: String, of: [String])
        case groupPreset(group: String)
        case ducked(group: String, by: String)
        /// `input` is what the blend goes by.
        case blend(node: String, input: Double)
        /// The factor of that name is 0, or next to it.
        case gain(of: String)
        /// No way of the mixer's pipeline is open.
        case sends(mixer: String)
        /// They take more than 30 dB in every octave band, and there is no reverb to be heard instead.
        case behind(occluders: [String])
        case sourceNotInScene(String)
        case listenerNotInScene(String)
        case listenerGain(String)
        case voiceLimit(maximum: Int)
        /// A push stream that has nothing to play.
        case noFrames(node: String)
        /// No factor alone, but all together; dB.
        case tooQuiet(decibels: Double)
    }
}

extension PHASEExplanation.Cause: CustomStringConvertible {
    public var description: String {
        switch self {
        case .engineStopped: "the engine is stopped; call start()"
        case .enginePaused: "the engine is paused; call start()"
        case .notStarted: "it was not started; call start()"
        case .waitingForUpdate: "it begins with the next update"
        case .waitingForStartTime(let seconds): "its start time comes in \(seconds.words(3)) s"
        case .waitingForTurn: "others of its sequence play before it"
        case .eventPaused: "it is paused; call resume()"
        case .ended(.finishedPlaying): "it has played to its end"
        case .ended(.terminated): "it was stopped or culled"
        case .ended(.failure): "it could not play; see the engine's recordedErrors"
        case .nothingChosen: "its tree chose nothing: a switch without a fitting child, or a random node without children"
        case .culled(let distance, let limit): "it is \(distance.words(2)) m away, and culled from \(limit.words(2)) m on"
        case .groupMuted(let group): "group “\(group)” is muted"
        case .silencedBySolo(let group, let soloed): "group “\(group)” is silenced by the solo of \(soloed.quotedList)"
        case .groupPreset(let group): "the group preset turns group “\(group)” off"
        case .ducked(let group, let ducker): "\(ducker) turns group “\(group)” off"
        case .blend(let node, let input): "blend “\(node)” lets it not be heard at \(input.words(3))"
        case .gain(let factor): "the gain of \(factor) is 0, or next to it"
        case .sends(let mixer): "mixer “\(mixer)” sends it nowhere"
        case .behind(let occluders): "it is behind \(occluders.quotedList)"
        case .sourceNotInScene(let name): "its source “\(name)” is not in the scene; add it below rootObject"
        case .listenerNotInScene(let name): "its listener “\(name)” is not in the scene; add it below rootObject"
        case .listenerGain(let name): "the gain of its listener “\(name)” is 0, or next to it"
        case .voiceLimit(let maximum): "the engine's maximumVoiceCount is \(maximum), and others come first"
        case .noFrames(let node): "stream “\(node)” has nothing to play; schedule a buffer"
        case .tooQuiet(let decibels): "all factors together make \(decibels.words(1)) dB"
        }
    }
}
