import OssicleCore
import OssicleRender

/// Which spatial mixers have an HRTF of their own, where more are heard than `fullVoiceLimit`.
///
/// First those that voices of higher priority play into, then the louder at the listener, then the newer. Who has an
/// HRTF of its own counts for 6 dB more than it has, so that two of nearly one level do not change places all the time.
/// The others play into the ambisonic bus. Where loudspeakers play, and up to the limit, all are full.
extension LevelWriter {
    /// Decides.
    /// - Returns: whether the plan has to change, because it has no bus for them.
    func chooseTiers(_ output: OutputStage) -> Bool {
        tierContenders.removeAll(keepingCapacity: true)
        guard output.hrtf != nil, hasTiers || player.voiceCount > fullVoiceLimit else { return false }
        player.events.forEachUncounted { event in
            guard event.idle == nil, event.stage == .playing || event.silentFrom != nil else { return }
            event.channels.forEachUncounted { mixer, channel in
                guard channel.spatialCell != nil else { return }
                tierContenders.append(TierContender(channel, mixer, of: event))
            }
        }
        let limit = fullVoiceLimit
        let isCrowded = tierContenders.count > limit
        if isCrowded { tierContenders.moveForward(highest: limit) }
        for place in tierContenders.indices {
            let tier = isCrowded && place >= limit ? VoiceTier.bus : .full
            tierContenders[place].channel._withUnsafeGuaranteedRef { $0.set(tier) }
        }
        defer { hasTiers = isCrowded }
        return isCrowded && !hasTiers
    }
}

extension MixerChannel {
    fileprivate func set(_ new: VoiceTier) {
        guard new != tier, let spatialCell else { return }
        tier = new
        spatial.lastSent.tier = new
        spatial.send(to: spatialCell)
    }
}

/// A spatial mixer's channel, by what decides whether it has an HRTF of its own.
struct TierContender: Ranked {
    /// Its event keeps it.
    let channel: Unmanaged<MixerChannel>
    private let priority: Int
    /// The amplitude at the listener.
    private let level: Double
    /// Of the event, and of the mixer in it.
    private let number: UInt64
    private let mixer: Int

    /// One that is full counts as 6 dB louder.
    private static let bonus = 1.995_262_314_968_879_5
    /// What is softer, -200 dB, is all alike.
    private static let softest = 1e-10

    init(_ channel: MixerChannel, _ mixer: Int, of event: EventInstance) {
        self.channel = .passUnretained(channel)
        var (priority, gain) = (Int.min, 0.0)
        event.voices.forEachUncounted { voice in
            guard voice.generator.mixer == mixer, !voice.isOver, !voice.priority.isVirtual else { return }
            priority = max(priority, voice.generator.priority)
            gain = max(gain, voice.gain)
        }
        self.priority = priority
        let heard = gain * channel.estimatedGain
        level = (heard > Self.softest ? heard : Self.softest) * (channel.tier == .full ? Self.bonus : 1)
        number = event.parts.number
        self.mixer = mixer
    }

    func outranks(_ other: TierContender) -> Bool {
        if priority != other.priority { return priority > other.priority }
        if level != other.level { return level > other.level }
        return number != other.number ? number > other.number : mixer < other.mixer
    }
}
