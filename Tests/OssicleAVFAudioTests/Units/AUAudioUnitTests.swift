import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleDSP
import Testing
@testable import OssicleAVFAudio

@Suite("AUAudioUnit: the built-in units by hand")
struct AUAudioUnitTests {
    @Test("Every effect renders the same bytes as its node in an engine")
    func sameAsNode() throws {
        for component in builtInEffects() {
            let node = AVAudioUnitEffect(audioComponentDescription: component)
            let rig = try OfflineRig.playing(OfflineRig.source(OfflineRig.noise), through: [node])
            let host = try UnitHost(AUAudioUnit(componentDescription: component), input: OfflineRig.noise)
            #expect(try rig.render(3000) == host.render(3000), "\(host.unit.audioUnitName ?? "")")
        }
    }

    @Test("How the cycles are cut does not change a byte")
    func cuts() throws {
        let sounds = try [1, 64, 127, 1024, 4096].map { size -> [[Float]] in
            let host = try UnitHost(kAudioUnitSubType_Delay, input: OfflineRig.noise)
            host.set(kDelayParam_DelayTime, 0.01)
            return host.render(4096, callsOf: size)
        }
        for sound in sounds.dropFirst() { #expect(sound == sounds[0]) }
    }

    @Test("A parameter changes at the frame it was scheduled for, not before")
    func scheduled() throws {
        let host = try UnitHost(kAudioUnitSubType_SampleDelay) { frame, _ in Float(frame) }
        let schedule = host.unit.scheduleParameterBlock
        schedule(1000, 0, AUParameterAddress(kSampleDelayParam_DelayFrames), 5)
        let before = host.render(1000, callsOf: 300)[0]
        #expect(before == (0..<1000).map { Float($0) })
        #expect(host.unit.parameterTree?.parameter(withAddress: 0)?.value == 0)
        _ = host.render(1, callsOf: 1)
        #expect(host.unit.parameterTree?.parameter(withAddress: 0)?.value == 5)
    }

    @Test("A ramp moves a parameter in a straight line and ends on its value")
    func ramp() throws {
        let host = try UnitHost(kAudioUnitSubType_NBandEQ) { _, _ in 0.5 }
        let gain = try #require(
            host.unit.parameterTree?.parameter(withAddress: AUParameterAddress(kAUNBandEQParam_GlobalGain)))
        host.unit.scheduleParameterBlock(AUEventSampleTimeImmediate + 128, 1280, gain.address, -20)
        var values: [Float] = []
        for _ in 0..<12 {
            _ = host.cycle(128)
            values.append(gain.value)
        }
        #expect(values[0] == 0)
        for index in 1...10 { #expect(abs(values[index] + 2 * Float(index)) < 1e-4) }
        #expect(values[11] == -20)
        _ = host.render(4800)
        #expect(abs(host.render(1)[0][0] - 0.05) < 1e-5)
    }

    @Test("What is not known, not a number, or cannot ramp changes nothing")
    func refusedEvents() throws {
        let host = try UnitHost(kAudioUnitSubType_NBandEQ) { _, _ in 0.5 }
        let schedule = host.unit.scheduleParameterBlock
        schedule(0, 0, 999_999, 3)
        schedule(0, 0, AUParameterAddress(kAUNBandEQParam_GlobalGain), .nan)
        schedule(0, 100, AUParameterAddress(kAUNBandEQParam_BypassBand), 0)
        #expect(host.cycle(64).status == noErr)
        #expect(
            host.unit.parameterTree?.parameter(withAddress: AUParameterAddress(kAUNBandEQParam_GlobalGain))?.value == 0)
        #expect(
            host.unit.parameterTree?.parameter(withAddress: AUParameterAddress(kAUNBandEQParam_BypassBand))?.value == 1)
    }

    @Test("Bypass passes bit for bit, and says there is no latency and no tail")
    func bypass() throws {
        let host = try UnitHost(kAudioUnitSubType_Reverb2, input: OfflineRig.noise)
        #expect(host.unit.tailTime > 0.1)
        host.unit.shouldBypassEffect = true
        #expect(host.render(600)[0] == (0..<600).map { OfflineRig.noise($0, 0) })
        #expect(host.unit.tailTime == 0)
        #expect(host.unit.latency == 0)
    }

    @Test("Reset takes the tail away")
    func reset() throws {
        let host = try UnitHost(kAudioUnitSubType_Delay) { $0 == 0 && $1 >= 0 ? 1 : 0 }
        host.set(kDelayParam_DelayTime, 0.1)
        _ = host.render(100)
        host.unit.reset()
        #expect(host.render(9600)[0].allSatisfy { $0 == 0 })
    }

    @Test("A varispeed unit pulls as many frames as it plays")
    func varispeed() throws {
        let host = try UnitHost(kAudioUnitSubType_Varispeed, kAudioUnitType_FormatConverter) { frame, _ in
            Float(sin(2 * .pi * 1000 * Double(frame) / 48000))
        }
        host.set(kVarispeedParam_PlaybackRate, 2)
        #expect(
            abs(
                (host.unit.parameterTree?.parameter(withAddress: AUParameterAddress(kVarispeedParam_PlaybackCents))?
                    .value ?? 0) - 1200) < 0.01)
        let sound = host.render(4800)[0]
        #expect(abs(host.framesPulled - 9600) < 200)
        for frame in 1000..<4000 {
            #expect(abs(sound[frame] - Float(sin(2 * .pi * 2000 * Double(frame) / 48000))) < 1e-3)
        }
    }

    @Test("Presets of reverb and distortion load, others have none")
    func presets() throws {
        let reverb = try AUAudioUnit(
            componentDescription: AudioComponentDescription(builtIn: kAudioUnitType_Effect, kAudioUnitSubType_Reverb2))
        let presets = try #require(reverb.factoryPresets)
        #expect(presets.map(\.number) == Array(0..<13))
        #expect(presets[8].name == "Cathedral")
        #expect(presets[12].name == "Large Hall 2")
        reverb.currentPreset = presets[8]
        let cathedral = AVAudioUnitReverb()
        cathedral.loadFactoryPreset(.cathedral)
        let decay = AUParameterAddress(kReverb2Param_DecayTimeAt0Hz)
        #expect(
            reverb.parameterTree?.parameter(withAddress: decay)?.value
                == cathedral.parameterTree.parameter(withAddress: decay)?.value)
        #expect(reverb.currentPreset === presets[8])
        let distortion = try AUAudioUnit(
            componentDescription: AudioComponentDescription(
                builtIn: kAudioUnitType_Effect, kAudioUnitSubType_Distortion))
        #expect(distortion.factoryPresets?.count == 22)
        let delay = try AUAudioUnit(
            componentDescription: AudioComponentDescription(builtIn: kAudioUnitType_Effect, kAudioUnitSubType_Delay))
        #expect(delay.factoryPresets == nil)
    }

    @Test("The full state brings back every parameter, and is refused by another unit")
    func fullState() throws {
        func make(_ subtype: OSType) throws -> AUAudioUnit {
            try AUAudioUnit(componentDescription: AudioComponentDescription(builtIn: kAudioUnitType_Effect, subtype))
        }
        let unit = try make(kAudioUnitSubType_NBandEQ)
        for (index, parameter) in (unit.parameterTree?.allParameters ?? []).enumerated() {
            parameter.value = parameter.minValue + (parameter.maxValue - parameter.minValue) * Float(index % 7) / 7
        }
        let state = try #require(unit.fullState)
        let other = try make(kAudioUnitSubType_NBandEQ)
        other.fullState = state
        #expect(other.parameterTree?.allParameters.map(\.value) == unit.parameterTree?.allParameters.map(\.value))
        let delay = try make(kAudioUnitSubType_Delay)
        delay.errors.handler = { _ in }
        delay.fullState = state
        #expect((delay.errors.last as? OssicleError)?.code == Int(kAudioUnitErr_InvalidFile))
        var damaged = state
        damaged["data"] = Data([1, 2, 3])
        other.errors.handler = { _ in }
        other.fullState = damaged
        #expect(other.errors.last != nil)
    }

    @Test("Wrong calls get a status or an error, never a trap")
    func misuse() throws {
        let unit = try AUAudioUnit(
            componentDescription: AudioComponentDescription(builtIn: kAudioUnitType_Effect, kAudioUnitSubType_Delay))
        let early = unit.renderBlock
        let list = AudioBufferList.allocate(maximumBuffers: 2)
        defer { free(list.unsafeMutablePointer) }
        var flags = AudioUnitRenderActionFlags()
        var stamp = AudioTimeStamp()
        let pull: AURenderPullInputBlock = { _, _, _, _, _ in noErr }
        #expect(early(&flags, &stamp, 64, 0, list.unsafeMutablePointer, pull) == kAudioUnitErr_Uninitialized)
        unit.maximumFramesToRender = 256
        try unit.allocateRenderResources()
        try unit.allocateRenderResources()
        #expect(early(&flags, &stamp, 64, 0, list.unsafeMutablePointer, pull) == noErr)
        #expect(early(&flags, &stamp, 257, 0, list.unsafeMutablePointer, pull) == kAudioUnitErr_TooManyFramesToProcess)
        #expect(early(&flags, &stamp, 64, 1, list.unsafeMutablePointer, pull) == kAudioUnitErr_InvalidElement)
        #expect(early(&flags, &stamp, 64, -1, list.unsafeMutablePointer, pull) == kAudioUnitErr_InvalidElement)
        #expect(early(&flags, &stamp, 64, 0, list.unsafeMutablePointer, nil) == kAudioUnitErr_NoConnection)
        #expect(early(&flags, &stamp, 64, 0, list.unsafeMutablePointer, { _, _, _, _, _ in -1 }) == -1)
        list.count = 1
        #expect(early(&flags, &stamp, 64, 0, list.unsafeMutablePointer, pull) == kAudio_ParamError)
        stamp.mSampleTime = .nan
        stamp.mFlags = .sampleTimeValid
        list.count = 2
        #expect(early(&flags, &stamp, 64, 0, list.unsafeMutablePointer, pull) == noErr)
        #expect(
            avfaudioCode { try unit.inputBusses[0].setFormat(OfflineRig.format(48000, 1)) } == kAudioUnitErr_Initialized
        )
        unit.maximumFramesToRender = 1024
        #expect(unit.maximumFramesToRender == 256)
        unit.deallocateRenderResources()
        #expect(early(&flags, &stamp, 64, 0, list.unsafeMutablePointer, pull) == kAudioUnitErr_Uninitialized)
        try unit.inputBusses[0].setFormat(OfflineRig.format(48000, 1))
        #expect(avfaudioCode { try unit.allocateRenderResources() } == kAudioUnitErr_FormatNotSupported)
        unit.maximumFramesToRender = 0
        #expect(avfaudioCode { try unit.allocateRenderResources() } == kAudio_ParamError)
        #expect(
            avfaudioCode { try unit.inputBusses[5].setFormat(OfflineRig.format(48000, 1)) }
                == kAudioUnitErr_InvalidElement)
        #expect(avfaudioCode { try unit.inputBusses.setBusCount(3) } == kAudioUnitErr_PropertyNotWritable)
        #expect(avfaudioCode { try unit.startHardware() } == kAudioUnitErr_CannotDoInCurrentContext)
        #expect(
            avfaudioCode { _ = try AUAudioUnit(componentDescription: AudioComponentDescription(builtIn: 1, 2)) }
                == kAudioComponentErr_UnsupportedType)
    }

    @Test("A cycle that is larger than memory may be is refused, and a smaller one is not")
    func size() throws {
        let unit = try AUAudioUnit(
            componentDescription: AudioComponentDescription(
                builtIn: kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer))
        try unit.inputBusses.setBusCount(64)
        unit.maximumFramesToRender = 1 << 20
        #expect(avfaudioCode { try unit.allocateRenderResources() } == kAudio_MemFullError)
        unit.maximumFramesToRender = 4096
        #expect(avfaudioCode { try unit.allocateRenderResources() } == nil)
    }

    @Test("The block outlives the unit, and then says that nothing is allocated")
    func orphan() throws {
        var unit: AUAudioUnit? = try AUAudioUnit(
            componentDescription: AudioComponentDescription(builtIn: kAudioUnitType_Effect, kAudioUnitSubType_Delay))
        try unit?.allocateRenderResources()
        let block = try #require(unit?.renderBlock)
        unit = nil
        let list = AudioBufferList.allocate(maximumBuffers: 2)
        defer { free(list.unsafeMutablePointer) }
        var flags = AudioUnitRenderActionFlags()
        var stamp = AudioTimeStamp()
        #expect(
            block(&flags, &stamp, 64, 0, list.unsafeMutablePointer, { _, _, _, _, _ in noErr })
                == kAudioUnitErr_Uninitialized)
    }

    @Test("Observers hear of each cycle before and after it, until they are removed")
    func observers() throws {
        let host = try UnitHost(kAudioUnitSubType_Delay) { _, _ in 0 }
        final class Heard: @unchecked Sendable { var all: [(AudioUnitRenderActionFlags, Double, UInt32)] = [] }
        let heard = Heard()
        let token = host.unit.token(byAddingRenderObserver: { flags, time, frames, _ in
            heard.all.append((flags, time.pointee.mSampleTime, frames))
        })
        _ = host.cycle(100)
        _ = host.cycle(50)
        host.unit.removeRenderObserver(token)
        _ = host.cycle(50)
        #expect(
            heard.all.map(\.0) == [
                .unitRenderAction_PreRender, .unitRenderAction_PostRender, .unitRenderAction_PreRender,
                .unitRenderAction_PostRender,
            ])
        #expect(heard.all.map(\.1) == [0, 0, 100, 100])
        #expect(heard.all.map(\.2) == [100, 100, 50, 50])
    }

    @Test("A generic output converts rate, channels and samples")
    func genericOutput() throws {
        let unit = try AUAudioUnit(
            componentDescription: AudioComponentDescription(
                builtIn: kAudioUnitType_Output, kAudioUnitSubType_GenericOutput))
        try unit.inputBusses[0].setFormat(OfflineRig.format(24000, 1))
        let interleaved = try #require(
            AVAudioFormat(commonFormat: .pcmFormatFloat64, sampleRate: 48000, channels: 2, interleaved: true))
        try unit.outputBusses[0].setFormat(interleaved)
        try unit.allocateRenderResources()
        var next = 0
        let list = AudioBufferList.allocate(maximumBuffers: 1)
        defer { free(list.unsafeMutablePointer) }
        var flags = AudioUnitRenderActionFlags()
        var stamp = AudioTimeStamp()
        var sound: [Double] = []
        for _ in 0..<8 {
            list[0].mData = nil
            let status = unit.renderBlock(&flags, &stamp, 500, 0, list.unsafeMutablePointer) { _, _, frames, _, list in
                guard
                    let samples = UnsafeMutableAudioBufferListPointer(list)[0].mData?.assumingMemoryBound(
                        to: Float.self)
                else { return -1 }
                for frame in 0..<Int(frames) {
                    samples[frame] = Float(sin(2 * .pi * 500 * Double(next + frame) / 24000))
                }
                next += Int(frames)
                return noErr
            }
            #expect(status == noErr)
            #expect(list[0].mNumberChannels == 2)
            sound += UnsafeBufferPointer(start: list[0].mData?.assumingMemoryBound(to: Double.self), count: 1000)
        }
        for frame in 500..<3500 {
            let expected = sin(2 * .pi * 500 * Double(frame) / 48000)
            #expect(abs(sound[2 * frame] - expected) < 1e-3)
            #expect(sound[2 * frame] == sound[2 * frame + 1])
        }
    }
}
