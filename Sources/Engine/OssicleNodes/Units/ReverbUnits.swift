import OssicleCore
import OssicleDSP
import OssiclePlayback
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

/// A driver whose unit takes a measured room in place of its own.
package protocol ResponseDriver: UnitDriver {
    /// Takes effect with the next update; nil goes back to the room of the preset. Not on the render thread.
    func load(_ response: ImpulseResponse?)
    var response: ImpulseResponse? { get }
}

/// Drives the reverb: a room, and six numbers that change it; or a measured room.
private final class ReverbDriver: ResponseDriver {
    private typealias Renderer = EffectRenderer<ReverbEffect>

    private let values: UnitValues
    /// What the numbers change, ready for the render side.
    private var room = ReverbEffect.Parameters(preset: .mediumHall)
    private(set) var response: ImpulseResponse?
    /// Of the measured room that was made last.
    private var number: UInt32 = 0
    private var rig: Rig?

    /// A renderer and the memory of its measured rooms, which goes with it.
    private final class Rig {
        let sampleRate: Double
        let channels: Int
        let box: ControlledBox<Renderer>
        private let inUse: LatestValueCell<ResponsesInUse>
        private var rooms: [MeasuredRoom]

        init(sampleRate: Double, channels: Int, _ parameters: Renderer.Parameters, _ room: MeasuredRoom?) {
            (self.sampleRate, self.channels) = (sampleRate, channels)
            let kernel = ReverbEffect(sampleRate: sampleRate, channelCount: channels, parameters: parameters.kernel)
            inUse = kernel.responsesInUse
            rooms = [room].compactMap(\.self)
            box = ControlledBox(Renderer(kernel, parameters))
        }

        var owned: OwnedRenderer { (.reverbEffect(box.pointer), self) }

        /// Keeps a room, and frees those the renderer has let go of.
        func keep(_ room: MeasuredRoom?) {
            _ = inUse.advance()
            rooms.removeAll { !inUse.current.keeps($0.reference.number) }
            if let room { rooms.append(room) }
        }
    }

    /// A convolver for one renderer.
    private final class MeasuredRoom {
        let reference: ReverbResponse
        private let convolver: RendererBox<Convolver>

        init(_ response: ImpulseResponse, number: UInt32, sampleRate: Double, channels: Int) {
            let made = response.response(sampleRate: sampleRate)
            convolver = RendererBox(
                Convolver(
                    made, routes: response.routes(channelCount: channels), inputCount: channels, outputCount: channels))
            reference = ReverbResponse(
                number: number, convolver: convolver.pointer, buildUp: made.buildUp, duration: Float(response.duration))
        }
    }

    init(_ values: UnitValues) { self.values = values }

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

    func choose(preset: Int) {
        room = ReverbEffect.Parameters(preset: ReverbPreset(factoryNumber: preset))
        load(nil)
    }

    func load(_ response: ImpulseResponse?) {
        self.response = response
        guard let rig else { return }
        let made = makeRoom(sampleRate: rig.sampleRate, channels: rig.channels)
        rig.keep(made)
    }

    /// The response as a room for a renderer, which the parameters name from here on.
    private func makeRoom(sampleRate: Double, channels: Int) -> MeasuredRoom? {
        number += 1
        let made = response.map { MeasuredRoom($0, number: number, sampleRate: sampleRate, channels: channels) }
        room.response = made?.reference
        return made
    }

    /// Any thread, the one that renders included.
    private func parameters(_ bypass: Bool) -> Renderer.Parameters {
        Renderer.Parameters(values.apply(Self.fields, to: room), bypass: bypass)
    }

    func renderer(sampleRate: Double, channels: Int, bypass: Bool) -> OwnedRenderer {
        if let rig, (rig.sampleRate, rig.channels) == (sampleRate, channels) { return rig.owned }
        let measured = makeRoom(sampleRate: sampleRate, channels: channels)
        let made = Rig(sampleRate: sampleRate, channels: channels, parameters(bypass), measured)
        rig = made
        return made.owned
    }

    func update(bypass: Bool) { rig?.box.control.write(parameters(bypass)) }
    var current: OwnedRenderer? { rig?.owned }

    func forget() {
        rig = nil
        // Its memory has gone.
        room.response = nil
    }

    func latency(sampleRate: Double) -> Int { 0 }

    func tailTime(sampleRate: Double) -> Double {
        response?.duration ?? ReverbEffect.tailTime(values.apply(Self.fields, to: room), sampleRate: sampleRate)
    }
}
