import OssicleSoundEvents
import PHASE
import Testing
@testable import OssiclePHASE

@Suite struct DefinitionsDefaultsTests {
    private var pipeline: PHASESpatialPipeline {
        get throws { try #require(PHASESpatialPipeline(flags: [.directPathTransmission, .lateReverb])) }
    }

    @Test("codes are Apple's, which are four characters each")
    func rawValues() {
        func code(_ text: String) -> Int { text.utf8.reduce(0) { $0 << 8 | Int($1) } }
        #expect(
            PHASEReverbPreset.largeRoom2.rawValue == code("rLR2")
                && PHASEReverbPreset.cathedral.rawValue == code("rCth"))
        #expect(PHASEReverbPreset(rawValue: code("rNon")) == PHASEReverbPreset.none)
        #expect(
            PHASECurveType.inverseSigmoid.rawValue == code("crIG")
                && PHASECurveType.jumpToEndValue.rawValue == code("crJE"))
        #expect(PHASEMaterialPreset.wood.rawValue == code("mWud") && PHASEMedium.Preset.air.rawValue == code("mdAr"))
        #expect(
            PHASEError.Code.invalidObject.rawValue == code("PHEb")
                && PHASEAssetError.Code.memoryAllocation.rawValue == code("PHaf"))
        #expect(PHASESoundEventError.Code.outOfMemory.rawValue == code("PHtf"))
    }

    @Test("every curve of the facade is one of the engine's, and back")
    func curves() {
        let all: [PHASECurveType] = [
            .linear, .squared, .inverseSquared, .cubed, .inverseCubed, .sine, .inverseSine, .sigmoid,
            .inverseSigmoid, .holdStartValue, .jumpToEndValue,
        ]
        #expect(all.map { PHASECurveType($0.curve) } == all)
        #expect(Set(all.map(\.curve)).count == CurveType.allCases.count)
    }

    @Test("numeric helpers start at zero, linear")
    func helpers() {
        #expect(PHASENumericPair().first == 0 && PHASENumericPair().second == 0)
        let segment = PHASEEnvelopeSegment()
        #expect(segment.endPoint == simd_double2(0, 0) && segment.curveType == .linear)
    }

    @Test("an envelope sorts, evaluates, reports domain and range, and does not see later edits")
    func envelope() throws {
        let segment = PHASEEnvelopeSegment(endPoint: [1, 1], curveType: .squared)
        let envelope = try #require(
            PHASEEnvelope(
                startPoint: [0, 0], segments: [PHASEEnvelopeSegment(endPoint: [2, -1], curveType: .linear), segment]))
        segment.endPoint = [9, 9]
        #expect(envelope.evaluate(x: 0.5) == 0.25 && envelope.evaluate(x: 1.5) == 0 && envelope.evaluate(x: 7) == -1)
        #expect(
            envelope.domain.first == 0 && envelope.domain.second == 2 && envelope.range.first == -1
                && envelope.range.second == 1)
        #expect(envelope.segments.map(\.endPoint) == [[1, 1], [2, -1]])
        #expect(
            PHASEEnvelope(
                startPoint: [3, 0], segments: [segment, PHASEEnvelopeSegment(endPoint: [2, 0], curveType: .linear)])
                == nil)
        #expect(try #require(PHASEEnvelope(startPoint: [3, 0.5], segments: [])).segments.count == 1)
    }

    @Test("distance models default to 6 dB per doubling without cull, and clamp")
    func distance() {
        let spreading = PHASEGeometricSpreadingDistanceModelParameters()
        #expect(spreading.rolloffFactor == 1 && spreading.fadeOutParameters == nil)
        spreading.rolloffFactor = -2
        #expect(spreading.rolloffFactor == 0)
        spreading.rolloffFactor = .nan
        #expect(spreading.rolloffFactor == 0)
        spreading.rolloffFactor = .infinity
        #expect(spreading.rolloffFactor == .greatestFiniteMagnitude)
        #expect(PHASEDistanceModelFadeOutParameters(cullDistance: 0.1).cullDistance == 1)
        #expect(PHASEDistanceModelFadeOutParameters(cullDistance: 40).cullDistance == 40)
        #expect(PHASEDistanceModelFadeOutParameters(cullDistance: .nan).cullDistance == .greatestFiniteMagnitude)
    }

    @Test("directivity bands default to all round and clamp; an outer cone is never narrower than the inner")
    func directivity() {
        let cardioid = PHASECardioidDirectivityModelSubbandParameters()
        #expect(cardioid.frequency == 1000 && cardioid.pattern == 0 && cardioid.sharpness == 1)
        (cardioid.frequency, cardioid.pattern, cardioid.sharpness) = (1, 2, 0)
        #expect(cardioid.frequency == 20 && cardioid.pattern == 1 && cardioid.sharpness == 1)
        let cone = PHASEConeDirectivityModelSubbandParameters()
        #expect(cone.frequency == 1000 && cone.innerAngle == 360 && cone.outerAngle == 360 && cone.outerGain == 1)
        cone.setAngles(innerAngle: 90, outerAngle: 215)
        #expect(cone.innerAngle == 90 && cone.outerAngle == 215)
        cone.setAngles(innerAngle: 500, outerAngle: 10)
        #expect(cone.innerAngle == 360 && cone.outerAngle == 360)
        (cone.frequency, cone.outerGain) = (1e6, -1)
        #expect(cone.frequency == 20_000 && cone.outerGain == 0)
    }

    @Test("a pipeline has one entry per flag, at full level, and needs at least one flag that means something")
    func spatialPipeline() throws {
        let pipeline = try pipeline
        #expect(Set(pipeline.entries.keys) == [.directPathTransmission, .lateReverb])
        let reverb = try #require(pipeline.entries[.lateReverb])
        #expect(reverb.sendLevel == 1 && reverb.sendLevelMetaParameterDefinition == nil)
        reverb.sendLevel = 1.5
        #expect(reverb.sendLevel == 1)
        #expect(PHASESpatialPipeline(flags: []) == nil && PHASESpatialPipeline(flags: .init(rawValue: 1 << 9)) == nil)
    }

    @Test("mixers and samplers start at full level, normal speed, one shot, ended by culling, and clamp")
    func mixersAndSamplers() throws {
        let mixer = PHASESpatialMixerDefinition(spatialPipeline: try pipeline)
        #expect(mixer.gain == 1 && mixer.distanceModelParameters == nil && mixer.gainMetaParameterDefinition == nil)
        mixer.gain = 3
        #expect(mixer.gain == 1)
        let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: "drum", mixerDefinition: mixer)
        #expect(sampler.assetIdentifier == "drum" && sampler.mixerDefinition === mixer && sampler.group == nil)
        #expect(sampler.calibrationMode == .none && sampler.level == 1 && sampler.rate == 1)
        #expect(sampler.cullOption == .terminate && sampler.playbackMode == .oneShot && sampler.children.isEmpty)
        sampler.rate = 9
        #expect(sampler.rate == 4)
        sampler.setCalibrationMode(calibrationMode: .relativeSpl, level: 12)
        #expect(sampler.calibrationMode == .relativeSpl && sampler.level == 12)
    }

    @Test("meta-parameters keep their initial value within their limits")
    func metaParameters() throws {
        let free = PHASENumberMetaParameterDefinition(value: 3)
        #expect(
            free.value as? Double == 3 && free.minimum == -.greatestFiniteMagnitude
                && free.maximum == .greatestFiniteMagnitude)
        let bound = PHASENumberMetaParameterDefinition(value: 3, minimum: 0, maximum: 1, identifier: "wet")
        #expect(bound.value as? Double == 1 && bound.identifier == "wet" && bound.minimum == 0 && bound.maximum == 1)
        #expect(PHASEStringMetaParameterDefinition(value: "grass").value as? String == "grass")
        let half = try #require(
            PHASEEnvelope(
                startPoint: [0, 0], segments: [PHASEEnvelopeSegment(endPoint: [1, 0.5], curveType: .linear)]))
        let mapped = PHASEMappedMetaParameterDefinition(inputMetaParameterDefinition: bound, envelope: half)
        #expect(mapped.value as? Double == 0.5 && mapped.maximum == 0.5)
    }

    @Test("weights and queue lengths clamp; containers have their own new()")
    func nodes() {
        let random = PHASERandomNodeDefinition(identifier: "steps")
        #expect(random.uniqueSelectionQueueLength == 0 && random.identifier == "steps")
        random.uniqueSelectionQueueLength = -4
        #expect(random.uniqueSelectionQueueLength == 0)
        #expect(PHASEContainerNodeDefinition.new().children.isEmpty)
        #expect(PHASEContainerNodeDefinition(identifier: "all").identifier == "all")
    }

    @Test("what is left unnamed gets a name of its own")
    func generatedIdentifiers() {
        let names = (0..<100).map { _ in PHASEContainerNodeDefinition().identifier }
        #expect(Set(names).count == 100)
    }
}
