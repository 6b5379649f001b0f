import OssicleCore
import OssicleDSP
import OssicleRender
import Synchronization

/// Limiters and compressors.
package enum DynamicsUnits {
    /// Those of the catalogue, in the order a search finds them.
    static let all: [UnitDescription] = [dynamicsProcessor, peakLimiter, multiBandCompressor]

    /// Keeps peaks below full scale.
    package static let peakLimiter = UnitDescription.effect(
        "lmtr", "AUPeakLimiter", peakLimiterFields, initial: PeakLimiter.Parameters(),
        renderer: RendererReference.peakLimiter)

    private static let peakLimiterFields: [EffectField<PeakLimiter.Parameters>] = [
        .init(0, "attackTime", "Attack Time", .seconds, from: 0.001, to: 0.03, default: 0.012) { $0.attackTime = $1 },
        .init(1, "decayTime", "Decay Time", .seconds, from: 0.001, to: 0.06, default: 0.024) { $0.decayTime = $1 },
        .init(2, "preGain", "Pre-Gain", .decibels, from: -40, to: 40, default: 0) { $0.preGain = $1 },
    ]

    // MARK: Dynamics processor

    /// Compressor and downward expander. No range of the expansion threshold is published; the default here switches it
    /// off.
    package static let dynamicsProcessor = metered(
        "dcmp", "AUDynamicsProcessor", fields: dynamicsFields, initial: DynamicsProcessor.Parameters(),
        meters: dynamicsMeters, silent: DynamicsMeter(), renderer: RendererReference.dynamics
    ) { rate, channels, parameters, cell in
        var kernel = DynamicsProcessor(sampleRate: rate, channelCount: channels, parameters: parameters)
        kernel.report = cell
        return kernel
    }

    private static let dynamicsMeters: [EffectMeter<DynamicsMeter>] = [
        EffectMeter(1000, "compressionAmount", "Compression Amount", range: -120...120, initial: 0) {
            $0.compressionAmount
        },
        EffectMeter(2000, "inputAmplitude", "Input Amplitude", range: -120...20, initial: -120) { $0.inputAmplitude },
        EffectMeter(3000, "outputAmplitude", "Output Amplitude", range: -120...20, initial: -120) {
            $0.outputAmplitude
        },
    ]

    private static let dynamicsFields: [EffectField<DynamicsProcessor.Parameters>] = [
        .init(0, "threshold", "Threshold", .decibels, from: -40, to: 20, default: -20) { $0.threshold = $1 },
        .init(1, "headroom", "Headroom", .decibels, from: 0.1, to: 40, default: 5) { $0.headRoom = $1 },
        .init(2, "expansionRatio", "Expansion Ratio", .rate, from: 1, to: 50, default: 2) { $0.expansionRatio = $1 },
        .init(3, "expansionThreshold", "Expansion Threshold", .decibels, from: -120, to: 0, default: -120) {
            $0.expansionThreshold = $1
        },
        .init(4, "attackTime", "Attack Time", .seconds, from: 0.0001, to: 0.2, default: 0.001) { $0.attackTime = $1 },
        .init(5, "releaseTime", "Release Time", .seconds, from: 0.01, to: 3, default: 0.05) { $0.releaseTime = $1 },
        .init(6, "overallGain", "Overall Gain", .decibels, from: -40, to: 40, default: 0) { $0.overallGain = $1 },
    ]

    // MARK: Multi-band compressor

    private typealias BandMeters = InlineArray<4, DynamicsMeter>

    /// Four bands, each with a compressor.
    package static let multiBandCompressor = metered(
        "mcmp", "AUMultibandCompressor", fields: compressorFields, initial: MultibandCompressor.Parameters(),
        meters: compressorMeters, silent: BandMeters(repeating: DynamicsMeter()),
        renderer: RendererReference.multibandCompressor
    ) { rate, channels, parameters, cell in
        var kernel = MultibandCompressor(sampleRate: rate, channelCount: channels, parameters: parameters)
        kernel.report = cell
        return kernel
    }

    private static let compressorFields: [EffectField<MultibandCompressor.Parameters>] = {
        typealias Field = EffectField<MultibandCompressor.Parameters>
        var fields = [
            Field(0, "preGain", "Pre-Gain", .decibels, from: -40, to: 40, default: 0) { $0.pregain = $1 },
            Field(1, "postGain", "Post-Gain", .decibels, from: -40, to: 40, default: 0) { $0.postgain = $1 },
        ]
        for (band, initial) in [Float(120), 700, 3000].enumerated() {
            let (id, number) = (UInt32(2 + band), band + 1)
            fields.append(
                Field(
                    id, "crossover\(number)", "Crossover \(number)", .hertz, from: 20, to: .halfSampleRate,
                    default: initial
                ) { $0.crossovers[band] = $1 })
        }
        fields += bands(5, "threshold", "Threshold", range: -100...0, initial: [-22, -32, -33, -36]) {
            $0.thresholds[$1] = $2
        }
        fields += bands(9, "headroom", "Headroom", range: 0.1...40, initial: [5, 12, 5, 7.5]) { $0.headrooms[$1] = $2 }
        fields += [
            Field(13, "attackTime", "Attack Time", .seconds, from: 0.001, to: 0.2, default: 0.08) {
                $0.attackTime = $1
            },
            Field(14, "releaseTime", "Release Time", .seconds, from: 0.01, to: 3, default: 0.12) {
                $0.releaseTime = $1
            },
        ]
        return fields + bands(15, "eq", "EQ", range: -20...20, initial: [0, 0, 0, 0]) { $0.equalization[$1] = $2 }
    }()

    /// A parameter in dB of each of four bands.
    private static func bands(
        _ first: UInt32, _ identifier: String, _ name: String, range: ClosedRange<Float>, initial: [Float],
        set: @escaping (inout MultibandCompressor.Parameters, Int, Float) -> Void
    ) -> [EffectField<MultibandCompressor.Parameters>] {
        initial.enumerated().map { band, initial in
            EffectField(
                first + UInt32(band), "\(identifier)\(band + 1)", "\(name) \(band + 1)", .decibels,
                from: range.lowerBound, to: .value(range.upperBound), default: initial
            ) { set(&$0, band, $1) }
        }
    }

    private static let compressorMeters: [EffectMeter<BandMeters>] =
        bandMeters(1000, "compressionAmount", "Compression Amount", range: 0...20) { $0.compressionAmount }
        + bandMeters(5000, "inputAmplitude", "Input Amplitude", range: -120...20) { $0.inputAmplitude }
        + bandMeters(9000, "outputAmplitude", "Output Amplitude", range: -120...20) { $0.outputAmplitude }

    private static func bandMeters(
        _ first: UInt32, _ identifier: String, _ name: String, range: ClosedRange<Float>,
        read: @escaping (DynamicsMeter) -> Float
    ) -> [EffectMeter<BandMeters>] {
        (0..<4).map { band in
            EffectMeter(
                first + UInt32(1000 * band), "\(identifier)\(band + 1)", "\(name) \(band + 1)", range: range,
                initial: range.lowerBound
            ) { read($0[band]) }
        }
    }

    // MARK: Meters

    /// An effect whose kernel reports levels from the render thread, which read-only parameters show.
    private static func metered<Kernel: EffectKernel & ~Copyable, Meter: BitwiseCopyable>(
        _ subtype: String, _ name: String, fields: [EffectField<Kernel.Parameters>], initial: Kernel.Parameters,
        meters: [EffectMeter<Meter>], silent: Meter,
        renderer: @escaping (UnsafeMutablePointer<EffectRenderer<Kernel>>) -> RendererReference,
        kernel: @escaping (Double, Int, Kernel.Parameters, LatestValueCell<Meter>) -> Kernel
    ) -> UnitDescription {
        UnitDescription(
            "aufx", subtype, name: name, channels: .sameOutAsIn,
            parameters: fields.map(\.parameter) + meters.map(\.parameter),
            driver: { values in
                let report = MeterCell(silent)
                return KernelDriver(
                    renderer, companion: report,
                    meters: meters.map { meter in
                        UnitMeter(id: meter.parameter.id) { meter.read(report.newest) }
                    }, make: { kernel($0, $1, $2, report.cell) }, read: { values.apply(fields, to: initial) })
            })
    }
}

/// A read-only parameter in dB, and the level of a kernel's report that it shows.
private struct EffectMeter<Meter>: @unchecked Sendable {
    let parameter: UnitParameter
    let read: (Meter) -> Float

    init(
        _ id: UInt32, _ identifier: String, _ name: String, range: ClosedRange<Float>, initial: Float,
        read: @escaping (Meter) -> Float
    ) {
        parameter = UnitParameter(
            id, identifier, name, .decibels, from: range.lowerBound, to: .value(range.upperBound), default: initial,
            kind: .meter)
        self.read = read
    }
}

/// A cell that a kernel reports to from the render thread, and its reader.
private final class MeterCell<Meter: BitwiseCopyable>: @unchecked Sendable {
    let cell: LatestValueCell<Meter>
    private let lock = Mutex(())

    init(_ initial: Meter) { cell = LatestValueCell(initial) }

    deinit { cell.deallocate() }

    var newest: Meter { lock.withLock { _ in cell.takeIfNew() ?? cell.current } }
}
