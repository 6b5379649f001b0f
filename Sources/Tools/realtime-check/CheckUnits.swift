import COssicle
import Foundation
import ExampleUnits
import OssicleAudioToolbox
import OssicleAVFAudio
import OssicleCoreAudioTypes
import OssicleHostContract

/// Every built-in unit by its `renderBlock`, as a host's render thread calls it: steps and ramps of all its parameters
/// scheduled from that thread, a render observer and an observer of parameters installed. Then once more with what it
/// pulls in 16-bit integers, and at another rate, as far as the unit converts that.
struct CheckUnits {
    private static let largest = 1024

    /// - Returns: the number of units rendered, and of those rendered with a conversion.
    func run() throws -> (plain: Int, converting: Int) {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2),
            let integers = AVAudioFormat(
                commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 2, interleaved: true),
            let slow = AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 2, interleaved: true)
        else { throw CheckError("no format") }
        var wanted = AudioComponentDescription(), component: AudioComponent?, count = (plain: 0, converting: 0)
        wanted.componentManufacturer = kAudioUnitManufacturer_Apple
        while let next = AudioComponentFindNext(component, &wanted) {
            component = next
            var description = AudioComponentDescription()
            AudioComponentGetDescription(next, &description)
            if AVAudioUnitComponentManager.shared().components(matching: description).isEmpty { continue }
            if try run(description, from: format, to: format) { count.plain += 1 }
            for input in [integers, slow] where try run(description, from: input, to: format) { count.converting += 1 }
        }
        return count
    }

    /// LV2 plug-ins that are installed, each in a process of its own: the render thread's side of the exchange is
    /// watched.
    /// - Returns: the number of plug-ins rendered.
    func runPlugins() throws -> Int {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2) else {
            throw CheckError("no format")
        }
        let types = [kAudioUnitType_Effect, kAudioUnitType_MusicDevice]
        let all = AVAudioUnitComponentManager.shared().components { component, _ in
            component.componentURL != nil && types.contains(component.audioComponentDescription.componentType)
        }
        return try types.reduce(0) { count, type in
            try all.filter { $0.audioComponentDescription.componentType == type }.prefix(4).reduce(count) {
                try $0 + (run($1.audioComponentDescription, from: format, to: format) ? 1 : 0)
            }
        }
    }

    /// The host contract over every unit that needs no device, and over the examples: all its render calls are watched,
    /// once the runtime has made its metadata in a first turn.
    /// - Returns: the number of units.
    func runContract() throws -> Int {
        SynthesiserUnit.register()
        ArpeggiatorUnit.register()
        ChorusUnit.register()
        var count = 0
        for component in AVAudioUnitComponentManager.shared().components(matching: AudioComponentDescription()) {
            let description = component.audioComponentDescription
            let isDevice =
                description.componentType == kAudioUnitType_Output
                && description.componentSubType != kAudioUnitSubType_GenericOutput
            // Plug-ins of others, and units that other checks have registered, are for checks of their own.
            let makers = [kAudioUnitManufacturer_Apple, ChorusUnit.component.componentManufacturer]
            if isDevice || !makers.contains(description.componentManufacturer) { continue }
            for isWatched in [false, true] {
                let contract = HostContract(
                    watch: { isIn in
                        guard isWatched else { return }
                        if isIn { ossicle_rtsan_enter() } else { ossicle_rtsan_exit() }
                    }, make: { try AUAudioUnit(componentDescription: description) })
                // A matrix mixer is silent until its cross-points are opened, these instruments until one is loaded.
                let isSilent = [
                    kAudioUnitSubType_MatrixMixer, kAudioUnitSubType_Sampler, kAudioUnitSubType_MIDISynth,
                ].contains(description.componentSubType)
                for finding in contract.findings() where !finding.passed && !(isSilent && finding.name == "sound") {
                    throw CheckError("\(component.name): \(finding)")
                }
            }
            count += 1
        }
        return count
    }

    /// False for units that do not render by themselves, or not with these formats.
    private func run(
        _ description: AudioComponentDescription, from input: AVAudioFormat, to output: AVAudioFormat
    ) throws -> Bool {
        let isDevice =
            description.componentType == kAudioUnitType_Output
            && description.componentSubType != kAudioUnitSubType_GenericOutput
        if isDevice { return false }
        let unit = try AUAudioUnit(componentDescription: description)
        do {
            for bus in Array(unit.inputBusses) { try bus.setFormat(input) }
            for bus in Array(unit.outputBusses) { try bus.setFormat(output) }
        } catch {
            if input == output { throw error }
            return false
        }
        unit.maximumFramesToRender = AUAudioFrameCount(Self.largest)
        guard (try? unit.allocateRenderResources()) != nil else { return false }
        let token = unit.token(byAddingRenderObserver: { _, _, _, _ in })
        let observer = unit.parameterTree?.token(byAddingParameterObserver: { _, _ in })
        defer {
            if let observer { unit.parameterTree?.removeParameterObserver(observer) }
            unit.removeRenderObserver(token)
            unit.deallocateRenderResources()
        }
        try render(unit)
        return true
    }

    private func render(_ unit: AUAudioUnit) throws {
        let render = unit.renderBlock, schedule = unit.scheduleParameterBlock
        let parameters = (unit.parameterTree?.allParameters ?? []).filter { $0.flags.contains(.flag_IsWritable) }
            .prefix(96)
            .map {
                (
                    address: $0.address, least: $0.minValue, greatest: $0.maxValue,
                    ramps: $0.flags.contains(.flag_CanRamp)
                )
            }
        let pull: AURenderPullInputBlock = { _, _, frames, _, list in
            for buffer in UnsafeMutableAudioBufferListPointer(list) {
                guard let data = buffer.mData else { return kAudio_ParamError }
                // One channel in a buffer: 32-bit floats. Two: interleaved 16-bit integers.
                if buffer.mNumberChannels == 1 {
                    let samples = data.assumingMemoryBound(to: Float.self)
                    for frame in 0..<Int(frames) { samples[frame] = Float((frame * 7) & 63) * 0.005 }
                } else {
                    let samples = data.assumingMemoryBound(to: Int16.self)
                    for index in 0..<2 * Int(frames) { samples[index] = Int16(index & 63) * 160 }
                }
            }
            return noErr
        }
        let list = AudioBufferList.allocate(maximumBuffers: 2)
        defer { free(list.unsafeMutablePointer) }
        var flags = AudioUnitRenderActionFlags(), stamp = AudioTimeStamp(), status = noErr
        stamp.mFlags = .sampleTimeValid
        // The runtime makes metadata when it is first needed: one turn unwatched.
        for turn in 0..<2 {
            for call in 0..<80 {
                let frames = call * 37 % Self.largest + 1
                for index in 0..<list.count { list[index].mData = nil }
                if turn == 1 { ossicle_rtsan_enter() }
                for index in 0..<parameters.count where index % 8 == call % 8 {
                    let parameter = parameters[index]
                    let value = parameter.least + (parameter.greatest - parameter.least) * Float(call % 10) / 10
                    schedule(
                        AUEventSampleTimeImmediate + AUEventSampleTime(call),
                        parameter.ramps ? AUAudioFrameCount(call % 3 * 300) : 0, parameter.address, value)
                }
                status = render(&flags, &stamp, AUAudioFrameCount(frames), 0, list.unsafeMutablePointer, pull)
                if turn == 1 { ossicle_rtsan_exit() }
                guard status == noErr else { throw CheckError("\(unit.audioUnitName ?? "a unit"): status \(status)") }
                stamp.mSampleTime += Double(frames)
            }
        }
    }
}
