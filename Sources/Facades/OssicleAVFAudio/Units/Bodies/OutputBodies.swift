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

/// An output to a device, and an input from one. Sound goes there by itself once the hardware is started; what has come
/// in is fetched on bus 1.
final class DeviceBody: UnitBody {
    let hardware: UnitHardware
    let inputs: [AVAudioFormat]
    let outputs: [AVAudioFormat]

    /// At the default device; a machine without one plays to a silent clock.
    convenience init(hasInput: Bool, processesVoice: Bool = false) throws {
        do {
            self.init(UnitHardware(try DefaultDevice.open(fallback: .silence), input: hasInput, voice: processesVoice))
        } catch {
            throw AUFault.device(error)
        }
    }

    init(_ hardware: UnitHardware) {
        self.hardware = hardware
        let output = hardware.output
        inputs = [output] + (hardware.input.map { [$0] } ?? [])
        // Without a microphone the client may choose the format of the one that comes.
        outputs = [output] + (hardware.input.map { [$0.channelCount > 0 ? $0 : output] } ?? [])
    }

    /// Bus 0 leads to a device, bus 1 comes from one: the far side of each has the device's format.
    func makeBusses(_ type: AUAudioUnitBusType) -> [AUAudioUnitBus] {
        (type == .input ? inputs : outputs).enumerated().compactMap { number, format in
            let isDevices = (type == .output) == (number == 0)
            if isDevices { return DeviceBus(format) }
            return try? AUAudioUnitBus(format: format)
        }
    }

    func allocate(_ shape: UnitShape) { hardware.prepare(shape) }
    func deallocate() { hardware.stop() }
    func makeRenderBlock() -> AUInternalRenderBlock { hardware.makeRenderBlock() }
    func latency(sampleRate: Double) -> TimeInterval { hardware.latency }
}

/// The device's side of a bus.
private final class DeviceBus: AUAudioUnitBus {
    private let device: AVAudioFormat

    init(_ format: AVAudioFormat) {
        device = format
        super.init(missing: AUFault.formatOfDevice)
    }

    override var format: AVAudioFormat { device }

    override func setFormat(_ format: AVAudioFormat) throws {
        if !format.isEqual(device) { try super.setFormat(format) }
    }
}

extension RateExit {
    /// `nil` where the rates agree.
    static func exit(from input: AVAudioFormat, to output: AVAudioFormat) -> (ExitReference, AnyObject)? {
        if input.sampleRate == output.sampleRate { return nil }
        return make(from: input.sampleRate, to: output.sampleRate, channels: Int(input.channelCount), speed: 1)
    }
}
