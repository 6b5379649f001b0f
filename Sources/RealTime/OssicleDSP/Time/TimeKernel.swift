/// What every kernel offers that takes in another number of frames than it gives out: rate conversion, varispeed, time and pitch.
///
/// It is asked, not fed: `framesNeeded` tells how many input frames have to be given before so many output frames can be taken. Output
/// frame 0 lies on input frame 0; what a kernel has to know of the future it asks for ahead of time, so it adds no delay. Memory is
/// allocated in `init` only, and the cut into calls does not change a byte.
package protocol TimeKernel: ~Copyable {
    associatedtype Parameters: BitwiseCopyable

    /// - Parameter longestTake: the most frames that will ever be taken at once.
    init(sampleRate: Double, channelCount: Int, longestTake: Int, parameters: Parameters)

    /// Takes up new parameters, on the audio thread at a control point.
    mutating func set(_ parameters: Parameters)

    /// Input frames still missing before `frames` frames can be taken; 0 if they can be taken now. `frames` is at most `longestTake`.
    func framesNeeded(_ frames: Int) -> Int

    /// Hands in the next input frames, one buffer per channel, from `offset` on. At most `framesNeeded` of the coming take.
    mutating func give(_ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, frames: Int)

    /// Takes the next output frames; those that lack input are silent.
    mutating func take(to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int)

    /// Forgets everything it has heard; its parameters stay.
    mutating func reset()

    /// Seconds until the output has fallen silent after the input did.
    static func tailTime(_ parameters: Parameters, sampleRate: Double) -> Double
}
