import OssicleCore
import OssicleDSP

/// Gains from every input to every output that move together, in straight lines over `glide` frames.
///
/// A gain at rest is one multiplication, and 1 copies. New targets: `retarget`, then write those that are not 0.
struct GlidingMatrix: ~Copyable {
    static let glide = 512

    private let inputCount: Int
    private let count: Int
    /// Where the glide began, then where it ends.
    private let gains: SampleMemory
    private var frame = glide

    init(inputs: Int, outputs: Int) {
        (inputCount, count) = (inputs, inputs * outputs)
        gains = SampleMemory(count: 2 * inputs * outputs)
    }

    /// Starts a glide from the present gains towards zero, or towards what is written next; `atOnce` leaves nothing to
    /// glide.
    mutating func retarget(atOnce: Bool) {
        for index in 0..<count {
            gains[index] = gain(index, at: frame)
            gains[count + index] = 0
        }
        frame = atOnce ? Self.glide : 0
    }

    /// The target of one gain.
    subscript(output: Int, input: Int) -> Float {
        get { gains[count + output * inputCount + input] }
        nonmutating set { gains[count + output * inputCount + input] = newValue.isFinite ? newValue : 0 }
    }

    /// Writes one output. Call for all outputs, then `advance`.
    /// - Returns: frames at the end of the block that are zeros because no gain is left, whatever the inputs are.
    func mix(
        _ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, output: Int, to target: UnsafeMutablePointer<Float>,
        _ frames: Int
    ) -> Int {
        let moving = min(Self.glide - frame, frames)
        var (isEmpty, rests) = (true, true)
        for input in 0..<inputCount {
            let index = output * inputCount + input
            let end = gains[count + index]
            if end == 0 && (moving == 0 || gains[index] == 0) { continue }
            add(inputs[input], to: target, index, moving: moving, frames, isFirst: isEmpty)
            isEmpty = false
            if end != 0 { rests = false }
        }
        if isEmpty { Mixing.clear(target, frames) }
        return isEmpty ? frames : (rests ? frames - moving : 0)
    }

    mutating func advance(_ frames: Int) { frame = min(frame + frames, Self.glide) }

    /// The first one is written, not added to silence: −0 stays −0.
    @inline(__always)
    private func add(
        _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, _ index: Int, moving: Int, _ frames: Int,
        isFirst: Bool
    ) {
        let end = gains[count + index]
        if isFirst {
            for i in 0..<moving { output[i] = input[i] * gain(index, at: frame + i) }
            if end == 1 {
                (output + moving).update(from: input + moving, count: frames - moving)
            } else {
                for i in moving..<frames { output[i] = input[i] * end }
            }
        } else {
            for i in 0..<moving { output[i] += input[i] * gain(index, at: frame + i) }
            for i in moving..<frames { output[i] += input[i] * end }
        }
    }

    @inline(__always)
    private func gain(_ index: Int, at frame: Int) -> Float {
        let (from, to) = (gains[index], gains[count + index])
        return frame < Self.glide
            ? from + (to - from) * (Float(Int32(truncatingIfNeeded: frame)) * (1 / Float(Self.glide))) : to
    }
}

/// The end of an environment: all its sound at the output's volume. Port: direct sounds and reverb, summed
/// → out.
///
/// A new volume is glided to while there is sound, and taken at once when the last frame was zero.
package struct EnvironmentOutputRenderer: ControlledRenderer, ~Copyable {
    package struct Parameters: BitwiseCopyable, Equatable, Sendable {
        /// Amplitude.
        package var volume: Float
        package init(volume: Float = 1) { self.volume = volume }
    }

    package var control: LatestValueCell<Parameters> { cell }
    private let cell: LatestValueCell<Parameters>
    private var gain: GainRamp
    private var endsInSound = false

    package init(_ parameters: Parameters = Parameters()) {
        cell = LatestValueCell(parameters)
        gain = GainRamp(parameters.volume)
    }

    deinit { cell.deallocate() }

    package mutating func reset() { endsInSound = false }

    package mutating func render(_ ports: Ports, _ context: RenderContext) {
        if context.isControlPoint, let new = cell.takeIfNew(), new.volume != gain.target {
            gain.setTarget(new.volume, frames: endsInSound ? GlidingMatrix.glide : 0)
        }
        let before = gain
        endsInSound = false
        for channel in 0..<ports.outputCount {
            gain = before
            gain.process(from: ports.input(channel), to: ports.output(channel), context.frames)
            if ports.input(channel)[context.frames - 1] != 0 { endsInSound = true }
        }
        if ports.isInputSilent(0) { ports.markSilent(0) }
    }
}
