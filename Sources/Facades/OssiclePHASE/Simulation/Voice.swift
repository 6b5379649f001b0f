import OssicleRender
import OssicleSoundEvents

/// One leaf of a sound event that is playing: its player and what became of it.
final class Voice {
    enum State {
        case playing
        /// Culled, but to come back when it can be heard again.
        case asleep
        case finished
        case terminated
    }

    let leaf: SamplerLeaf
    /// Index of the leaf's node, and of its activation in the event.
    let node: Int
    let activation: Int
    let sound: RegisteredSound
    let player: RendererBox<PlayerRenderer>
    var feeder: StreamFeeder?
    var state = State.playing
    /// How often it was woken: keys the random offset.
    var wakings: UInt64 = 0

    init(leaf: SamplerLeaf, node: Int, activation: Int, sound: RegisteredSound, player: RendererBox<PlayerRenderer>, feeder: StreamFeeder?) {
        (self.leaf, self.node, self.activation) = (leaf, node, activation)
        (self.sound, self.player, self.feeder) = (sound, player, feeder)
    }

    var isPlaying: Bool {
        if case .playing = state { true } else { false }
    }

    /// Whether its place in the sound moves on while it sleeps.
    var sleepsInRealTime: Bool { leaf.cull == .sleepWakeAtRealtimeOffset }

    var isOver: Bool {
        switch state {
        case .playing, .asleep: false
        case .finished, .terminated: true
        }
    }

    /// Engine time at which a one-shot's last frame was played, if it was.
    var finishedAt: Int64? {
        let time = player.pointer.pointee.status.pointee.finishedAt.load()
        return time >= 0 ? time : nil
    }
}
