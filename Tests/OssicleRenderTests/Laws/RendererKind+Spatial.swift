import OssicleChannels
import OssicleCore
import OssicleDSP
import OssicleGraph
import OssicleRender

extension RendererKind {
    func spatial(_ rate: Double, _ sound: (Int) -> [Float]) throws -> LawBench {
        let output = try GeometryOutput(isBinaural: true, sampleRate: rate)
        switch self {
        case .ambient: return try ambient(output, sound)
        case .ambisonic: return try ambisonic(output, rate, sound)
        case .paths, .fieldMix: return try paths(output, rate, sound)
        case .earlyReflections: return try earlyReflections(output, rate, sound)
        default: return try source(output, rate, sound)
        }
    }

    private func source(_ output: GeometryOutput, _ rate: Double, _ sound: (Int) -> [Float]) throws -> LawBench {
        let box = ControlledBox(SpatialRenderer(sampleRate: rate, spatializer: output.spatializer, outputCount: 2))
        func set(_ x: Double, gain: Float, bands: OctaveBands, version: UInt32) {
            box.control.cell.write(
                SpatialRenderer.Parameters(
                    directGain: gain, equalizer: .solve(bands, sampleRate: rate), equalizerVersion: version,
                    target: MotionTarget(
                        offset: Vector(x, 30, -200), drift: Vector(0.01, 0, 0), head: .identity, frames: 1000),
                    reverbSend: 1 - gain, rampFrames: 1000))
        }
        set(0, gain: 0.8, bands: .ones, version: 1)
        let ears = RendererBox(BinauralMixRenderer(BinauralMix(tapCount: output.head.tapCount)))
        return try LawBench(
            .spatial(box.pointer, BinauralTargets(common: ears.pointer.pointee.sums), nil),
            subject: self == .binauralMix ? .binauralMix(ears.pointer) : nil, owner: box, inputs: [1],
            outputs: [0, 1, 0], ears: ears, sound: sound, keeping: [output],
            change: { set(300, gain: 0.3, bands: Self.bands, version: 2) })
    }

    private static var bands: OctaveBands { OctaveBands([1, 0.9, 0.9, 0.8, 0.7, 0.6, 0.5, 0.3, 0.2, 0.1]) }

    private static func turned(gain: Float, frames: Int) -> AmbientRenderer.Parameters {
        AmbientRenderer.Parameters(
            gain: gain, right: SIMD3(0.6, 0, -0.8), up: SIMD3(0, 1, 0), back: SIMD3(0.8, 0, 0.6), rampFrames: frames)
    }

    private func ambient(_ output: GeometryOutput, _ sound: (Int) -> [Float]) throws -> LawBench {
        let box = ControlledBox(
            AmbientRenderer(speakers: SpeakerLayout.quad.speakers, spatializer: output.spatializer, outputCount: 2))
        box.control.write(
            AmbientRenderer.Parameters(
                gain: 1, right: SIMD3(1, 0, 0), up: SIMD3(0, 1, 0), back: SIMD3(0, 0, 1), rampFrames: 0))
        return try LawBench(
            .ambient(box.pointer), owner: box, inputs: [4], outputs: [2], sound: sound, keeping: [output],
            change: { box.control.write(Self.turned(gain: 0.5, frames: 900)) })
    }

    private func ambisonic(_ output: GeometryOutput, _ rate: Double, _ sound: (Int) -> [Float]) throws -> LawBench {
        let filters = AmbisonicHRTFFilters(head: output.head, order: 1)
        let format = SoundFieldFormat((0..<4).map { SoundFieldFormat.Channel(index: $0, gain: 1) })
        let box = ControlledBox(AmbisonicRenderer(format: format, decoding: .binaural(filters), outputCount: 2))
        box.control.cell.write(Self.turned(gain: 1, frames: 0))
        return try LawBench(
            .ambisonic(box.pointer), owner: box, inputs: [4], outputs: [2], sound: sound, keeping: [output, filters],
            change: {
                box.control.cell.write(
                    AmbientRenderer.Parameters(
                        gain: 0.4, right: SIMD3(0, 0, 1), up: SIMD3(0, 1, 0), back: SIMD3(-1, 0, 0), rampFrames: 900))
            })
    }

    private func paths(_ output: GeometryOutput, _ rate: Double, _ sound: (Int) -> [Float]) throws -> LawBench {
        let field = output.field([])
        let box = ControlledBox(PathsRenderer(sampleRate: rate, spatializer: output.spatializer, outputCount: 2))
        func set(_ step: Int) {
            var parameters = PathsRenderer.Parameters(rampFrames: 800)
            for slot in 0..<20 where (slot + step) % 3 > 0 {
                parameters.diffuse[slot] = PathsBench.diffuse(
                    30.3 + 11.7 * Double(slot + step), channel: slot % 16, gain: 0.3, bands: Self.bands,
                    generation: UInt32((slot + step) / 4), version: UInt32(step))
            }
            for slot in 0..<4 {
                let propagation = PathsBench.propagation(
                    50 + 20.3 * Double(slot + step), Self.bands, UInt32((slot + step) / 2))
                parameters.directLike[slot] = PathsBench.DirectLike(
                    propagation, direction: SIMD3(Float(step) - 1, 1, Float(slot) - 2), gain: 0.5)
            }
            box.control.cell.write(parameters)
        }
        set(0)
        return try LawBench(
            .paths(box.pointer, FieldTargets(common: field.pointer.pointee.sums)),
            subject: self == .fieldMix ? .fieldMix(field.pointer) : nil, owner: box, inputs: [1], outputs: [2, 0],
            field: field, sound: sound, keeping: [output], change: { set(1) })
    }

    private func earlyReflections(
        _ output: GeometryOutput, _ rate: Double, _ sound: (Int) -> [Float]
    ) throws -> LawBench {
        let box = ControlledBox(EarlyReflectionsRenderer(sampleRate: rate, spatializer: output.spatializer))
        let field = output.field([])
        func set(_ step: Int, leaps: UInt32) {
            var parameters = EarlyReflectionsRenderer.Parameters(
                wall: .solve(Self.bands, sampleRate: rate), wallVersion: UInt32(step), leaps: leaps, rampFrames: 900)
            for tap in 0..<EarlyReflectionsRenderer.count {
                parameters.delays[tap] = 60 + Float(23 * (tap + step))
                parameters.gains[tap][(tap + step) % 16] = 0.2
            }
            box.control.cell.write(parameters)
        }
        set(0, leaps: 0)
        return try LawBench(
            .earlyReflections(box.pointer, FieldTargets(common: field.pointer.pointee.sums)), owner: box, inputs: [1],
            outputs: [0], field: field, sound: sound, keeping: [output],
            change: { set(1, leaps: 0) })
    }

    func room(_ rate: Double, _ sound: (Int) -> [Float]) throws -> LawBench {
        let output = try GeometryOutput(isBinaural: true, sampleRate: rate)
        let field = output.field([])
        let sums = field.pointer.pointee.sums
        if self == .reverb {
            let box = ControlledBox(ReverbRenderer(.smallRoom, sampleRate: rate, seed: 1))
            return try LawBench(
                .reverb(box.pointer, sums), owner: box, inputs: [1], outputs: [0], field: field, sound: sound,
                keeping: [output])
        }
        if self == .convolution {
            let response = ConvolutionResponse((0..<2).map { MeasuredResponse.decay(3000, seed: UInt64($0)) })
            let box = ControlledBox(ConvolutionRenderer(response, gain: 1, sampleRate: rate))
            return try LawBench(
                .convolution(box.pointer, sums), owner: box, inputs: [1], outputs: [0], field: field, sound: sound,
                keeping: [output],
                change: {
                    box.control.cell.write(ConvolutionRenderer.Parameters(gain: 0.5, rampFrames: 700))
                    box.control.departure.write(BuildUp(start: 300, end: 1200))
                })
        }
        let box = ControlledBox(LateFieldRenderer(sampleRate: rate, meanFreeTime: 0.0147, seed: 1))
        box.control.cell.write(DiffuseRoom.all[1].parameters())
        return try LawBench(
            .lateField(box.pointer, sums), owner: box, inputs: [1], outputs: [0], field: field, sound: sound,
            keeping: [output],
            change: { box.control.cell.write(DiffuseRoom.all[1].parameters(start: 0.03, rampFrames: 2000)) })
    }
}
