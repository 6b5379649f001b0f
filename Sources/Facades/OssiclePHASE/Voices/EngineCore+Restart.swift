import OssicleRender

/// Voices that go on from another place of their sound.
extension EngineCore {
    /// Has a voice's frames ready from source frame `frame` on. A streamed sound gets a new window that begins there, and its player is told of it
    /// (`.replace`); a resident one needs nothing. The command that moves the player is the caller's, right behind.
    ///
    /// - Parameters:
    ///   - frame: for a loop, modulo its length.
    ///   - time: engine time at which the player leaves its old place; until then, and for the fade there, the old window is kept and filled.
    func restart(_ voice: Voice, at frame: Int64, leavingAt time: Int64 = 0) {
        guard let old = voice.feeder, case .sound(let leaf, let sound) = voice.content else { return }
        let loops = leaf.playback == .looping
        let start = loops && sound.frameCount > 0 ? max(frame, 0) % sound.frameCount : max(frame, 0)
        guard let feeder = StreamFeeder(sound, leaf.asset, loops: loops, from: start) else { return }
        old.leavesAt = max(time, executor.position) + Int64(StreamFeeder.framesToFade)
        feeder.seen.starvedFrames = old.seen.starvedFrames
        feeder.seen.hasToldOfStarving = old.seen.hasToldOfStarving
        readers.add(feeder)
        voice.feeder = feeder
        send(.replace(feeder.source), to: voice)
    }

    /// Lets go of the windows that no player reads any more.
    func dropLeftStreams() {
        let left = readers.all.filter { stream in stream.leavesAt.map { $0 < executor.position } ?? false }
        guard !left.isEmpty else { return }
        readers.remove(left)
        for stream in left { executor.release(stream) }
    }
}
