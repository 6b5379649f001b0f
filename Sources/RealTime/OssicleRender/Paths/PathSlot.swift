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
        if target.way.generation == generation {
            keep(target, rampFrames: rampFrames, fadeFrames: fadeFrames)
            return true
        }
        guard leaving.isSilent else { return false }
        present.fade(to: 0, frames: fadeFrames)
        swap(&present, &leaving)
        begin(target, frames: fadeFrames)
        return true
    }

    /// The target alone, as if it had always been there: for a slot that nobody hears.
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
        generation = target.way.generation
        if !target.isSilent { present.begin(target, frames: frames) }
    }

    /// The path of before. What nobody heard has no way to glide.
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
