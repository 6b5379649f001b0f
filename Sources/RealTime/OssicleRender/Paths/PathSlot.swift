import OssicleCore

/// Two voices that take turns: when another path takes the place of the present one, they fade into each other.
///
/// A path that comes while two still sound waits until the older has died away; the newest wins.
struct PathSlot<Voice: PathVoice & ~Copyable>: ~Copyable {
    private var present: Voice
    private var leaving: Voice
    private var generation: UInt32 = 0

    init(_ present: consuming Voice, _ leaving: consuming Voice) {
        self.present = present
        self.leaving = leaving
    }

    /// - Returns: false if the target has to wait.
    mutating func take(_ target: Voice.Target, rampFrames: Int, fadeFrames: Int) -> Bool {
        if target.propagation.generation == generation {
            keep(target, rampFrames: rampFrames, fadeFrames: fadeFrames)
            return true
        }
        guard leaving.isSilent else { return false }
        present.fade(to: 0, frames: fadeFrames)
        swap(&present, &leaving)
        begin(target, frames: fadeFrames)
        return true
    }

    /// The target alone, as if it had always been there: for an inaudible slot.
    mutating func settle(_ target: Voice.Target) {
        present.silence()
        leaving.silence()
        begin(target, frames: 0)
    }

    /// Lets each of the two that sounds do so.
    @inline(__always)
    mutating func sound(_ body: (inout Voice) -> Void) {
        if !present.isSilent { body(&present) }
        if !leaving.isSilent { body(&leaving) }
    }

    private mutating func begin(_ target: Voice.Target, frames: Int) {
        generation = target.propagation.generation
        if !target.isSilent { present.begin(target, frames: frames) }
    }

    /// The path of before. What was inaudible does not glide.
    private mutating func keep(_ target: Voice.Target, rampFrames: Int, fadeFrames: Int) {
        if target.isSilent {
            present.fade(to: 0, frames: fadeFrames)
        } else if present.isSilent {
            present.begin(target, frames: fadeFrames)
        } else {
            present.move(target, frames: rampFrames)
            present.fade(to: 1, frames: fadeFrames)
        }
    }
}

/// One path's sound, from the common delay line to the outputs. Audio thread.
protocol PathVoice: ~Copyable {
    associatedtype Target: PathTarget

    /// It has decayed: it costs nothing, and may become another path's.
    var isSilent: Bool { get }

    /// Another path, which fades in over `frames` frames (0: is there at once). Only of a silent one.
    mutating func begin(_ target: Target, frames: Int)
    /// The same path elsewhere, which it glides to.
    mutating func move(_ target: Target, frames: Int)
    /// Towards silence (0) or back (1).
    mutating func fade(to weight: Float, frames: Int)
    /// As if it had never sounded.
    mutating func silence()
}

/// What a slot of the parameters says.
protocol PathTarget: BitwiseCopyable {
    var propagation: PathsRenderer.Propagation { get }
    var isSilent: Bool { get }
}

extension PathsRenderer.DirectLike: PathTarget {
    var isSilent: Bool { gain == 0 }
}

extension PathsRenderer.Diffuse: PathTarget {
    var isSilent: Bool { gains == .zero }
}
