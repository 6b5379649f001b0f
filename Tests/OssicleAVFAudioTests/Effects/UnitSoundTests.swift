import Foundation
import OssicleAudioToolbox
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

@Suite("Units: what is heard") struct UnitSoundTests {
    /// Gain in dB of a chain at a frequency, measured from 0.2 s on.
    private func gain(at frequency: Double, through unit: AVAudioNode, amplitude: Double = 0.1) throws -> Double {
        let rig = try OfflineRig.playing(OfflineRig.tone(frequency, amplitude: amplitude), through: [unit])
        let tail = Array(try rig.render(19_200)[0].dropFirst(9600))
        return Measure.decibels(Measure.tone(frequency, in: tail).amplitude / amplitude)
    }

    @Test(
        "An equaliser's bands have the responses of their kinds",
        arguments: [
            (.lowPass, 1000, -3.01), (.lowPass, 4000, -24.1), (.highPass, 1000, -3.01), (.parametric, 1000, 9),
            (.parametric, 10_000, 0),
            (.lowShelf, 50, 9), (.highShelf, 12_000, 9), (.lowShelf, 1000, 4.5), (.bandPass, 1000, 0),
            (.bandStop, 1010, -40), (.resonantLowPass, 1000, 9.15),
        ] as [(AVAudioUnitEQFilterType, Double, Double)])
    func responses(type: AVAudioUnitEQFilterType, frequency: Double, expected: Double) throws {
        let unit = AVAudioUnitEQ(numberOfBands: 1), band = unit.bands[0]
        (band.filterType, band.frequency, band.gain, band.bypass) = (type, 1000, 9, false)
        let found = try gain(at: frequency, through: unit)
        if expected == -40 {
            #expect(found < -15)
        } else {
            // 2nd order at 4 kHz: the bilinear transform lets it fall a little faster than 24.1 dB. Else closed forms.
            #expect(
                (found - expected).magnitude < (frequency == 4000 ? 1 : frequency == 1000 ? 0.1 : 0.3),
                "\(type) at \(frequency) Hz: \(found) dB")
        }
    }

    @Test("Twenty bands add up, and the global gain comes on top")
    func manyBands() throws {
        let unit = AVAudioUnitEQ(numberOfBands: 20)
        for band in unit.bands { (band.gain, band.bypass) = (0.5, false) }
        unit.globalGain = -4
        #expect((try gain(at: 1000, through: unit) - 6).magnitude < 0.05)
    }

    @Test("A band can be changed while the engine runs")
    func hotBand() throws {
        let unit = AVAudioUnitEQ(numberOfBands: 1)
        let rig = try OfflineRig.playing(OfflineRig.tone(1000, amplitude: 0.1), through: [unit])
        _ = try rig.render(4800)
        (unit.bands[0].gain, unit.bands[0].bypass) = (12, false)
        _ = try rig.render(9600)
        #expect(
            (Measure.decibels(Measure.tone(1000, in: try rig.render(4800)[0]).amplitude / 0.1) - 12).magnitude < 0.1)
    }

    @Test("An echo comes after exactly its time, each weaker by the feedback")
    func echo() throws {
        let delay = AVAudioUnitDelay()
        (delay.delayTime, delay.feedback, delay.lowPassCutoff) = (0.01, 50, 24_000)
        let rig = try OfflineRig.playing(OfflineRig.source(OfflineRig.impulse), through: [delay])
        let sound = try rig.render(2000)[0]
        #expect(
            sound.indices.filter { sound[$0] != 0 } == [480, 960, 1440, 1920] && sound[480] == 1 && sound[960] == 0.5
                && sound[1440] == 0.25)
        #expect(delay.latency == 0 && delay.tailTime > 0.05)
    }

    @Test("The limiter's latency is the one it reports")
    func latency() throws {
        let limiter = builtIn(kAudioUnitSubType_PeakLimiter)
        let rig = try OfflineRig.playing(OfflineRig.source { frame, _ in frame == 0 ? 0.5 : 0 }, through: [limiter])
        let sound = try rig.render(2000)[0]
        let place = try #require(sound.firstIndex { $0 != 0 })
        #expect((limiter.latency * 48_000).rounded() == Double(place) && place > 0 && sound[place] == 0.5)
        let upstream = try #require(rig.engine.attachedNodes.first { $0 is AVAudioSourceNode })
        #expect(upstream.outputPresentationLatency == limiter.latency)
    }

    @Test("Single filters follow their own parameters")
    func filters() throws {
        let low = builtIn(kAudioUnitSubType_LowPassFilter)
        #expect(
            AudioUnitSetParameter(low.audioUnit, kLowPassParam_CutoffFrequency, kAudioUnitScope_Global, 0, 1000, 0)
                == noErr)
        #expect(AudioUnitSetParameter(low.audioUnit, kLowPassParam_Resonance, kAudioUnitScope_Global, 0, 6, 0) == noErr)
        #expect((try gain(at: 1000, through: low) - 6).magnitude < 0.1)
        let band = builtIn(kAudioUnitSubType_BandPassFilter)
        AudioUnitSetParameter(band.audioUnit, kBandpassParam_CenterFrequency, kAudioUnitScope_Global, 0, 1000, 0)
        AudioUnitSetParameter(band.audioUnit, kBandpassParam_Bandwidth, kAudioUnitScope_Global, 0, 1200, 0)
        #expect(try gain(at: 1000, through: band).magnitude < 0.05)
        let edge = builtIn(kAudioUnitSubType_BandPassFilter)
        AudioUnitSetParameter(edge.audioUnit, kBandpassParam_CenterFrequency, kAudioUnitScope_Global, 0, 1000, 0)
        AudioUnitSetParameter(edge.audioUnit, kBandpassParam_Bandwidth, kAudioUnitScope_Global, 0, 1200, 0)
        #expect((try gain(at: 1000 * 2.0.squareRoot(), through: edge) + 3.01).magnitude < 0.2)
        let bell = builtIn(kAudioUnitSubType_ParametricEQ)
        AudioUnitSetParameter(bell.audioUnit, kParametricEQParam_Gain, kAudioUnitScope_Global, 0, -8, 0)
        #expect((try gain(at: 2000, through: bell) + 8).magnitude < 0.1)
    }

    @Test(
        "The graphic equaliser has ISO's frequencies, by octaves or thirds",
        arguments: [(0, 5, 1000), (1, 17, 1000), (0, 0, 31.5), (1, 20, 2000)] as [(Float, UInt32, Double)])
    func graphic(mode: Float, band: UInt32, frequency: Double) throws {
        let unit = builtIn(kAudioUnitSubType_GraphicEQ)
        AudioUnitSetParameter(unit.audioUnit, kGraphicEQParam_NumberOfBands, kAudioUnitScope_Global, 0, mode, 0)
        AudioUnitSetParameter(unit.audioUnit, band, kAudioUnitScope_Global, 0, 10, 0)
        // 31.5 Hz is nominal: the band lies at 31.25.
        #expect((try gain(at: frequency, through: unit) - 10).magnitude < 0.15)
    }

    @Test("The dynamics processor keeps within its headroom, and its meter tells")
    func dynamics() throws {
        let unit = builtIn(kAudioUnitSubType_DynamicsProcessor)
        let found = try gain(at: 1000, through: unit, amplitude: 0.9)
        #expect(found < -8 && found > -20)
        var value: Float = 0
        #expect(
            AudioUnitGetParameter(
                unit.audioUnit, kDynamicsProcessorParam_CompressionAmount, kAudioUnitScope_Global, 0, &value) == noErr)
        #expect((Double(value) + found).magnitude < 1)
    }

    @Test("Every effect made by its description sounds, and stays finite", arguments: builtInEffects())
    func sounds(description: AudioComponentDescription) throws {
        let unit = AVAudioUnitEffect(audioComponentDescription: description)
        let rig = try OfflineRig.playing(OfflineRig.source(OfflineRig.noise), through: [unit], channels: 1)
        if unit.latency > 0 { _ = try rig.render(Int((unit.latency * 48_000).rounded())) }
        let sound = try rig.render(9600)[0]
        #expect(sound.allSatisfy(\.isFinite) && Measure.level(sound) > -40 && rig.engine.lastError == nil)
    }

    @Test(
        "Reset takes away what rings",
        arguments: [
            kAudioUnitSubType_Delay, kAudioUnitSubType_Reverb2, kAudioUnitSubType_MatrixReverb,
            kAudioUnitSubType_SampleDelay,
        ])
    func reset(subtype: OSType) throws {
        let unit = builtIn(subtype)
        if subtype == kAudioUnitSubType_SampleDelay {
            AudioUnitSetParameter(unit.audioUnit, kSampleDelayParam_DelayFrames, kAudioUnitScope_Global, 0, 3000, 0)
        }
        func tail(resetting: Bool) throws -> Float {
            let rig = try OfflineRig.playing(OfflineRig.source { frame, _ in frame < 100 ? 0.5 : 0 }, through: [unit])
            _ = try rig.render(1024)
            if resetting { unit.reset() }
            defer { rig.engine.detach(unit) }
            return Measure.peak(try rig.render(96_000)[0])
        }
        #expect(try tail(resetting: false) > 0)
        #expect(try tail(resetting: true) == 0)
    }

    @Test("Parameters set from outside are heard at the next call")
    func hot() throws {
        let unit = builtIn(kAudioUnitSubType_SampleDelay)
        let rig = try OfflineRig.playing(OfflineRig.tone(1000), through: [unit])
        _ = try rig.render(4800)
        #expect(
            AudioUnitSetParameter(unit.audioUnit, kSampleDelayParam_DelayFrames, kAudioUnitScope_Global, 0, 24, 0)
                == noErr)
        _ = try rig.render(4800)
        // Half a period later: the tone upside down.
        let sound = try rig.render(480)[0]
        for (frame, sample) in sound.enumerated() where frame % 7 == 0 {
            #expect((sample + Float(0.5 * sin(2 * .pi * 1000 * Double(9600 + frame) / 48000))).magnitude < 1e-5)
        }
    }
}
