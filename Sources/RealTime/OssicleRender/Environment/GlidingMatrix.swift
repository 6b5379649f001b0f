import OssicleCore
import OssicleDSP

/// Gains from every input to every output that move together, in straight lines over `glide` frames.
///
/// A gain at rest is one multiplication, and 1 copies. New targets: `retarget`, then write those that are not 0.
struct GlidingMatrix: ~Copyable {
    static let glide = 512

    private let inputCount: Int
    private let ramps: OwnedMemory<Ramp<Float>>

    init(inputs: Int, outputs: Int) {
        inputCount = inputs
        ramps = OwnedMemory(count: inputs * outputs, Ramp(0))
    }

    /// Starts a glide from the present gains towards zero, or towards what is written next; `atOnce` leaves nothing to
    /// glide.
    func retarget(atOnce: Bool) {
        for index in 0..<ramps.count { ramps.pointer[index].setTarget(0, frames: atOnce ? 0 : Self.glide) }
    }

    /// The target of one gain.
    subscript(output: Int, input: Int) -> Float {
        get { ramps.pointer[output * inputCount + input].target }
        nonmutating set { ramps.pointer[output * inputCount + input].target = newValue.isFinite ? newValue : 0 }
    }

    /// Writes one output. Call for all outputs, then `advance`.
    /// - Returns: frames at the end of the block that are zeros because no gain is left, whatever the inputs are.
    func mix(
        _ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, output: Int, to target: UnsafeMutablePointer<Float>,
        _ frames: Int
    ) -> Int {
        var (isEmpty, zeros) = (true, frames)
        for input in 0..<inputCount {
            let gain = ramps.pointer[output * inputCount + input]
            let moving = min(gain.framesLeft, frames)
            if gain.target == 0 && (moving == 0 || gain.start == 0) { continue }
            add(inputs[input], to: target, gain, moving: moving, frames, isFirst: isEmpty)
            isEmpty = false
            zeros = gain.target == 0 ? min(zeros, frames - moving) : 0
        }
        if isEmpty { Mixing.clear(target, frames) }
        return zeros
    }

    func advance(_ frames: Int) { for index in 0..<ramps.count { ramps.pointer[index].advance(frames) } }

    /// The first one is written, not added to silence: −0 stays −0.
    @inline(__always)
    private func add(
        _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, _ gain: Ramp<Float>, moving: Int,
        _ frames: Int, isFirst: Bool
    ) {
        let end = gain.target
        if isFirst {
            for i in 0..<moving { output[i] = input[i] * gain[i] }
            if end == 1 {
                (output + moving).update(from: input + moving, count: frames - moving)
            } else {
                for i in moving..<frames { output[i] = input[i] * end }
            }
        } else {
            for i in 0..<moving { output[i] += input[i] * gain[i] }
            for i in moving..<frames { output[i] += input[i] * end }
        }
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
