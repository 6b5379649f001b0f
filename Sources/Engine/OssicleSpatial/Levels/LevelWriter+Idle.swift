import OssicleRender

/// An event whose one voice is virtual, in a mixer without a renderer: what an update needs of it. It is passed over in
/// all updates but every fourth, which is its path's turn (`PathPairs.longestWait`): its level and rank are those of
/// then.
///
///     virtual, and its player knows ─▶ idle ─▶ its turn, or a client's call ─▶ looked at as all others, idle again
///                                       └─▶ comes before others ─▶ path and level are found anew ─▶ heard, one update later
struct IdleEvent {
    fileprivate let contender: Contender
    /// Of its path, in an arrangement of the paths.
    fileprivate let place: Int
    fileprivate let arrangement: UInt64
    /// No voice of it ends by itself.
    let isEndless: Bool
}

extension LevelWriter {
    /// Lets an idle event compete by its last level.
    /// - Returns: whether nothing else is to be done for it now.
    func passOver(_ event: EventInstance, _ paths: ScenePaths, isLimited: Bool) -> Bool {
        guard let idle = event.idle else { return false }
        guard isLimited, event.stage == .playing, idle.arrangement == paths.arrangement, !paths.isDue(idle.place) else {
            event.idle = nil
            return false
        }
        contenders.append(idle.contender)
        return true
    }

    /// Whether an event is passed over from now on. What is not has the paths it needs received in the next update.
    func settleIdle(_ event: EventInstance, _ paths: ScenePaths) {
        event.idle = idle(event, paths)
        if event.idle != nil { return idleCount += 1 }
        for voice in event.voices where voice.priority.waits { voice.priority.waits = false }
        for entry in event.channels.all {
            if let place = entry.channel.pathPlace(paths) { paths.attend(place) }
        }
    }

    private func idle(_ event: EventInstance, _ paths: ScenePaths) -> IdleEvent? {
        guard event.stage == .playing, event.voices.count == 1, event.channels.all.count == 1, event.sequences.isEmpty,
            event.parts.streams == nil, event.silentFrom == nil, !event.isBlended, !event.transport.isCalled
        else { return nil }
        let (voice, channel) = (event.voices[0], event.channels.all[0].channel)
        guard channel.isVirtual, voice.isPlaying, voice.priority.isVirtual, voice.priority.sentVirtual,
            !voice.priority.waits, voice.begins <= player.executor.position, let place = channel.pathPlace(paths)
        else { return nil }
        return IdleEvent(
            contender: Contender(voice, of: event, isStale: true, isIdle: true), place: place,
            arrangement: paths.arrangement, isEndless: voice.isEndless)
    }
}
