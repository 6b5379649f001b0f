import OssicleCore
import OssicleDSP

/// The voices of one kind of head in a strip, and how loud every channel is in each.
///
/// A voice that nothing is fed to rings out and then rests; whatever place it is given next, it takes at once.
struct EarStage: ~Copyable {
    private let voices: UnsafeMutablePointer<EarVoice>
    /// Frames since each voice was fed last.
    private let unfed: UnsafeMutablePointer<Int>
    private let count: Int
    private let tail: Int
    private var feed: GlidingMatrix
    private let scratch = SampleMemory(count: Grid.quantum)

    init(_ ears: Ears, channels: Int) {
        count = channels
        tail = EarVoice.tail(ears)
        feed = GlidingMatrix(inputs: channels, outputs: channels)
        voices = .allocate(capacity: max(channels, 1))
        unfed = .allocate(capacity: max(channels, 1))
        unfed.initialize(repeating: tail, count: max(channels, 1))
        for voice in 0..<channels { (voices + voice).initialize(to: EarVoice(ears)) }
    }

    deinit {
        voices.deinitialize(count: count).deallocate()
        unfed.deallocate()
    }

    /// Silence, unless `feed(_:to:gain:)` says otherwise. At once, the voices forget what they have heard.
    mutating func retarget(atOnce: Bool) {
        feed.retarget(atOnce: atOnce)
        for voice in 0..<count where atOnce || unfed[voice] >= tail { retire(voice) }
    }

    private func retire(_ voice: Int) {
        voices[voice].reset()
        unfed[voice] = tail
    }

    func feed(_ channel: Int, to voice: Int, gain: Float) { feed[voice, channel] = gain }

    func place(_ voice: Int, _ place: Ears.Place) { voices[voice].turn(to: place) }

    /// Adds to both ears. At most one quantum.
    /// - Returns: whether there was anything to add.
    mutating func process(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, addingToLeft left: UnsafeMutablePointer<Float>,
                          right: UnsafeMutablePointer<Float>, _ frames: Int) -> Bool {
        var sounds = false
        for voice in 0..<count {
            let zeros = feed.mix(channels, output: voice, to: scratch.pointer, frames)
            let isResting = zeros == frames && unfed[voice] >= tail
            unfed[voice] = zeros == frames ? min(unfed[voice] + frames, tail) : zeros
            if isResting { continue }
            voices[voice].process(scratch.pointer, addingToLeft: left, right: right, frames)
            sounds = true
        }
        feed.advance(frames)
        return sounds
    }
}
