import OssicleCore
import OssicleDSP

/// The end of an environment: everything that was heard, at the output's volume. Port: direct sounds and reverb, summed → out.
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
    private var isTorn = false

    package init(_ parameters: Parameters = Parameters()) {
        cell = LatestValueCell(parameters)
        gain = GainRamp(parameters.volume)
    }

    deinit { cell.deallocate() }

    package mutating func reset() { isTorn = false }

    package mutating func render(_ ports: Ports, _ context: RenderContext) {
        if context.isControlPoint, let new = cell.takeIfNew(), new.volume != gain.target {
            gain.setTarget(new.volume, frames: isTorn ? GlidingMatrix.glide : 0)
        }
        let before = gain
        isTorn = false
        for channel in 0..<ports.outputCount {
            gain = before
            gain.process(from: ports.input(channel), to: ports.output(channel), context.frames)
            if ports.input(channel)[context.frames - 1] != 0 { isTorn = true }
        }
        if ports.isInputSilent(0) { ports.markSilent(0) }
    }
}
