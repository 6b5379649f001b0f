import Foundation
import OssicleAVFAudio
import OssicleAudioToolbox
import OssicleCore
import OssicleCoreAudioTypes

/// What a host may expect of any audio unit, checked by being one.
///
/// Every check makes units of its own and renders them offline, so that a broken unit fails some checks and spoils none
/// of the others. It asserts nothing: each check gives a finding, with the figure that was measured. Random numbers
/// come from a seed, and the same unit gives the same findings.
///
///     let findings = HostContract { try AUAudioUnit(componentDescription: component) }.findings()
///     for finding in findings where !finding.passed { print(finding) }
public struct HostContract {
    /// The outcome of one check.
    public struct Finding: Sendable, CustomStringConvertible {
        /// What was checked, in a word or two; the same for every unit.
        public let name: String
        /// Whether the unit keeps to it. A check that does not concern the unit is kept.
        public let passed: Bool
        /// What was measured, or why it failed.
        public let figure: String

        public var description: String { "\(passed ? "passed" : "FAILED")  \(name): \(figure)" }
    }

    /// Sample rates in Hz.
    public static let rates: [Double] = [8_000, 11_025, 22_050, 44_100, 48_000, 88_200, 96_000, 192_000]
    /// Frames of render calls.
    public static let blocks = [1, 2, 3, 16, 31, 64, 100, 127, 128, 255, 441, 512, 1000, 1024, 2047, 4096]

    let make: () throws -> AUAudioUnit
    let watch: (Bool) -> Void
    let tolerance: Double
    let random: CounterRandom
    let kind: Kind

    /// - Parameters:
    ///   - tolerance: the largest difference between two renderings that should be alike, as a share of the larger
    ///     peak; 0 for the same bits. Units that are not asked to be exact to the bit get 1e-4, −80 dB.
    ///   - seed: of the parameters, messages and times that are drawn.
    ///   - watch: called with true ahead of each render call and with false behind it, for a sanitizer.
    ///   - make: a fresh unit.
    public init(
        tolerance: Double = 0, seed: UInt64 = 1, watch: @escaping (Bool) -> Void = { _ in },
        make: @escaping () throws -> AUAudioUnit
    ) {
        (self.make, self.watch, self.tolerance) = (make, watch, tolerance)
        random = CounterRandom(seed: seed, object: CounterRandom.number(of: "host contract"))
        kind = Kind((try? make())?.componentDescription.componentType ?? 0)
    }

    /// All checks, in order. Takes a second or some, for a unit with long reverberation more.
    public func findings() -> [Finding] { checks.map { name, check in finding(name, check) } }

    /// What the checks are called.
    public var names: [String] { checks.map(\.name) }

    private var checks: [(name: String, check: () throws -> Outcome)] {
        [
            ("life cycle", lifeCycle), ("sound", sound), ("sample rates", sampleRates), ("channels", channels),
            ("block sizes", blockSizes), ("cuts", cuts), ("memory", memory), ("parameter list", parameterList),
            ("parameter values", parameterValues), ("parameter events", parameterEvents), ("ramps", ramps),
            ("state", state), ("presets", presets), ("reset", reset), ("silence", silence), ("tail", tail),
            ("latency", latency), ("not finite", notFinite), ("bypass", bypass), ("MIDI events", midiEvents),
            ("MIDI bytes", midiBytes),
        ]
    }

    private func finding(_ name: String, _ check: () throws -> Outcome) -> Finding {
        do {
            switch try check() {
            case .kept(let figure): return Finding(name: name, passed: true, figure: figure)
            case .broken(let figure): return Finding(name: name, passed: false, figure: figure)
            case .idle: return Finding(name: name, passed: true, figure: "does not concern it")
            }
        } catch {
            return Finding(name: name, passed: false, figure: "\(error)")
        }
    }

    /// How a check ends.
    enum Outcome {
        case kept(String)
        case broken(String)
        /// The unit has nothing to check.
        case idle

        init(_ isKept: Bool, _ figure: String) { self = isKept ? .kept(figure) : .broken(figure) }
    }

    /// What goes into a unit and comes out.
    struct Kind {
        let takesSound: Bool
        let takesMIDI: Bool
        /// Whether as many frames go in as come out.
        let isEven: Bool
        let isEffect: Bool

        init(_ type: OSType) {
            takesSound = ![
                kAudioUnitType_MusicDevice, kAudioUnitType_Generator, kAudioUnitType_MIDIProcessor,
                kAudioUnitType_RemoteInstrument, kAudioUnitType_RemoteGenerator,
            ].contains(type)
            takesMIDI = [
                kAudioUnitType_MusicDevice, kAudioUnitType_MusicEffect, kAudioUnitType_MIDIProcessor,
                kAudioUnitType_RemoteInstrument, kAudioUnitType_RemoteMusicEffect,
            ].contains(type)
            isEven = type != kAudioUnitType_FormatConverter && type != kAudioUnitType_OfflineEffect
            isEffect = [
                kAudioUnitType_Effect, kAudioUnitType_MusicEffect, kAudioUnitType_FormatConverter,
                kAudioUnitType_RemoteEffect, kAudioUnitType_RemoteMusicEffect,
            ].contains(type)
        }
    }
}

/// Why a check could not be carried out.
struct ContractFault: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

extension HostContract {
    /// The numbers of channels it says go together, with examples for those that are any.
    func configurations(of unit: AUAudioUnit) -> [(inputs: Int, outputs: Int)] {
        let standing = (
            Int(unit.inputBusses.count > 0 ? unit.inputBusses[0].format.channelCount : 0),
            Int(unit.outputBusses.count > 0 ? unit.outputBusses[0].format.channelCount : 0)
        )
        guard let numbers = unit.channelCapabilities?.map(\.intValue), numbers.count > 1, standing.1 > 0 else {
            return [standing]
        }
        let pairs = (0..<numbers.count / 2).flatMap { index -> [(Int, Int)] in
            switch (numbers[2 * index], numbers[2 * index + 1]) {
            case (0, ..<0): [(0, 1), (0, 2)]
            case (-1, -1): [(2, 2), (1, 1), (6, 6)]
            case (..<0, ..<0): [(2, 2), (1, 2), (2, 1), (1, 6)]
            case (let inputs, ..<0): [(inputs, 1), (inputs, 2)]
            case (..<0, let outputs): [(1, outputs), (2, outputs)]
            case (let inputs, let outputs): [(inputs, outputs)]
            }
        }
        return pairs.map { (kind.takesSound && unit.inputBusses.count > 0 ? $0.0 : 0, $0.1) }
    }

    /// A host with a fresh unit in its first configuration.
    func host(
        rate: Double = 48_000, maximum: Int = 4096, prepare: (AUAudioUnit) throws -> Void = { _ in },
        sound: @escaping (Int, Int) -> Float = HostContract.noise
    ) throws -> ContractHost {
        let unit = try make()
        try prepare(unit)
        let shape = configurations(of: unit)[0]
        return try ContractHost(
            unit, rate: rate, inputs: shape.inputs, outputs: shape.outputs, maximum: maximum, watch: watch,
            sound: sound)
    }

    /// White noise of amplitude 0.25.
    static func noise(_ frame: Int, _ channel: Int) -> Float {
        let draws = CounterRandom(seed: 7, object: UInt64(channel))
        return Float(draws.unit(UInt64(frame)) - 0.5) * 0.5
    }

    /// Greatest difference of two takes as a share of the larger peak; infinite where one has other events or frames.
    static func difference(_ one: Take, _ other: Take) -> Double {
        guard one.events == other.events, one.planes.map(\.count) == other.planes.map(\.count) else { return .infinity }
        var (peak, greatest) = (0.0, 0.0)
        for (left, right) in zip(one.planes, other.planes) {
            for (a, b) in zip(left, right) where a != b {
                let gap = Double((a - b).magnitude)
                if !gap.isFinite { return .infinity }
                greatest = max(greatest, gap)
            }
            for sample in left + right where sample.isFinite { peak = max(peak, Double(sample.magnitude)) }
        }
        return greatest == 0 ? 0 : greatest / max(peak, 1e-9)
    }

    func alike(_ difference: Double, _ what: String) -> Outcome {
        let figure = difference == 0 ? "the same bits" : Self.decibels(difference) + " apart"
        return Outcome(difference <= tolerance, "\(what): \(figure)")
    }

    static func decibels(_ amplitude: Double) -> String {
        amplitude == 0 ? "silent" : amplitude.isFinite ? String(format: "%.1f dB", 20 * log10(amplitude)) : "unlimited"
    }
}
