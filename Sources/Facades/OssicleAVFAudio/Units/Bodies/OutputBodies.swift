import OssicleAudioToolbox
import OssicleCore
import OssicleCoreAudioTypes
import OssicleDevices
import OssicleNodes
import OssicleRender

/// An output without a device: whoever renders it gets the input in the output's format.
final class GenericOutputBody: UnitBody {
    let inputs = [AVAudioFormat.initial]
    let outputs = [AVAudioFormat.initial]
    private var rig: ConverterRig?

    func allocate(_ shape: UnitShape) throws {
        guard let input = shape.inputs.first, let output = shape.outputs.first else { return }
        rig = ConverterRig(
            ConvertedInput(
                from: input, to: output, exit: RateExit.exit(from: input, to: output), capacity: shape.maximumFrames,
                map: shape.channelMap), output, frames: shape.maximumFrames,
            ParameterRamps(ParameterTable([:]), UpdateTurn {}))
    }

    func deallocate() { rig = nil }
    func reset() { rig?.converter.reset() }

    func makeRenderBlock() -> AUInternalRenderBlock {
        guard let rig else { return { _, _, _, _, _, _, _ in kAudioUnitErr_Uninitialized } }
        return { _, time, frames, _, list, events, pull in rig.render(time, Int(frames), list, events, pull) }
    }
}

/// An output to a device. Sound goes there by itself once the hardware is started; there is nothing to render by hand.
final class DeviceOutputBody: UnitBody {
    let hardware: UnitHardware
    let inputs: [AVAudioFormat]
    let outputs: [AVAudioFormat]

    /// At the default device; a machine without one plays to a silent clock.
    convenience init() throws {
        do {
            self.init(UnitHardware(try DefaultDevice.open(fallback: .silence)))
        } catch let error as DeviceError {
            throw AUFault.device(error)
        }
    }

    init(_ hardware: UnitHardware) {
        self.hardware = hardware
        // Bus 0 leads to the device, bus 1 would come from one.
        inputs = [hardware.format]
        outputs = [hardware.format]
    }

    func allocate(_ shape: UnitShape) throws {
        guard let input = shape.inputs.first else { return }
        try hardware.prepare(input, maximumFrames: shape.maximumFrames, map: shape.channelMap)
    }

    func deallocate() { hardware.stop() }
    func makeRenderBlock() -> AUInternalRenderBlock { { _, _, _, _, _, _, _ in kAudioUnitErr_NoConnection } }
    func latency(sampleRate: Double) -> TimeInterval { hardware.latency }
}

extension RateExit {
    /// `nil` where the rates agree.
    static func exit(from input: AVAudioFormat, to output: AVAudioFormat) -> (ExitReference, AnyObject)? {
        if input.sampleRate == output.sampleRate { return nil }
        return make(from: input.sampleRate, to: output.sampleRate, channels: Int(input.channelCount), speed: 1)
    }
}
