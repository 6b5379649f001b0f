import OssicleCore
import OssicleDSP

/// Runs an effect kernel on one port of as many channels in as out, or passes the sound by it untouched.
///
/// New parameters are glided to once sound has come in, and taken at once before that.
package struct EffectRenderer<Kernel: EffectKernel & ~Copyable>: ControlledRenderer, ~Copyable {
    package struct Parameters: BitwiseCopyable {
        package var kernel: Kernel.Parameters
        package var bypass: Bool

        package init(_ kernel: Kernel.Parameters, bypass: Bool) { (self.kernel, self.bypass) = (kernel, bypass) }
    }

    package var control: LatestValueCell<Parameters> { owned.cell }
    private let owned: OwnedCell<Parameters>
    private var kernel: Kernel
    private var bypass: Bool
    private var hasReceived = false

    package init(sampleRate: Double, channelCount: Int, parameters: Parameters) {
        self.init(Kernel(sampleRate: sampleRate, channelCount: channelCount, parameters: parameters.kernel), parameters)
    }

    /// With a kernel that needs more than parameters to be made.
    package init(_ kernel: consuming Kernel, _ parameters: Parameters) {
        owned = OwnedCell(parameters)
        bypass = parameters.bypass
        self.kernel = kernel
    }

    mutating func render(_ ports: Ports, _ context: RenderContext) {
        if context.isControlPoint, let new = owned.cell.takeIfNew() { take(new) }
        let (frames, isSilent) = (context.frames, ports.isInputSilent(0))
        if bypass {
            for channel in 0..<ports.outputCount {
                ports.output(channel).update(from: ports.input(channel), count: frames)
            }
            if isSilent { ports.markSilent(0) }
            return
        }
        kernel.process(from: ports.inputs, to: ports.outputs, frames: frames)
        if !isSilent { hasReceived = true }
        if isSilent, Mixing.isZero(ports.outputs, ports.outputCount, frames) { ports.markSilent(0) }
    }

    private mutating func take(_ new: Parameters) {
        kernel.take(new.kernel, atOnce: !hasReceived || bypass)
        // After a bypass the effect starts without what it held before.
        if bypass && !new.bypass { reset() }
        bypass = new.bypass
    }

    mutating func reset() {
        kernel.reset()
        hasReceived = false
    }
}
