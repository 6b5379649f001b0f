import OssicleSoundEvents
import PHASE
import Testing
@testable import OssiclePHASE

@Suite struct DefinitionsSnapshotTests {
    private let mixer = PHASESpatialMixerDefinition(
        spatialPipeline: PHASESpatialPipeline(flags: [.directPathTransmission, .lateReverb])!,
        identifier: "mixer")

    private func sampler(_ asset: String) -> PHASESamplerNodeDefinition {
        PHASESamplerNodeDefinition(soundAssetIdentifier: asset, mixerDefinition: mixer, identifier: asset)
    }

    private func refusal(of node: PHASESoundEventNodeDefinition) -> PHASEAssetError? {
        #expect(throws: PHASEAssetError.self) { try node.snapshot() }
    }

    @Test("nodes stand in depth-first order, children in the order they were added")
    func order() throws {
        let inner = PHASEContainerNodeDefinition(identifier: "inner")
        ["a", "b"].forEach { inner.addSubtree(sampler($0)) }
        let root = PHASEContainerNodeDefinition(identifier: "root")
        root.addSubtree(inner)
        root.addSubtree(sampler("c"))
        let tree = try root.snapshot()
        #expect(tree.nodes.map(\.identifier) == ["root", "inner", "a", "b", "c"])
        #expect(tree.nodes.map(\.children) == [[1, 4], [2, 3], [], [], []])
        #expect(tree.mixers.map(\.identifier) == ["mixer"])
    }

    @Test("later edits are not seen")
    func immutable() throws {
        let leaf = sampler("a")
        let root = PHASEContainerNodeDefinition()
        root.addSubtree(leaf)
        mixer.gain = 0.5
        let tree = try root.snapshot()
        leaf.rate = 2
        mixer.gain = 0.1
        root.addSubtree(sampler("b"))
        #expect(tree.nodes.count == 2 && tree.sampler(1)?.generator.rate == 1 && tree.mixers[0].gain == 0.5)
        #expect(try root.snapshot() != tree)
    }

    @Test("everything a sampler and its spatial mixer say is written down")
    func leafAndMixer() throws {
        let wet = PHASENumberMetaParameterDefinition(value: 0.3, minimum: 0, maximum: 1, identifier: "wet")
        mixer.spatialPipeline.entries[.lateReverb]?.sendLevel = 0.25
        mixer.spatialPipeline.entries[.lateReverb]?.sendLevelMetaParameterDefinition = wet
        let model = PHASEGeometricSpreadingDistanceModelParameters()
        model.rolloffFactor = 0.5
        model.fadeOutParameters = PHASEDistanceModelFadeOutParameters(cullDistance: 20)
        mixer.distanceModelParameters = model
        let band = PHASECardioidDirectivityModelSubbandParameters()
        band.pattern = 0.5
        mixer.sourceDirectivityModelParameters = PHASECardioidDirectivityModelParameters(subbandParameters: [band])
        let group = PHASEGroup(identifier: "music")
        let leaf = sampler("a")
        leaf.group = group
        leaf.gainMetaParameterDefinition = wet
        leaf.cullOption = .doNotCull
        leaf.playbackMode = .looping
        leaf.setCalibrationMode(calibrationMode: .absoluteSpl, level: 60)
        let tree = try leaf.snapshot()
        let index = try #require(tree.parameters.firstIndex { $0.identifier == "wet" })
        #expect(
            tree.sampler(0)
                == SamplerLeaf(
                    asset: "a",
                    generator: Generator(
                        mixer: 0, calibration: Calibration(.absoluteSPL, level: 60), group: "music",
                        gainParameter: index),
                    playback: .looping, cull: .doNotCull))
        #expect(
            tree.mixers == [
                MixerBlueprint(
                    identifier: "mixer",
                    kind: .spatial(
                        .init(
                            direct: .init(level: 1), lateReverb: .init(level: 0.25, parameter: index),
                            distance: .init(law: .geometric(rolloff: 0.5), cullDistance: 20),
                            sourceDirectivity: .cardioid([.init(frequency: 1000, pattern: 0.5, sharpness: 1)]))))
            ])
        #expect(tree.parameters.count == 1)
    }

    @Test("a mapped meta-parameter brings its inputs along, before itself")
    func mapped() throws {
        let input = PHASENumberMetaParameterDefinition(value: 1, minimum: 0, maximum: 2, identifier: "speed")
        let envelope = try #require(
            PHASEEnvelope(startPoint: [0, 0], segments: [PHASEEnvelopeSegment(endPoint: [2, 1], curveType: .linear)]))
        let pitch = PHASEMappedMetaParameterDefinition(
            inputMetaParameterDefinition: input, envelope: envelope, identifier: "pitch")
        let deeper = PHASEMappedMetaParameterDefinition(
            inputMetaParameterDefinition: pitch, envelope: envelope, identifier: "deeper")
        let leaf = sampler("a")
        leaf.rateMetaParameterDefinition = deeper
        let tree = try leaf.snapshot()
        #expect(tree.parameters.map(\.identifier) == ["speed", "pitch", "deeper"])
        var values = ParameterValues(tree.parameters)
        values.set(0, to: 2)
        #expect(values.number(1) == 1 && values.number(2) == 0.5)
    }

    @Test("one identifier for a number and a text is refused; for the same kind it is one meta-parameter")
    func parameterNames() throws {
        let number = PHASENumberMetaParameterDefinition(value: 1, identifier: "x")
        let blend = PHASEBlendNodeDefinition(blendMetaParameterDefinition: number)
        let same = PHASEBlendNodeDefinition(
            blendMetaParameterDefinition: PHASENumberMetaParameterDefinition(value: 2, identifier: "x"))
        let other = PHASESwitchNodeDefinition(
            switchMetaParameterDefinition: PHASEStringMetaParameterDefinition(value: "a", identifier: "x"))
        let root = PHASEContainerNodeDefinition()
        root.addSubtree(blend)
        root.addSubtree(same)
        #expect(try root.snapshot().parameters.count == 1)
        root.addSubtree(other)
        #expect(refusal(of: root)?.localizedDescription.contains("“x”") == true)
    }

    @Test("a shared subtree stands in each place, under one definition number")
    func shared() throws {
        let random = PHASERandomNodeDefinition(identifier: "steps")
        ["a", "b"].forEach { random.addSubtree(sampler($0), weight: 1) }
        random.uniqueSelectionQueueLength = 1
        let root = PHASEContainerNodeDefinition()
        root.addSubtree(random)
        root.addSubtree(random)
        let tree = try root.snapshot()
        #expect(tree.nodes.map(\.identifier).dropFirst() == ["steps", "a", "b", "steps", "a", "b"])
        #expect(tree.nodes.map(\.definition) == [0, 1, 2, 3, 1, 2, 3])
        // The queue holds across places: the two never play the same.
        var history = SelectionHistory()
        for event in UInt64(0)..<50 {
            let active = tree.activate(
                parameters: ParameterValues([]), trigger: Trigger(seed: 3, event: event), history: &history)
            #expect(Set(active.compactMap { tree.sampler($0.node)?.asset }) == ["a", "b"])
        }
    }

    @Test("a node below itself is refused by name")
    func cycle() {
        let outer = PHASEContainerNodeDefinition(identifier: "outer")
        let inner = PHASEContainerNodeDefinition(identifier: "inner")
        outer.addSubtree(inner)
        inner.addSubtree(outer)
        let error = refusal(of: outer)
        #expect(error?.code == .badParameters && error?.localizedDescription.contains("“outer”") == true)
    }

    @Test("1,000 levels are captured, 1,001 refused, and shared subtrees cannot multiply without end")
    func limits() throws {
        func chain(_ levels: Int) -> PHASEContainerNodeDefinition {
            let root = PHASEContainerNodeDefinition()
            var deepest = root
            for _ in 1..<levels {
                let next = PHASEContainerNodeDefinition()
                deepest.addSubtree(next)
                deepest = next
            }
            return root
        }
        #expect(try chain(1000).snapshot().nodes.count == 1000)
        #expect(refusal(of: chain(1001))?.code == .badParameters)
        var doubled: PHASESoundEventNodeDefinition = sampler("a")
        for _ in 0..<40 {
            let parent = PHASEContainerNodeDefinition()
            parent.addSubtree(doubled)
            parent.addSubtree(doubled)
            doubled = parent
        }
        #expect(refusal(of: doubled)?.code == .badParameters)
    }

    @Test("a blend threshold that is not a number is refused by the node's name; a blend by distance names its mixer")
    func blends() throws {
        let blend = PHASEBlendNodeDefinition(spatialMixerDefinition: mixer, identifier: "near and far")
        blend.addRangeForInputValuesBetween(
            lowValue: 0, highValue: 10, fullGainAtLowValue: 1, fullGainAtHighValue: 5,
            lowFadeCurveType: .sine, highFadeCurveType: .linear, subtree: sampler("near"))
        let tree = try blend.snapshot()
        #expect(
            tree.nodes[0].kind
                == .blend(
                    .distance(mixer: 0),
                    ranges: [
                        .between(low: 0, fullLow: 1, lowCurve: .sine, high: 10, fullHigh: 5, highCurve: .linear)
                    ]))
        blend.addRangeForInputValuesAbove(
            value: .nan, fullGainAtValue: 1, fadeCurveType: .linear, subtree: sampler("far"))
        #expect(refusal(of: blend)?.localizedDescription.contains("near and far") == true)
    }

    @Test("channel beds carry their labels, and an ambient bed its axes in the world (1e-6)")
    func beds() throws {
        let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Quadraphonic))
        let turned = PHASEAmbientMixerDefinition(
            channelLayout: layout, orientation: simd_quatf(angle: .pi / 2, axis: [0, 1, 0]))
        let leaf = PHASESamplerNodeDefinition(soundAssetIdentifier: "wind", mixerDefinition: turned)
        guard case .ambient(let bed, let pose) = try leaf.snapshot().mixers[0].kind else {
            Issue.record("an ambient mixer became something else")
            return
        }
        #expect(bed.layoutTag == kAudioChannelLayoutTag_Quadraphonic && bed.labels.count == 4)
        // A quarter turn to the left brings right to the front (−z).
        #expect((pose.right - [0, 0, -1]).magnitude < 1e-6 && (pose.forward - [-1, 0, 0]).magnitude < 1e-6)
        let broken = PHASEAmbientMixerDefinition(
            channelLayout: layout, orientation: simd_quatf(ix: 0, iy: 0, iz: 0, r: 0))
        let other = PHASESamplerNodeDefinition(soundAssetIdentifier: "wind", mixerDefinition: broken)
        guard case .ambient(_, let level) = try other.snapshot().mixers[0].kind else { return }
        #expect(level == .identity)
    }
}
