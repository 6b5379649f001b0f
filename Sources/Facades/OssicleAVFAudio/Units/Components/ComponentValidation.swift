// Whether components do what a host relies on.

import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleNodes
import OssicleProperties
import Synchronization

/// What came of a validation.
public enum AudioComponentValidationResult: UInt32, Sendable {
    /// It was not tried.
    case unknown = 0
    /// The component does what a host relies on.
    case passed = 1
    /// It does not.
    case failed = 2
    /// It took too long.
    case timedOut = 3
    /// It could not be made.
    case unauthorizedError_Open = 4
    /// It could not be made ready to render.
    case unauthorizedError_Init = 5
}

/// Validates again what was validated before. Key of `AudioComponentValidate`; a truth value.
public let kAudioComponentValidationParameter_ForceValidation = "ForceValidation"
/// Seconds a validation may take. Key of `AudioComponentValidate`; not followed here: units live in this process, where
/// nothing can end them.
public let kAudioComponentValidationParameter_TimeOut = "TimeOut"

/// Makes a unit of a component and uses it as a host does: formats of 44.1 and 48 kHz, cycles of several lengths,
/// values of all parameters, a state taken and set again, a reset. The result is kept for the component's version. Not
/// on a render thread. `kAudio_ParamError` for an unknown component; `kAudio_UnimplementedError` for one that is no
/// unit.
@discardableResult
public func AudioComponentValidate(
    _ inComponent: AudioComponent, _ inValidationParameters: CFDictionary?,
    _ outValidationResult: UnsafeMutablePointer<AudioComponentValidationResult>
) -> OSStatus {
    unitStatus {
        outValidationResult.pointee = .unknown
        guard let component = ComponentRegistry.shared.component(of: inComponent) else {
            throw StatusError(kAudio_ParamError)
        }
        guard component.isUnit else { throw StatusError(kAudio_UnimplementedError) }
        let force = inValidationParameters?[NSString(string: kAudioComponentValidationParameter_ForceValidation)]
        outValidationResult.pointee = ComponentValidation.result(
            of: component, again: (force as? NSNumber)?.boolValue ?? false)
    }
}

/// Validates components, each version once.
enum ComponentValidation {
    private struct Key: Hashable {
        let name: String
        let version: UInt32
    }

    private static let known = Mutex<[Key: AudioComponentValidationResult]>([:])

    static func result(of component: RegisteredComponent, again: Bool = false) -> AudioComponentValidationResult {
        let key = Key(name: UserData.name(of: component.description), version: component.version)
        if !again, let result = known.withLock({ $0[key] }) { return result }
        // Making and rendering the unit is the client's code: under no lock.
        let result = validate(component.description)
        known.withLock { $0[key] = result }
        return result
    }

    private static func validate(_ description: AudioComponentDescription) -> AudioComponentValidationResult {
        // A device is not opened to find out whether it sounds.
        let isDevice =
            description.componentType == kAudioUnitType_Output
            && description.componentSubType != kAudioUnitSubType_GenericOutput
        if isDevice, UnitCatalogue.unit(for: description) != nil { return .passed }
        guard let unit = try? AUAudioUnit.made(description) else { return .unauthorizedError_Open }
        for rate in [44_100.0, 48_000] {
            do { try prepare(unit, rate) } catch { return .unauthorizedError_Init }
            defer { unit.deallocateRenderResources() }
            for part in [0, 0.5, 1] as [Float] {
                for parameter in unit.parameterTree?.allParameters ?? []
                where parameter.flags.contains(.flag_IsWritable) {
                    parameter.value = parameter.minValue + (parameter.maxValue - parameter.minValue) * part
                }
                guard renders(unit, [512, 1, 37, 512]) else { return .failed }
            }
            let state = unit.fullState
            unit.reset()
            unit.fullState = state
            guard renders(unit, [64, 512]) else { return .failed }
        }
        return .passed
    }

    private static func prepare(_ unit: AUAudioUnit, _ rate: Double) throws {
        for bus in Array(unit.inputBusses) + Array(unit.outputBusses) {
            let channels = max(bus.format.channelCount, 1)
            guard let format = AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels) else { continue }
            try bus.setFormat(format)
        }
        unit.maximumFramesToRender = 512
        try unit.allocateRenderResources()
    }

    /// Whether every cycle gives finite sound of a tone.
    private static func renders(_ unit: AUAudioUnit, _ cycles: [Int]) -> Bool {
        let channels = unit.outputBusses.count > 0 ? Int(unit.outputBusses[0].format.channelCount) : 0
        let list = AudioBufferList.allocate(maximumBuffers: max(channels, 1))
        defer { free(list.unsafeMutablePointer) }
        list.count = channels
        let block = unit.renderBlock
        var flags = AudioUnitRenderActionFlags(), stamp = AudioTimeStamp(frame: 0, hostTime: 0)
        stamp.mFlags = .sampleTimeValid
        for frames in cycles {
            for index in 0..<channels {
                list[index] = AudioBuffer(
                    mNumberChannels: 1, mDataByteSize: UInt32(4 * frames), mData: nil)
            }
            let status = block(&flags, &stamp, AUAudioFrameCount(frames), 0, list.unsafeMutablePointer, tone)
            guard status == noErr else { return false }
            for buffer in list {
                let samples = UnsafeBufferPointer(
                    start: buffer.mData?.assumingMemoryBound(to: Float.self), count: frames)
                if samples.contains(where: { !$0.isFinite }) { return false }
            }
            stamp.mSampleTime += Double(frames)
        }
        return true
    }

    /// A saw of 750 Hz at 48 kHz.
    private nonisolated(unsafe) static let tone: AURenderPullInputBlock = { _, _, frames, _, list in
        for buffer in UnsafeMutableAudioBufferListPointer(list) {
            guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { return kAudio_ParamError }
            for frame in 0..<Int(frames) { samples[frame] = Float(frame & 63) / 64 - 0.5 }
        }
        return noErr
    }
}
