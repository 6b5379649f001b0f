import OssicleDSP
import OssicleRender

/// Reverbs.
package enum ReverbUnits {
    /// Those of the catalogue, in the order a search finds them.
    static let all: [UnitDescription] = [reverb, matrixReverb]

    /// A room by its delays and decay times.
    package static let reverb = UnitDescription(
        "aufx", "rvb2", name: "AUReverb2", channels: .sameOutAsIn, parameters: ReverbDriver.fields.map(\.parameter),
        presets: ReverbPreset.factory.map { preset in
            let room = ReverbEffect.Parameters(preset: preset)
            return UnitDescription.Preset(
                preset.rawValue,
                [
                    (2, room.minDelayTime), (3, room.maxDelayTime), (4, room.decayTimeAt0Hz),
                    (5, room.decayTimeAtNyquist),
                ])
        }, driver: { ReverbDriver($0) })

    /// A small and a large room, mixed, with a filter behind. The published default of the small size, 0.06 s, lies
    /// outside its own range; here it is the limit next to it.
    package static let matrixReverb = UnitDescription.effect(
        "mrev", "AUMatrixReverb", matrixReverbFields, initial: MatrixReverb.Parameters(),
        renderer: RendererReference.matrixReverb)

    private static let matrixReverbFields: [EffectField<MatrixReverb.Parameters>] = [
        .init(0, "dryWetMix", "Dry/Wet Mix", .equalPowerCrossfade, from: 0, to: 100, default: 100) {
            $0.dryWetMix = $1
        },
        .init(1, "smallLargeMix", "Small/Large Mix", .equalPowerCrossfade, from: 0, to: 100, default: 50) {
            $0.smallLargeMix = $1
        },
        .init(2, "smallSize", "Small Size", .seconds, from: 0.005, to: 0.02, default: 0.02) { $0.smallSize = $1 },
        .init(3, "largeSize", "Large Size", .seconds, from: 0.4, to: 10, default: 3.07) { $0.largeSize = $1 },
        .init(4, "preDelay", "Pre Delay", .seconds, from: 0.001, to: 0.03, default: 0.025) { $0.preDelay = $1 },
        .init(5, "largeDelay", "Large Delay", .seconds, from: 0.001, to: 0.1, default: 0.035) { $0.largeDelay = $1 },
        .init(6, "smallDensity", "Small Density", .generic, from: 0, to: 1, default: 0.28) { $0.smallDensity = $1 },
        .init(7, "largeDensity", "Large Density", .generic, from: 0, to: 1, default: 0.82) { $0.largeDensity = $1 },
        .init(8, "largeDelayRange", "Large Delay Range", .generic, from: 0, to: 1, default: 0.3),
        .init(9, "smallBrightness", "Small Brightness", .generic, from: 0.1, to: 1, default: 0.96) {
            $0.smallBrightness = $1
        },
        .init(10, "largeBrightness", "Large Brightness", .generic, from: 0.1, to: 1, default: 0.49) {
            $0.largeBrightness = $1
        },
        .init(11, "smallDelayRange", "Small Delay Range", .generic, from: 0, to: 1, default: 0.5),
        .init(12, "modulationRate", "Modulation Rate", .hertz, from: 0.001, to: 2, default: 1) {
            $0.modulationRate = $1
        },
        .init(13, "modulationDepth", "Modulation Depth", .generic, from: 0, to: 1, default: 0.2) {
            $0.modulationDepth = $1
        },
        .init(14, "filterFrequency", "Filter Frequency", .hertz, from: 10, to: 20_000, default: 800) {
            $0.filter.frequency = $1
        },
        .init(15, "filterBandwidth", "Filter Bandwidth", .octaves, from: 0.05, to: 4, default: 3) {
            $0.filter.bandwidth = $1
        },
        .init(16, "filterGain", "Filter Gain", .decibels, from: -18, to: 18, default: 0) { $0.filter.gain = $1 },
        .init(
            17, "filterType", "Filter Type", .indexed, from: 0, to: 10, default: 0, kind: .stepping,
            valueStrings: FilterUnits.filterTypes
        ) { $0.filter.type = $1 },
        .init(18, "filterEnable", "Filter Enable", .boolean, from: 0, to: 1, default: 1, kind: .stepping) {
            $0.filter.isEnabled = $1 >= 0.5
        },
    ]
}

/// Drives the reverb: a room, and six numbers that change it.
private final class ReverbDriver: UnitDriver {
    private final class Room {
        /// What the numbers change, ready for the render side.
        var parameters = ReverbEffect.Parameters(preset: .mediumHall)
    }

    private let room: Room
    private let kernel: KernelDriver<ReverbEffect>

    init(_ values: UnitValues) {
        let room = Room()
        self.room = room
        kernel = KernelDriver(RendererReference.reverbEffect) { values.apply(Self.fields, to: room.parameters) }
    }

    static let fields: [EffectField<ReverbEffect.Parameters>] = [
        .init(0, "dryWetMix", "Dry/Wet Mix", .equalPowerCrossfade, from: 0, to: 100, default: 100) {
            $0.wetDryMix = $1
        },
        .init(1, "gain", "Gain", .decibels, from: -20, to: 20, default: 0) { $0.gain = $1 },
        .init(2, "minDelayTime", "Min Delay Time", .seconds, from: 0.0001, to: 1, default: 0.008) {
            $0.minDelayTime = $1
        },
        .init(3, "maxDelayTime", "Max Delay Time", .seconds, from: 0.0001, to: 1, default: 0.05) {
            $0.maxDelayTime = $1
        },
        .init(4, "decayTimeAt0Hz", "Decay Time at 0 Hz", .seconds, from: 0.001, to: 20, default: 1) {
            $0.decayTimeAt0Hz = $1
        },
        .init(5, "decayTimeAtNyquist", "Decay Time at Nyquist", .seconds, from: 0.001, to: 20, default: 0.5) {
            $0.decayTimeAtNyquist = $1
        },
        .init(
            6, "randomizeReflections", "Randomize Reflections", .indexed, from: 1, to: 1000, default: 1, kind: .stepping
        ) { $0.randomizeReflections = $1 },
    ]

    func choose(preset: Int) { room.parameters = ReverbEffect.Parameters(preset: ReverbPreset(factoryNumber: preset)) }

    func renderer(sampleRate: Double, channels: Int, bypass: Bool) -> OwnedRenderer {
        kernel.renderer(sampleRate: sampleRate, channels: channels, bypass: bypass)
    }

    func update(bypass: Bool) { kernel.update(bypass: bypass) }
    var current: OwnedRenderer? { kernel.current }
    func forget() { kernel.forget() }
    func latency(sampleRate: Double) -> Int { kernel.latency(sampleRate: sampleRate) }
    func tailTime(sampleRate: Double) -> Double { kernel.tailTime(sampleRate: sampleRate) }
}
