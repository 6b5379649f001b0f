// From a description to the class that hosts it.

import OssicleAudioToolbox

extension AVAudioUnit {
    /// Makes the unit that `audioComponentDescription` finds and hands it to `completionHandler` on another thread: an
    /// `AVAudioUnitEffect`, `AVAudioUnitTimeEffect` or `AVAudioUnitGenerator`, as its type asks for, or an error. Every unit lives in
    /// this process; the options change nothing.
    public class func instantiate(with audioComponentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = [],
                                  completionHandler: @escaping @Sendable (AVAudioUnit?, (any Error)?) -> Void) {
        DispatchQueue.global().async {
            do { completionHandler(try make(audioComponentDescription), nil) } catch { completionHandler(nil, error) }
        }
    }

    /// As `instantiate(with:options:completionHandler:)`.
    public class func instantiate(with audioComponentDescription: AudioComponentDescription,
                                  options: AudioComponentInstantiationOptions = []) async throws -> sending AVAudioUnit {
        try make(audioComponentDescription)
    }

    /// The unit of the first component that fits; zeros fit any.
    static func make(_ wanted: AudioComponentDescription) throws -> sending AVAudioUnit {
        let registry = ComponentRegistry.shared
        guard let found = registry.handles(matching: wanted).first.flatMap({ registry.component(of: $0) })?.description else { throw UnitFault.unknown(wanted) }
        if AVAudioUnitEffect.types.contains(found.componentType) { return AVAudioUnitEffect(audioComponentDescription: found) }
        if AVAudioUnitGenerator.types.contains(found.componentType) { return AVAudioUnitGenerator(audioComponentDescription: found) }
        if found.componentType == kAudioUnitType_FormatConverter { return AVAudioUnitTimeEffect(audioComponentDescription: found) }
        if [UnitDescription.multiChannelMixer, .matrixMixer].contains(where: { found.isSameUnit(as: $0.component) }) { return MixerUnit(unit: found) }
        return AVAudioUnit(unit: found)
    }
}
