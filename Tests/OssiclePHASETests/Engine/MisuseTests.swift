import Foundation
import PHASE
import Testing

@Suite struct MisuseTests {
    /// The error a call throws, with what its message has to name.
    private func expectError(
        _ code: any Equatable, naming words: String..., sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) {
        do {
            try body()
            Issue.record("nothing was thrown", sourceLocation: sourceLocation)
        } catch {
            let sentence = error.localizedDescription
            for word in words {
                #expect(sentence.contains(word), "“\(sentence)” does not name \(word)", sourceLocation: sourceLocation)
            }
            let thrown = [
                (error as? PHASEAssetError).map { "\($0.code)" }, (error as? PHASESoundEventError).map { "\($0.code)" },
                (error as? PHASEError).map { "\($0.code)" },
            ].compactMap { $0 }
            #expect(thrown == ["\(code)"], sourceLocation: sourceLocation)
        }
    }

    private func temporaryFile(_ name: String, _ bytes: Data) throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-\(UUID().uuidString)-\(name)")
        try bytes.write(to: url)
        return url
    }

    private func register(_ stage: Stage, _ url: URL, as name: String = "x") throws {
        try stage.engine.assetRegistry.registerSoundAsset(
            url: url, identifier: name, assetType: .resident, channelLayout: nil, normalizationMode: .none)
    }

    @Test func `duplicate identifiers`() throws {
        let stage = try Stage()
        try stage.register("twice", [sine(440, 100)])
        expectError(PHASEAssetError.Code.alreadyExists, naming: "twice") {
            try stage.register("twice", [sine(440, 100)])
        }
        expectError(PHASEAssetError.Code.alreadyExists, naming: "twice") {
            try stage.engine.assetRegistry.registerSoundEventAsset(
                rootNode: PHASEContainerNodeDefinition(), identifier: "twice")
        }
    }

    @Test func `unknown identifiers`() throws {
        let stage = try Stage()
        expectError(PHASESoundEventError.Code.notFound, naming: "nowhere") { _ = try stage.event("nowhere") }
        try stage.registerEvent("missing sound", into: stage.channelMixer())
        expectError(PHASESoundEventError.Code.notFound, naming: "missing sound") {
            _ = try stage.event("missing sound event")
        }
        stage.engine.assetRegistry.unregisterAsset(identifier: "nowhere", completionHandler: nil)
        #expect(stage.engine.assetRegistry.asset(forIdentifier: "nowhere") == nil)
    }

    @Test func `files that are missing, empty, foreign, or a folder`() throws {
        let stage = try Stage()
        let missing = URL(fileURLWithPath: "/nonexistent/drums.wav")
        expectError(PHASEAssetError.Code.failedToLoad, naming: "drums.wav") { try register(stage, missing) }
        let empty = try temporaryFile("empty.wav", Data())
        expectError(PHASEAssetError.Code.failedToLoad, naming: "empty.wav") { try register(stage, empty) }
        let foreign = try temporaryFile("text.wav", Data("this is no sound at all, really".utf8))
        expectError(PHASEAssetError.Code.failedToLoad, naming: "text.wav") { try register(stage, foreign) }
        expectError(PHASEAssetError.Code.failedToLoad, naming: "/tmp") {
            try register(stage, URL(fileURLWithPath: "/tmp"))
        }
        if let web = URL(string: "https://example.com/a.wav") {
            expectError(PHASEAssetError.Code.failedToLoad, naming: "example.com") { try register(stage, web) }
        }
    }

    @Test func `a truncated file gives the frames that are there`() throws {
        let stage = try Stage()
        let format = try TestFailure.unwrap(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-\(UUID().uuidString).wav")
        let buffer = try TestFailure.unwrap(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4800))
        buffer.frameLength = 4800
        for (index, sample) in sine(440, 4800).enumerated() { buffer.floatChannelData?[0][index] = sample }
        let file = try AVAudioFile(forWriting: url, settings: format.settings)
        try file.write(from: buffer)
        file.close()
        let whole = try Data(contentsOf: url)
        let cut = try temporaryFile("cut.wav", whole.prefix(whole.count / 2))
        try register(stage, cut, as: "cut")
        let event = try stage.registerEvent("cut", into: stage.channelMixer())
        try stage.start()
        try stage.event(event).start()
        let out = try stage.render(4800)[0]
        let sounding = out.lastIndex { $0 != 0 } ?? 0
        #expect((2000...2400).contains(sounding))
        #expect(Array(out[0..<2000]) == Array(sine(440, 4800)[0..<2000]))
    }

    @Test func `empty lists of shapes and broken meshes are recorded and harmless`() throws {
        let stage = try Stage()
        let engine = stage.engine
        #expect(PHASESource(engine: engine, shapes: []).shapes.isEmpty)
        #expect(engine.lastError?.localizedDescription.contains("shape") == true)
        let occluder = PHASEOccluder(engine: engine, shapes: [])
        try engine.rootObject.addChild(occluder)
        // A mesh of one degenerate triangle with a vertex that is no number.
        let vertices: [Float] = [0, 0, 0, .nan, 0, 0, 0, 0, 0]
        let buffer = MDLMeshBufferData(type: .vertex, data: vertices.withUnsafeBytes { Data($0) })
        let indices = MDLMeshBufferData(type: .index, data: [UInt32(0), 1, 99].withUnsafeBytes { Data($0) })
        let descriptor = MDLVertexDescriptor()
        descriptor.addOrReplaceAttribute(
            MDLVertexAttribute(name: MDLVertexAttributePosition, format: .float3, offset: 0, bufferIndex: 0))
        descriptor.layouts[0] = MDLVertexBufferLayout(stride: 12)
        let submesh = MDLSubmesh(
            indexBuffer: indices, indexCount: 3, indexType: .uInt32, geometryType: .triangles, material: nil)
        let mesh = MDLMesh(vertexBuffer: buffer, vertexCount: 3, descriptor: descriptor, submeshes: [submesh])
        let shape = PHASEShape(engine: engine, mesh: mesh)
        try engine.rootObject.addChild(PHASEOccluder(engine: engine, shapes: [shape]))
        try stage.register("tone", [sine(440, 4800)])
        let mixer = try stage.spatialMixer()
        let event = try stage.registerEvent("tone", into: mixer, loops: true)
        try stage.start()
        try stage.event(event, mixer, stage.source(at: SIMD3(0, 0, -1), shapes: [shape])).start()
        let out = try stage.render(4800)
        let isFinite = out.joined().allSatisfy { $0.isFinite }
        #expect(isFinite)
    }

    @Test func `transforms that are no transforms stay out`() throws {
        let stage = try Stage()
        let source = try stage.source(at: SIMD3(1, 2, 3))
        let before = source.transform
        var errors: [String] = []
        var nan = matrix_identity_float4x4
        nan.columns.3.x = .nan
        var sheared = matrix_identity_float4x4
        sheared.columns.1.x = 0.5
        var stretched = matrix_identity_float4x4
        stretched.columns.0.x = 3
        for matrix in [nan, sheared, stretched, simd_float4x4()] {
            source.transform = matrix
            errors.append(stage.engine.lastError?.localizedDescription ?? "")
            #expect(source.transform == before)
        }
        #expect(Set(errors).count == 4 && errors.allSatisfy { $0.contains("Source") })
        stage.engine.rootObject.transform = .translation(SIMD3(1, 0, 0))
        #expect(stage.engine.rootObject.transform == matrix_identity_float4x4)
    }

    @Test func `objects of another engine`() throws {
        let (stage, other) = (try Stage(), try Stage())
        let stranger = try other.source(at: SIMD3(0, 0, -1))
        expectError(PHASEError.Code.invalidObject, naming: "another engine") {
            try stage.engine.rootObject.addChild(PHASESource(engine: other.engine))
        }
        try stage.register("tone", [sine(440, 4800)])
        let mixer = try stage.spatialMixer()
        let event = try stage.registerEvent("tone", into: mixer)
        expectError(PHASESoundEventError.Code.apiMisuse, naming: "another engine") {
            _ = try stage.event(event, mixer, stranger)
        }
        expectError(PHASESoundEventError.Code.apiMisuse, naming: mixer.identifier) { _ = try stage.event(event) }
    }

    @Test func `the tree stays a tree`() throws {
        let stage = try Stage()
        let (a, b) = (PHASEObject(engine: stage.engine), PHASEObject(engine: stage.engine))
        try a.addChild(b)
        expectError(PHASEError.Code.invalidObject, naming: "child") { try stage.engine.rootObject.addChild(b) }
        expectError(PHASEError.Code.invalidObject, naming: "cycle") { try b.addChild(a) }
        expectError(PHASEError.Code.invalidObject, naming: "root") { try a.addChild(stage.engine.rootObject) }
        a.removeChild(b)
        try stage.engine.rootObject.addChild(b)
        #expect(b.parent === stage.engine.rootObject && a.children.isEmpty)
    }

    @Test func `starting twice, stopping twice, rendering at the wrong time`() throws {
        let stage = try Stage()
        try stage.register("tone", [sine(440, 48_000)])
        let event = try stage.registerEvent("tone", into: stage.channelMixer())
        #expect(throws: AVAudioEngineManualRenderingError.notRunning) { try stage.render(10) }
        try stage.start()
        try stage.start()
        let playing = try stage.event(event)
        playing.start(completion: nil)
        playing.start(completion: nil)
        #expect(stage.engine.soundEvents.count == 1)
        _ = try stage.render(512)
        playing.stopAndInvalidate()
        playing.stopAndInvalidate()
        playing.resume()
        playing.start(completion: nil)
        #expect(playing.renderingState == .stopped)
        stage.engine.stop()
        stage.engine.stop()
        stage.engine.pause()
        #expect(throws: AVAudioEngineManualRenderingError.notRunning) { try stage.render(10) }
        expectError(PHASEError.Code.initializeFailed, naming: "maximum") {
            try stage.engine.enableManualRenderingMode(.offline, format: stage.format, maximumFrameCount: 0)
        }
    }

    @Test func `a buffer that is too small or of another format`() throws {
        let stage = try Stage()
        try stage.start()
        let other = try TestFailure.unwrap(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        let wrong = try TestFailure.unwrap(AVAudioPCMBuffer(pcmFormat: other, frameCapacity: 512))
        expectError(PHASEError.Code.initializeFailed, naming: "format") {
            try stage.engine.renderOffline(512, to: wrong)
        }
        let small = try TestFailure.unwrap(AVAudioPCMBuffer(pcmFormat: stage.format, frameCapacity: 100))
        expectError(PHASEError.Code.initializeFailed, naming: "100") { try stage.engine.renderOffline(512, to: small) }
    }

    @Test func `meta-parameters refuse what they cannot hold`() throws {
        let stage = try Stage()
        try stage.register("tone", [sine(440, 4800)])
        let definition = PHASENumberMetaParameterDefinition(value: 0.5, minimum: 0, maximum: 1, identifier: "level")
        let event = try stage.registerEvent("tone", into: stage.channelMixer()) {
            $0.gainMetaParameterDefinition = definition
        }
        let parameter = try TestFailure.unwrap(stage.event(event).metaParameters["level"])
        parameter.value = "loud"
        #expect(
            parameter.value as? Double == 0.5 && stage.engine.lastError?.localizedDescription.contains("level") == true)
        parameter.value = Double.nan
        #expect(parameter.value as? Double == 0.5)
        parameter.value = 7
        #expect(parameter.value as? Double == 1)
    }
}
