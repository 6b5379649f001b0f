import Foundation
import OssicleCore
import OssicleCoreAudioTypes
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

@Suite("AVAudioEnvironmentNode") struct AVAudioEnvironmentNodeTests {
    private let noise = Signal.noise(count: 4096)

    @Test("attenuates by the tabulated distance laws, within 1e-5")
    func distance() throws {
        for row in try Table.load("distance-check.csv").rows where row["model"].hasPrefix("avenv") {
            let rig = try EnvironmentRig(channels: 1)
            let source = try rig.add([[Float](repeating: 1, count: 256)])
            let law = rig.environment.distanceAttenuationParameters
            law.distanceAttenuationModel =
                switch row["model"] {
                case "avenv_exponential": .exponential
                case "avenv_linear": .linear
                default: .inverse
                }
            for word in row["parameters"].split(separator: " ") {
                let pair = word.split(separator: "=")
                guard pair.count == 2, let value = Float(pair[1]) else { continue }
                switch pair[0] {
                case "ref": law.referenceDistance = value
                case "max": law.maximumDistance = value
                case "rolloff": law.rolloffFactor = value
                default: break
                }
            }
            source.position = AVAudio3DPoint(x: 0, y: 0, z: -Float(row.number("distance_m")))
            let gain = Double(try rig.render(256)[0][200])
            #expect(
                abs(gain - row.number("gain")) < 1e-5,
                "\(row["model"]) \(row["parameters"]) at \(row["distance_m"]): \(gain)")
        }
    }

    @Test("pans to the side a source is on, whichever way the listener is turned")
    func turning() throws {
        let rig = try EnvironmentRig()
        let source = try rig.add([noise])
        source.position = AVAudio3DPoint(x: 0, y: 0, z: -1)
        // Looking to the right, what was in front is at the left.
        rig.environment.listenerAngularOrientation = AVAudio3DAngularOrientation(yaw: 90, pitch: 0, roll: 0)
        let out = try rig.render(1000)
        #expect(Measure.sameBytes(out[0], Array(noise.prefix(1000))) && out[1].allSatisfy { $0 == 0 })
    }

    @Test("stereo passes by without place, distance, obstacles or reverb")
    func stereo() throws {
        let rig = try EnvironmentRig()
        let sound = [noise, Signal.noise(count: 4096, seed: 2)]
        let source = try rig.add(sound)
        source.position = AVAudio3DPoint(x: 50, y: 0, z: 0)
        (source.occlusion, source.obstruction, source.reverbBlend) = (-40, -40, 1)
        rig.environment.reverbParameters.enable = true
        let out = try rig.render(1000)
        #expect(
            Measure.sameBytes(out[0], Array(sound[0].prefix(1000)))
                && Measure.sameBytes(out[1], Array(sound[1].prefix(1000))))
    }

    @Test("blends into the reverb at equal power, and only what is enabled is heard")
    func reverb() throws {
        func render(_ blend: Float, enabled: Bool) throws -> [[Float]] {
            let rig = try EnvironmentRig()
            let source = try rig.add([noise])
            source.position = AVAudio3DPoint(x: 1, y: 0, z: 0)
            source.reverbBlend = blend
            rig.environment.reverbParameters.loadFactoryReverbPreset(.smallRoom)
            rig.environment.reverbParameters.enable = enabled
            return try rig.render(9600)
        }
        let dry = try render(0.5, enabled: false)
        let expected = noise.map { $0 * Float(0.5).squareRoot() }
        #expect(Measure.largestDifference(dry[1], expected) < 1e-6 && dry[0].allSatisfy { $0 == 0 })
        let half = try render(0.5, enabled: true), wet = try render(1, enabled: true)
        #expect(Measure.rms(half[0]) > 0.01)
        // What the other ear hears is reverb alone: 3 dB more of it at full blend.
        #expect(abs(Measure.level(wet[0]) - Measure.level(half[0]) - 3.01) < 0.01)
        #expect(try render(0, enabled: true)[0].allSatisfy { $0 == 0 })
    }

    @Test("every preset rings", arguments: AVAudioUnitReverbPreset.allCases)
    func presets(preset: AVAudioUnitReverbPreset) throws {
        let rig = try EnvironmentRig()
        let source = try rig.add([noise])
        source.reverbBlend = 1
        rig.environment.reverbParameters.enable = true
        rig.environment.reverbParameters.loadFactoryReverbPreset(preset)
        let out = try rig.render(19_200)
        #expect(Measure.isFinite(out[0]) && Measure.rms(out[0].suffix(4800)) > 1e-6)
    }

    @Test(
        "auto is two ears for headphones and loudspeakers otherwise; in manual rendering it takes an output type to say so"
    )
    func auto() throws {
        for (type, hearsBoth) in [
            (AVAudioEnvironmentOutputType.headphones, true), (.auto, false), (.externalSpeakers, false),
        ] {
            let rig = try EnvironmentRig()
            rig.environment.outputType = type
            let source = try rig.add([noise])
            source.renderingAlgorithm = .auto
            source.position = AVAudio3DPoint(x: 2, y: 0, z: 0)
            let out = try rig.render(2000)
            #expect((Measure.rms(out[0]) > 1e-3) == hearsBoth && Measure.rms(out[1]) > 0.05)
            #expect(rig.environment.latency == (hearsBoth ? 144 / 48_000.0 : 0))
        }
    }

    @Test(
        "the sound field brings a source to the loudspeaker it stands behind, in every layout",
        arguments: [
            (kAudioChannelLayoutTag_AudioUnit_4, 3, -135.0), (kAudioChannelLayoutTag_AudioUnit_5_0, 2, 110),
            (kAudioChannelLayoutTag_MPEG_5_1_A, 4, 110),
            (kAudioChannelLayoutTag_AudioUnit_6_0, 5, 180), (kAudioChannelLayoutTag_MPEG_6_1_A, 6, 180),
            (kAudioChannelLayoutTag_AudioUnit_7_0, 5, 135),
            (kAudioChannelLayoutTag_AudioUnit_7_0_Front, 6, -15), (kAudioChannelLayoutTag_MPEG_7_1_C, 7, -135),
            (kAudioChannelLayoutTag_AudioUnit_8, 6, 90),
        ] as [(AudioChannelLayoutTag, Int, Double)])
    func layouts(tag: AudioChannelLayoutTag, channel: Int, azimuth: Double) throws {
        for algorithm in [AVAudio3DMixingRenderingAlgorithm.soundField, .auto] {
            let rig = try EnvironmentRig(layout: tag)
            let source = try rig.add([[Float](repeating: 1, count: 600)])
            source.renderingAlgorithm = algorithm
            let angle = azimuth * .pi / 180
            source.position = AVAudio3DPoint(x: Float(-sin(angle)), y: 0, z: Float(-cos(angle)))
            let out = try rig.render(300)
            for (index, samples) in out.enumerated() {
                #expect(abs(samples[200] - (index == channel ? 1 : 0)) < 1e-3, "\(index)")
            }
        }
    }

    @Test("tells which algorithms suit its output")
    func applicable() throws {
        let algorithms = { (tag: AudioChannelLayoutTag) in
            let rig = try EnvironmentRig(layout: tag)
            return withExtendedLifetime(rig) { rig.environment.applicableRenderingAlgorithms.map(\.intValue) }
        }
        #expect(
            try algorithms(kAudioChannelLayoutTag_Stereo).contains(AVAudio3DMixingRenderingAlgorithm.HRTFHQ.rawValue))
        #expect(
            try !algorithms(kAudioChannelLayoutTag_Stereo).contains(
                AVAudio3DMixingRenderingAlgorithm.soundField.rawValue))
        #expect(
            try algorithms(kAudioChannelLayoutTag_MPEG_5_1_A).contains(
                AVAudio3DMixingRenderingAlgorithm.soundField.rawValue))
    }

    @Test(
        "a source in the listener's head is heard in the middle, by every algorithm",
        arguments: [
            AVAudio3DMixingRenderingAlgorithm.equalPowerPanning, .sphericalHead, .HRTF, .HRTFHQ, .soundField,
            .stereoPassThrough, .auto,
        ])
    func inside(algorithm: AVAudio3DMixingRenderingAlgorithm) throws {
        let rig = try EnvironmentRig()
        rig.environment.outputType = .headphones
        let source = try rig.add([noise])
        source.renderingAlgorithm = algorithm
        let out = try rig.render(2000)
        #expect(Measure.isFinite(out[0]) && Measure.rms(out[0]) > 0.3)
        #expect(Measure.rms(zip(out[0], out[1]).map { $0 - $1 }) <= 1e-6 * Measure.rms(out[0]))
    }

    @Test("adds up its inputs at the output volume, and hears changes from the next call on")
    func volume() throws {
        let rig = try EnvironmentRig(channels: 1)
        let (a, b) = (
            try rig.add([[Float](repeating: 0.5, count: 9000)]), try rig.add([[Float](repeating: 0.25, count: 9000)])
        )
        (a.volume, b.volume) = (0.5, 1)
        rig.environment.outputVolume = 0.5
        #expect(try rig.render(512)[0].allSatisfy { $0 == 0.25 })
        rig.environment.outputVolume = 1
        a.volume = 1
        let out = try rig.render(1024)[0]
        #expect(out[0] == 0.25 && out[1000] == 0.75 && Measure.largestKink(out) < 0.01)
    }

    @Test("refuses what is not a number or no orientation, and says so")
    func refusals() throws {
        let rig = try EnvironmentRig()
        rig.engine.errorHandler = { _ in }
        let before = rig.environment.listenerVectorOrientation
        rig.environment.listenerVectorOrientation = AVAudio3DVectorOrientation(
            forward: AVAudio3DVector(x: 0, y: 2, z: 0), up: AVAudio3DVector(x: 0, y: 1, z: 0))
        #expect(rig.environment.listenerVectorOrientation == before && rig.engine.lastError != nil)
        rig.engine.lastError = nil
        rig.environment.listenerPosition = AVAudio3DPoint(x: .nan, y: 0, z: 0)
        #expect(rig.environment.listenerPosition == AVAudio3DPoint() && rig.engine.lastError != nil)
        rig.environment.outputVolume = 7
        #expect(rig.environment.outputVolume == 1)
    }

    @Test("keeps what was set while it is not connected, and is silent without inputs")
    func unconnected() throws {
        let node = AVAudioEnvironmentNode()
        node.listenerPosition = AVAudio3DPoint(x: 1, y: 2, z: 3)
        node.outputVolume = 0.25
        node.reverbParameters.level = 99
        node.reverbParameters.filterParameters.frequency = 1
        #expect(node.listenerPosition == AVAudio3DPoint(x: 1, y: 2, z: 3) && node.outputVolume == 0.25)
        #expect(node.reverbParameters.level == 40 && node.reverbParameters.filterParameters.frequency == 20)
        #expect(node.nextAvailableInputBus == 0 && node.latency == 0)
        #expect(try EnvironmentRig().render(256).allSatisfy { $0.allSatisfy { $0 == 0 } })
    }

    @Test("has Apple's defaults")
    func defaults() {
        let node = AVAudioEnvironmentNode()
        #expect(node.outputType == .auto && node.outputVolume == 1 && !node.isListenerHeadTrackingEnabled)
        #expect(
            node.listenerVectorOrientation
                == AVAudioMake3DVectorOrientation(AVAudioMake3DVector(0, 0, -1), AVAudioMake3DVector(0, 1, 0)))
        let law = node.distanceAttenuationParameters
        #expect(
            law.distanceAttenuationModel == .inverse && law.referenceDistance == 1 && law.maximumDistance == 100_000
                && law.rolloffFactor == 1)
        #expect(!node.reverbParameters.enable && node.reverbParameters.level == 0)
        let filter = node.reverbParameters.filterParameters
        #expect(filter.filterType == .parametric && filter.bypass && filter.gain == 0)
        #expect(
            (0...7).compactMap { AVAudio3DMixingRenderingAlgorithm(rawValue: $0) }.count == 7
                && AVAudio3DMixingRenderingAlgorithm(rawValue: 4) == nil)
        #expect((1...3).allSatisfy { AVAudioEnvironmentDistanceAttenuationModel(rawValue: $0) != nil })
    }
}
