import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

@Suite struct AVAudioUnitSamplerTests {
    /// Amplitude on each side of a level in the middle.
    private func middle(_ level: Double) -> Double { level * 0.5.squareRoot() }

    private func isNear(_ sound: [Float], _ level: Double) -> Bool {
        sound.allSatisfy { abs(Double($0) - middle(level)) < 0.002 }
    }

    @Test func `a program of a bank is played on every channel, and program changes choose others`() throws {
        let rig = try SamplerRig()
        let bank = try rig.write("levels.sf2", SamplerRig.levels)
        try rig.sampler.loadSoundBankInstrument(at: bank, program: 5, bankMSB: 0x79, bankLSB: 0)
        for channel in [0, 9] as [UInt8] {
            rig.sampler.startNote(60, withVelocity: 127, onChannel: channel)
            #expect(isNear(Array(try rig.render(1000)[0][200...]), 0.2))
            rig.sampler.stopNote(60, onChannel: channel)
            _ = try rig.render(2000)
        }
        rig.sampler.sendProgramChange(0, onChannel: 3)
        rig.sampler.startNote(60, withVelocity: 127, onChannel: 3)
        #expect(isNear(Array(try rig.render(1000)[0][200...]), 0.1))
        rig.sampler.stopNote(60, onChannel: 3)
        _ = try rig.render(2000)
        rig.sampler.sendProgramChange(0, bankMSB: 0x78, bankLSB: 0, onChannel: 3)
        rig.sampler.startNote(60, withVelocity: 127, onChannel: 3)
        #expect(isNear(Array(try rig.render(1000)[0][200...]), 0.4))
        #expect(rig.engine.lastError == nil)
    }

    @Test func `gain, pan and tuning are parameters with Apple's ranges`() throws {
        let rig = try SamplerRig()
        try rig.sampler.loadSoundBankInstrument(
            at: try rig.write("levels.sf2", SamplerRig.levels), program: 0, bankMSB: 0x79, bankLSB: 0)
        rig.sampler.overallGain = -6.0206
        #expect(rig.sampler.masterGain == rig.sampler.overallGain)
        rig.sampler.startNote(60, withVelocity: 127, onChannel: 0)
        #expect(isNear(Array(try rig.render(1000)[0][400...]), 0.05))
        rig.sampler.stereoPan = -100
        let panned = try rig.render(1000)
        #expect(isNear(Array(panned[0][400...]), 0.05) && panned[1][400...].allSatisfy { $0 == 0 })
        rig.sampler.globalTuning = -1250
        #expect(rig.sampler.globalTuning == -1250)
        #expect(rig.sampler.parameterTree.parameter(withAddress: 901)?.value == -12)
        (rig.sampler.overallGain, rig.sampler.stereoPan, rig.sampler.globalTuning) = (99, 300, 9999)
        #expect(rig.sampler.overallGain == 12 && rig.sampler.stereoPan == 100 && rig.sampler.globalTuning == 2400)
    }

    @Test func `tuning moves the pitch`() throws {
        let rig = try SamplerRig()
        let sine = Signal.sine(480, count: 4800).map { Int16($0 * 20_000) }
        let bank = BankWriter(
            presets: [.init(zones: [.init(generators: [(41, 0)])])],
            instruments: [[.init(generators: [(54, 1), (53, 0)])]],
            samples: [.init(frames: sine, loop: 100..<4700)])
        try rig.sampler.loadSoundBankInstrument(
            at: try rig.write("sine.sf2", bank.bytes), program: 0, bankMSB: 0x79, bankLSB: 0)
        rig.sampler.globalTuning = 150
        rig.sampler.startNote(60, withVelocity: 127, onChannel: 0)
        let sound = Array(try rig.render(24_000)[0][2000...])
        let expected = 480 * pow(2, 150.0 / 1200)
        #expect(abs(1200 * log2(Measure.pitch(near: expected, in: sound).frequency / expected)) < 0.1)
    }

    @Test func `what is loaded stays through restarts and other rates, and is part of the state`() throws {
        let rig = try SamplerRig()
        let bank = try rig.write("levels.sf2", SamplerRig.levels)
        try rig.sampler.loadSoundBankInstrument(at: bank, program: 5, bankMSB: 0x79, bankLSB: 0)
        rig.sampler.sendProgramChange(0, onChannel: 2)
        _ = try rig.render(100)
        rig.engine.stop()
        rig.engine.disableManualRenderingMode()
        let other = OfflineRig.format(44_100, 2)
        try rig.engine.enableManualRenderingMode(.offline, format: other, maximumFrameCount: 4096)
        try rig.engine.connectNode(rig.sampler, to: rig.engine.mainMixerNode, format: other)
        try rig.engine.start()
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: other, frameCapacity: 4096))
        for (channel, level) in [(0, 0.2), (2, 0.1)] as [(UInt8, Double)] {
            rig.sampler.startNote(60, withVelocity: 127, onChannel: channel)
            #expect(try rig.engine.renderOffline(1000, to: buffer) == .success)
            let sound = (200..<1000).map { buffer.floatChannelData![0][$0] }
            #expect(isNear(sound, level))
            rig.sampler.stopNote(60, onChannel: channel)
            _ = try rig.engine.renderOffline(4000, to: buffer)
        }
        rig.sampler.overallGain = -3
        let state = try #require(rig.sampler.auAudioUnit.fullState)
        let again = try SamplerRig()
        again.sampler.auAudioUnit.fullState = state
        again.sampler.startNote(60, withVelocity: 127, onChannel: 0)
        #expect(isNear(Array(try again.render(1000)[0][400...]), 0.2 * pow(10, -3.0 / 20)))
    }

    @Test func `a preset brings parameters, zones and the samples beside it`() throws {
        let rig = try SamplerRig()
        let sound = try #require(AVAudioPCMBuffer(pcmFormat: OfflineRig.format(48_000, 1), frameCapacity: 4000))
        sound.frameLength = 4000
        for frame in 0..<4000 { sound.floatChannelData?[0][frame] = 0.25 }
        try AVAudioFile(forWriting: rig.folder.appendingPathComponent("a.wav"), settings: sound.format.settings).write(
            from: sound)
        let state = try #require(AVAudioUnitSampler().auAudioUnit.fullState)
        let zone: [String: Any] = ["waveform": 268_435_457, "root key": 60, "min key": 0, "max key": 127]
        let preset = state.merging([
            "Instrument": ["Layers": [["Zones": [zone]]]],
            "file-references": ["Sample:268435457": "/Volumes/Away/a.wav"],
        ]) { $1 }
        let url = try rig.write(
            "p.aupreset",
            Array(try PropertyListSerialization.data(fromPropertyList: preset, format: .xml, options: 0)))
        rig.sampler.overallGain = -6
        try rig.sampler.loadPreset(at: url)
        #expect(rig.sampler.overallGain == 0)
        rig.sampler.startNote(60, withVelocity: 127, onChannel: 0)
        #expect(isNear(Array(try rig.render(1000)[0][400...]), 0.25))
        try rig.sampler.loadInstrument(at: url)
        rig.sampler.startNote(60, withVelocity: 127, onChannel: 0)
        #expect(isNear(Array(try rig.render(1000)[0][400...]), 0.25))
    }

    @Test func `errors name the file, what is wrong and what helps`() throws {
        let rig = try SamplerRig()
        func error(_ body: () throws -> Void) -> OssicleError? {
            do { try body() } catch { return error as? OssicleError }
            return nil
        }
        let gone = rig.folder.appendingPathComponent("gone.sf2")
        let missing = error {
            try rig.sampler.loadSoundBankInstrument(at: gone, program: 0, bankMSB: 0x79, bankLSB: 0)
        }
        #expect(missing?.code == -43 && "\(missing!)".contains("gone.sf2"))
        let text = try rig.write("text.sf2", Array("no bank at all".utf8))
        let wrong = error { try rig.sampler.loadSoundBankInstrument(at: text, program: 0, bankMSB: 0x79, bankLSB: 0) }
        #expect(wrong?.code == Int(kAudioUnitErr_InvalidFile) && "\(wrong!)".contains("SoundFont"))
        let bank = try rig.write("levels.sf2", SamplerRig.levels)
        let program = error {
            try rig.sampler.loadSoundBankInstrument(at: bank, program: 77, bankMSB: 0x79, bankLSB: 0)
        }
        #expect("\(program!)".contains("no program 77 in bank 0"))
        #expect(error { try rig.sampler.loadInstrument(at: text) } != nil)
        #expect(error { try rig.sampler.loadAudioFiles(at: []) } != nil)
        #expect(error { try rig.sampler.loadAudioFiles(at: [URL(string: "https://example.org/a.wav")!]) } != nil)
        // A failure leaves what was there.
        try rig.sampler.loadSoundBankInstrument(at: bank, program: 5, bankMSB: 0x79, bankLSB: 0)
        _ = error { try rig.sampler.loadInstrument(at: gone) }
        rig.sampler.startNote(60, withVelocity: 127, onChannel: 0)
        #expect(isNear(Array(try rig.render(1000)[0][200...]), 0.2))
    }

    @Test func `the C interface loads and lists programs`() throws {
        let rig = try SamplerRig()
        let url = try rig.write("levels.sf2", SamplerRig.levels) as NSURL, unit = rig.sampler.audioUnit
        var data = AUSamplerInstrumentData(
            fileURL: Unmanaged.passUnretained(url), instrumentType: UInt8(kInstrumentType_SF2Preset),
            bankMSB: UInt8(kAUSampler_DefaultPercussionBankMSB), bankLSB: 0, presetID: 0)
        let size = UInt32(MemoryLayout<AUSamplerInstrumentData>.size)
        #expect(
            AudioUnitSetProperty(unit, kAUSamplerProperty_LoadInstrument, kAudioUnitScope_Global, 0, &data, size)
                == noErr)
        rig.sampler.startNote(60, withVelocity: 127, onChannel: 0)
        #expect(isNear(Array(try rig.render(1000)[0][200...]), 0.4))
        data.presetID = 99
        #expect(
            AudioUnitSetProperty(unit, kAUSamplerProperty_LoadInstrument, kAudioUnitScope_Global, 0, &data, size)
                == kAudioUnitErr_InvalidPropertyValue)
        var count: UInt32 = 0, bytes = UInt32(4)
        #expect(
            AudioUnitGetProperty(unit, kMusicDeviceProperty_InstrumentCount, kAudioUnitScope_Global, 0, &count, &bytes)
                == noErr)
        #expect(count == 3)
        var number: UInt32 = 0
        #expect(
            AudioUnitGetProperty(
                unit, kMusicDeviceProperty_InstrumentNumber, kAudioUnitScope_Global, 2, &number, &bytes)
                == noErr)
        #expect(number == 128 << 8)
    }

    @Test func `a unit by itself renders events on their frames, in any cut`() throws {
        func render(_ sizes: [Int]) throws -> [Float] {
            let unit = try AUAudioUnit(
                componentDescription: AudioComponentDescription(
                    componentType: kAudioUnitType_MusicDevice, componentSubType: kAudioUnitSubType_Sampler,
                    componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0))
            let rig = try SamplerRig(), url = try rig.write("clicks.sf2", SamplerRig.clicks)
            try (unit.body as? InstrumentBody)?.load(.bank(path: url.path, program: .init(bank: 0, number: 0)))
            unit.maximumFramesToRender = 4096
            try unit.outputBusses[0].setFormat(rig.format)
            try unit.allocateRenderResources()
            let block = unit.renderBlock
            let schedule = try #require(unit.scheduleMIDIEventBlock)
            for frame in [3, 100, 101, 1000] {
                [0x90, 60, 127].withUnsafeBufferPointer { schedule(Int64(frame), 0, 3, $0.baseAddress!) }
            }
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: rig.format, frameCapacity: 4096))
            var sound: [Float] = [], turn = 0
            while sound.count < 2000 {
                let count = min(sizes[turn % sizes.count], 2000 - sound.count)
                buffer.frameLength = AVAudioFrameCount(count)
                var flags = AudioUnitRenderActionFlags(), time = AudioTimeStamp()
                (time.mSampleTime, time.mFlags) = (Double(sound.count), .sampleTimeValid)
                #expect(block(&flags, &time, AUAudioFrameCount(count), 0, buffer.mutableAudioBufferList, nil) == noErr)
                sound += (0..<count).map { buffer.floatChannelData![0][$0] }
                turn += 1
            }
            return sound
        }
        let whole = try render([2000])
        #expect(ClickRig.onsets(whole) == [3, 100, 101, 1000])
        for sizes in [[1], [7, 300], [64]] { #expect(Measure.sameBytes(try render(sizes), whole)) }
    }
}
