import OssicleAudioToolbox
import OssicleCoreAudioTypes
@testable import OssicleAVFAudio

/// A unit of the client's that passes sound on, and keeps the times it is given. Not before a subclass or a test has
/// registered it.
class PassingUnit: AUAudioUnit {
    /// A description of an effect of the tests.
    static func effect(_ subtype: OSType) -> AudioComponentDescription {
        AudioComponentDescription(
            componentType: kAudioUnitType_Effect, componentSubType: subtype, componentManufacturer: 0x7465_7374,
            componentFlags: 0, componentFlagsMask: 0)
    }

    /// Of blocks, from the thread that renders.
    final class Stamps: @unchecked Sendable {
        private(set) var all: [(time: AudioTimeStamp, frames: AVAudioFrameCount)] = []
        func note(_ time: AudioTimeStamp, _ frames: AVAudioFrameCount) { all.append((time, frames)) }
    }

    let stamps = Stamps()
    private var inputs: AUAudioUnitBusArray!
    private var outputs: AUAudioUnitBusArray!

    override init(
        componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = []
    ) throws {
        try super.init(componentDescription: componentDescription, options: options)
        let format = OfflineRig.format(44_100, 2)
        inputs = AUAudioUnitBusArray(audioUnit: self, busType: .input, busses: [try AUAudioUnitBus(format: format)])
        outputs = AUAudioUnitBusArray(audioUnit: self, busType: .output, busses: [try AUAudioUnitBus(format: format)])
    }

    override var inputBusses: AUAudioUnitBusArray { inputs }
    override var outputBusses: AUAudioUnitBusArray { outputs }

    override var internalRenderBlock: AUInternalRenderBlock {
        { [stamps] flags, time, frames, _, list, _, pull in
            stamps.note(time.pointee, frames)
            return pull?(flags, time, frames, 0, list) ?? kAudioUnitErr_NoConnection
        }
    }
}
