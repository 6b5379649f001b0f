import PHASE
import Testing
@testable import OssiclePHASE

/// Calls as client code writes them; that they compile is half the test.
@Suite struct DefinitionsSpellingTests {
    @Test("the WWDC21 listing's spellings build the same definitions as the shipped ones")
    func listing() throws {
        let options: PHASESpatialPipeline.Options = [.directPathTransmission, .lateReverb]
        let pipeline = PHASESpatialPipeline(options: options)!
        pipeline.entries[PHASESpatialCategory.lateReverb]!.sendLevel = 0.1
        let mixer = PHASESpatialMixerDefinition(spatialPipeline: pipeline)
        let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: "drums", mixerDefinition: mixer)
        sampler.playbackMode = .looping
        sampler.setCalibrationMode(.relativeSpl, level: 0)
        #expect(sampler.calibrationMode == .relativeSpl && sampler.level == 0)

        let wetness = PHASENumberMetaParameterDefinition(value: 0.5, minimum: 0, maximum: 1, identifier: "wetness")
        let old = PHASEBlendNodeDefinition(blendMetaParameterDefinition: wetness)
        old.addRangeForInputValues(belowValue: 1, fullGainAtValue: 0, fadeCurveType: .linear, subtree: sampler)
        old.addRangeForInputValues(aboveValue: 0, fullGainAtValue: 1, fadeCurveType: .linear, subTree: sampler)
        let shipped = PHASEBlendNodeDefinition(blendMetaParameterDefinition: wetness)
        shipped.addRangeForInputValuesBelow(value: 1, fullGainAtValue: 0, fadeCurveType: .linear, subtree: sampler)
        shipped.addRangeForInputValuesAbove(value: 0, fullGainAtValue: 1, fadeCurveType: .linear, subtree: sampler)
        #expect(try old.snapshot().nodes[0].kind == shipped.snapshot().nodes[0].kind)
    }

    @Test("a blend by distance has both spellings")
    func distanceBlend() throws {
        let mixer = PHASESpatialMixerDefinition(
            spatialPipeline: PHASESpatialPipeline(flags: [.directPathTransmission])!)
        let blend = PHASEBlendNodeDefinition(distanceBlendWithSpatialMixerDefinition: mixer)
        #expect(blend.spatialMixerDefinitionForDistance === mixer && blend.blendParameterDefinition == nil)
        let named = PHASEBlendNodeDefinition(distanceBlendWithSpatialMixerDefinition: mixer, identifier: "blend")
        #expect(named.spatialMixerDefinitionForDistance === mixer && named.identifier == "blend")
    }

    @Test("import PHASE brings AVFoundation into view")
    func avFoundation() {
        let time = CMTime(seconds: 1.5, preferredTimescale: 600)
        #expect(CMTimeGetSeconds(time) == 1.5)
        #expect(AVURLAsset(url: URL(fileURLWithPath: "/nowhere.wav")).url.path == "/nowhere.wav")
    }

    @Test("spellings of real code")
    func realCode() throws {
        let pipeline = PHASESpatialPipeline(flags: [.directPathTransmission, .earlyReflections, .lateReverb])!
        pipeline.entries[.lateReverb]!.sendLevel = 0.2
        let mixer = PHASESpatialMixerDefinition(spatialPipeline: pipeline, identifier: "mixer")
        let model = PHASEGeometricSpreadingDistanceModelParameters()
        model.fadeOutParameters = PHASEDistanceModelFadeOutParameters(cullDistance: 100)
        model.rolloffFactor = 0.25
        mixer.distanceModelParameters = model

        let random = PHASERandomNodeDefinition()
        random.addSubtree(PHASESamplerNodeDefinition(soundAssetIdentifier: "a", mixerDefinition: mixer), weight: 2)
        random.addSubtree(PHASESamplerNodeDefinition(soundAssetIdentifier: "b", mixerDefinition: mixer), weight: 1.5)
        let terrain = PHASEStringMetaParameterDefinition(value: "creaky_wood", identifier: "terrain")
        let steps = PHASESwitchNodeDefinition(switchMetaParameterDefinition: terrain)
        steps.addSubtree(random, switchValue: "creaky_wood")
        let root = PHASEContainerNodeDefinition(identifier: "root")
        root.addSubtree(steps)
        #expect(try root.snapshot().nodes.count == 5)

        let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo))
        let ambience = PHASEAmbientMixerDefinition(
            channelLayout: layout, orientation: simd_quatf(ix: 0, iy: 0, iz: 0, r: 1), identifier: "bed")
        #expect(ambience.inputChannelLayout === layout && ambience.identifier == "bed")
        #expect(PHASEChannelMixerDefinition(channelLayout: layout, identifier: "direct").inputChannelLayout === layout)
        #expect(PHASEReverbPreset(rawValue: 0x72437468) == .cathedral)

        let parameters = PHASEMixerParameters()
        let (source, listener) = (
            PHASESource(engine: PHASEEngine(updateMode: .manual)),
            PHASEListener(engine: PHASEEngine(updateMode: .manual))
        )
        parameters.addSpatialMixerParameters(identifier: mixer.identifier, source: source, listener: listener)
        parameters.addAmbientMixerParameters(identifier: ambience.identifier, listener: listener)
        #expect(parameters.placements["mixer"]?.source === source && parameters.placements["bed"]?.source == nil)
    }
}
