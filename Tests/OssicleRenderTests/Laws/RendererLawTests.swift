import OssicleCore
import OssicleDSP
import OssicleGraph
import OssicleRender
import OssicleTestSupport
import Testing

@Suite struct RendererLawTests {
    @Test(arguments: RendererKind.allCases)
    func `every kind of renderer keeps the laws`(kind: RendererKind) throws {
        let laws = RendererLaws<LawBench>(tail: kind.tail) { try kind.bench($0, $1) }
        let violations = try laws.violations()
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test(arguments: RendererKind.allCases)
    func `every kind is tried with a renderer of its own`(kind: RendererKind) throws {
        let bench = try kind.bench(48_000) { noise(128, seed: UInt64($0)) }
        #expect(RendererKind(bench.reference) == kind)
    }
}

extension RendererKind {
    /// Seconds until the renderers below have fallen to −100 dBFS.
    var tail: Double {
        switch self {
        case .player, .stream, .queuePlayer, .mix, .crossFade, .matrix, .block, .tap, .channels, .environmentOutput:
            0.02
        case .ambient, .ambisonic, .environmentInput, .master, .dynamics, .peakLimiter, .equalizer: 0.2
        case .spatial, .binauralMix, .paths, .earlyReflections, .fieldMix, .domain, .rateExit, .stretchExit,
            .sampleDelay:
            0.5
        case .distortion, .multibandCompressor, .delay: 1
        case .reverb, .lateField, .convolution, .environmentReverb, .reverbEffect, .matrixReverb: 2
        }
    }

    /// A renderer of this kind with other parameters at hand.
    func bench(_ rate: Double, _ sound: (Int) -> [Float]) throws -> LawBench {
        switch self {
        case .player, .stream, .queuePlayer, .block, .tap: try source(rate, sound)
        case .spatial, .binauralMix, .ambient, .ambisonic, .paths, .earlyReflections, .fieldMix:
            try spatial(rate, sound)
        case .reverb, .lateField, .convolution: try room(rate, sound)
        case .environmentInput, .environmentReverb, .environmentOutput: try environment(rate, sound)
        case .channels, .master, .mix, .crossFade, .matrix: try mixer(rate, sound)
        case .rateExit, .stretchExit, .domain: try timeDomain(rate, sound)
        case .equalizer, .delay, .distortion, .dynamics, .peakLimiter, .multibandCompressor, .reverbEffect,
            .matrixReverb, .sampleDelay:
            try effect(rate, sound)
        }
    }
}
