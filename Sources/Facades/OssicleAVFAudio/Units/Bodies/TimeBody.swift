import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleNodes
import OssicleRender

/// A time effect by itself: asks its host for as many frames as it needs.
final class TimeBody: UnitBody {
    let tree: AUParameterTree?
    let inputs = [AVAudioFormat.initial]
    let outputs = [AVAudioFormat.initial]
    private let unit: UnitDescription
    private let parameters: AUParameterTree
    private let driver: any ExitDriver
    private let turn: UpdateTurn
    private let bypass: SharedFlag
    private var rig: ConverterRig?

    init(_ unit: UnitDescription, _ tree: AUParameterTree, _ driver: any ExitDriver) {
        nonisolated(unsafe) let driver = driver
        let bypass = SharedFlag(), turn = UpdateTurn { driver.update(bypass: bypass.isOn) }
        (self.unit, parameters, self.tree, self.driver, self.bypass, self.turn) = (
            unit, tree, tree, driver, bypass, turn
        )
        let couple = VarispeedCoupling.Keeper(unit, tree)
        tree.stored.setOwner { address in
            couple?.follow(address)
            turn.run()
        }
    }

    func setBypass(_ isBypassed: Bool) {
        bypass.isOn = isBypassed
        turn.run()
    }

    func allocate(_ shape: UnitShape) throws {
        guard let input = shape.inputs.first, let output = shape.outputs.first, input.sampleRate == output.sampleRate,
            input.channelCount == output.channelCount
        else { throw AUFault.shape(unit.name, shape, "A time effect gives out the rate and the channels it takes in.") }
        let exit = turn.alone {
            driver.makeExit(sampleRate: input.sampleRate, channels: Int(input.channelCount), bypass: bypass.isOn)
        }
        let couples = unit.component.componentSubType == kAudioUnitSubType_Varispeed
        rig = ConverterRig(
            ConvertedInput(from: input, to: output, exit: exit, capacity: shape.maximumFrames), output,
            frames: shape.maximumFrames,
            ParameterRamps(parameters.stored.values, turn) { [values = parameters.stored.values] in
                couples ? VarispeedCoupling.partner(of: $0, in: values) : nil
            })
    }

    func deallocate() { rig = nil }
    func reset() { rig?.converter.reset() }

    func makeRenderBlock() -> AUInternalRenderBlock {
        guard let rig else { return { _, _, _, _, _, _, _ in kAudioUnitErr_Uninitialized } }
        return { _, time, frames, _, list, events, pull in rig.render(time, Int(frames), list, events, pull) }
    }

    func tailTime(sampleRate: Double) -> TimeInterval { driver.tailTime(sampleRate: sampleRate) }
}

/// What a converting unit needs while it is allocated.
final class ConverterRig: @unchecked Sendable {
    let converter: ConvertedInput
    private let output: UnitOutput

    init(_ converter: ConvertedInput, _ format: AVAudioFormat, frames: Int, _ ramps: ParameterRamps) {
        (self.converter, output) = (converter, UnitOutput(format, frames: frames, ramps))
    }

    func render(
        _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int, _ list: UnsafeMutablePointer<AudioBufferList>,
        _ events: UnsafePointer<AURenderEvent>?,
        _ pull: AURenderPullInputBlock?
    ) -> AUAudioUnitStatus {
        guard let pull else { return kAudioUnitErr_NoConnection }
        var status = noErr
        output.render(
            frames, from: RenderCycle.frame(time.pointee), ParameterEvents(events),
            into: UnsafeMutableAudioBufferListPointer(list)
        ) { count, offset, planes in
            let result = converter.render(count, into: planes, offset: offset, hostTime: time.pointee.mHostTime, pull)
            if result != noErr { status = result }
        }
        return status
    }
}

extension VarispeedCoupling {
    /// Keeps the varispeed unit's two parameters one quantity.
    final class Keeper {
        private let tree: AUParameterTree
        private var isAtWork = false

        /// `nil` for units without such a pair.
        init?(_ unit: UnitDescription, _ tree: AUParameterTree) {
            guard unit.component.componentSubType == kAudioUnitSubType_Varispeed else { return nil }
            self.tree = tree
        }

        func follow(_ address: AUParameterAddress) {
            guard !isAtWork,
                let (partner, value) = VarispeedCoupling.partner(of: address, in: tree.stored.values)
            else { return }
            isAtWork = true
            tree.parameter(withAddress: partner)?.value = value
            isAtWork = false
        }
    }
}
