import Foundation
import OssicleAVFAudio
import OssicleAudioToolbox
import OssicleCoreAudioTypes

/// Checks of parameters, presets, state and MIDI.
extension HostContract {
    private func writable(_ unit: AUAudioUnit) -> [AUParameter] {
        (unit.parameterTree?.allParameters ?? []).filter { $0.flags.contains(.flag_IsWritable) }
    }

    /// A value of a parameter's range, drawn; every eighth is an end of it.
    private func value(_ parameter: AUParameter, _ draw: Int) -> AUValue {
        let place = UInt64(draw) << 20 ^ parameter.address
        let part = random.unit(place)
        let share = random.bits(place ^ 1 << 50) % 8 == 0 ? part.rounded() : part
        let value = parameter.minValue + (parameter.maxValue - parameter.minValue) * Float(share)
        return parameter.unit == .indexed || parameter.unit == .boolean ? value.rounded() : value
    }

    /// Values of the whole range.
    /// - Parameter spared: parameters with one of these flags stay as they are.
    func scramble(_ unit: AUAudioUnit, _ draw: Int, sparing spared: AudioUnitParameterOptions = []) {
        for parameter in writable(unit) where parameter.flags.isDisjoint(with: spared) {
            parameter.value = value(parameter, draw)
        }
    }

    /// Addresses and identifiers are each unit's own, and every value lies in its range.
    func parameterList() throws -> Outcome {
        let all = try make().parameterTree?.allParameters ?? []
        if all.isEmpty { return .idle }
        guard Set(all.map(\.address)).count == all.count else { return .broken("two parameters have one address") }
        guard Set(all.map(\.keyPath)).count == all.count else { return .broken("two parameters have one key path") }
        for parameter in all {
            guard parameter.minValue.isFinite, parameter.maxValue.isFinite, parameter.minValue <= parameter.maxValue,
                (parameter.minValue...parameter.maxValue).contains(parameter.value)
            else { return .broken("\(parameter.keyPath): \(parameter.value) in its range") }
        }
        return .kept("\(all.count) parameters")
    }

    /// Values of the whole range, at once and at drawn frames, while it renders.
    func parameterValues() throws -> Outcome {
        let host = try host(), parameters = writable(host.unit)
        if parameters.isEmpty { return .idle }
        let schedule = host.unit.scheduleParameterBlock
        for turn in 0..<24 {
            if turn % 4 == 0 { scramble(host.unit, turn) }
            for (index, parameter) in parameters.enumerated() where (index + turn) % 7 == 0 {
                let frame = random.bits(UInt64(turn * 1000 + index)) % 300
                schedule(
                    AUEventSampleTime(host.time) + AUEventSampleTime(frame), 0, parameter.address,
                    value(parameter, 100 + turn))
            }
            host.rewind()
            guard try perform(host, 300, cuts: [1 + turn * 13]).isFinite else {
                return .broken("not finite in turn \(turn)")
            }
            for parameter in parameters where !(parameter.minValue...parameter.maxValue).contains(parameter.value) {
                return .broken("\(parameter.keyPath) is \(parameter.value)")
            }
        }
        return .kept("24 turns of \(parameters.count)")
    }

    /// An event at a frame of a long cycle does what the same event does at the first frame of a short one.
    func parameterEvents() throws -> Outcome {
        let parameters = writable(try make()).prefix(8).map(\.address)
        if parameters.isEmpty { return .idle }
        let frames = [1, 63, 500]
        var worst = (difference: 0.0, what: "\(parameters.count) parameters at \(frames.count) frames")
        for address in parameters {
            for frame in frames {
                let whole = try eventful(address, at: frame, cuts: [1024])
                // From there on in the same blocks: the check of cuts finds what a unit does on another cut.
                let cut = try eventful(address, at: frame, cuts: [frame, 1024 - frame, 1024])
                let difference = Self.difference(whole, cut)
                if difference > worst.difference { worst = (difference, "address \(address), frame \(frame)") }
            }
        }
        return alike(worst.difference, worst.what)
    }

    private func eventful(_ address: AUParameterAddress, at frame: Int, cuts: [Int]) throws -> Take {
        let host = try host()
        guard let parameter = host.unit.parameterTree?.parameter(withAddress: address) else { return Take() }
        let far =
            parameter.value < (parameter.minValue + parameter.maxValue) / 2
            ? parameter.maxValue : parameter.minValue
        host.unit.scheduleParameterBlock(AUEventSampleTime(frame), 0, address, far)
        return try perform(host, 2048, cuts: cuts)
    }

    /// Ramps of every parameter that has them, from drawn frames on, end on their value.
    func ramps() throws -> Outcome {
        let host = try host()
        let parameters = writable(host.unit).filter { $0.flags.contains(.flag_CanRamp) }.prefix(32)
        if parameters.isEmpty { return .idle }
        var worst = 0.0
        for parameter in parameters {
            let (start, end) = (parameter.value, value(parameter, 7))
            host.unit.scheduleParameterBlock(
                AUEventSampleTime(host.time + 37), 200, parameter.address, end)
            guard try perform(host, 512, cuts: [100]).isFinite else { return .broken("not finite on a ramp") }
            let span = Double(max(parameter.maxValue - parameter.minValue, .leastNormalMagnitude))
            worst = max(worst, Double((parameter.value - end).magnitude) / span)
            host.unit.scheduleParameterBlock(AUEventSampleTimeImmediate, 0, parameter.address, start)
        }
        return Outcome(worst <= 1e-5, "\(parameters.count) ramps end \(worst) of the range beside their value")
    }

    /// A state taken from one unit, written as a property list and read again, gives another one the same values and
    /// the same sound.
    func state() throws -> Outcome {
        var worst = 0.0
        for document in [false, true] {
            let first = try make()
            // What belongs to no preset, as a button that sends a message, belongs to no state either.
            scramble(first, document ? 3 : 2, sparing: .flag_OmitFromPresets)
            guard let state = document ? first.fullStateForDocument : first.fullState else {
                return .broken("it has no state")
            }
            let bytes = try PropertyListSerialization.data(fromPropertyList: state, format: .binary, options: 0)
            let read = try PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: Any]
            let second = try make()
            if document { second.fullStateForDocument = read } else { second.fullState = read }
            for parameter in writable(first) where !parameter.flags.contains(.flag_OmitFromPresets) {
                let other = second.parameterTree?.parameter(withAddress: parameter.address)?.value
                if other != parameter.value {
                    return .broken("\(parameter.keyPath) is \(other ?? .nan), was \(parameter.value)")
                }
            }
            let shape = configurations(of: first)[0]
            let takes = try [first, second].map {
                try perform(
                    ContractHost(
                        $0, rate: 48_000, inputs: shape.inputs, outputs: shape.outputs, maximum: 4096, watch: watch,
                        sound: Self.noise), 2048)
            }
            worst = max(worst, Self.difference(takes[0], takes[1]))
        }
        return alike(worst, "the sound of two units")
    }

    func presets() throws -> Outcome {
        let numbers = try make().factoryPresets ?? []
        if numbers.isEmpty { return .idle }
        for preset in numbers {
            let host = try host(prepare: { $0.currentPreset = preset })
            guard host.unit.currentPreset?.number == preset.number else {
                return .broken("preset \(preset.number) was not taken")
            }
            guard try perform(host, 600).isFinite else { return .broken("not finite with \(preset.name)") }
        }
        return .kept("\(numbers.count) presets")
    }

    /// A note at a frame of a long cycle sounds as it does at the first frame of a short one, and later by as many
    /// frames as it came later.
    func midiEvents() throws -> Outcome {
        guard kind.takesMIDI else { return .idle }
        func note(at frame: Int, cuts: [Int]) throws -> Take {
            let host = try host(sound: { _, _ in 0 })
            host.send([0x90, 64, 100], at: frame)
            return try host.render(3072, cuts: cuts)
        }
        let first = try note(at: 0, cuts: [1024]).onset
        var (worst, late) = (0.0, 0)
        for frame in [1, 63, 64, 500, 1023] {
            let whole = try note(at: frame, cuts: [1024])
            worst = max(worst, Self.difference(whole, try note(at: frame, cuts: [frame, 1024 - frame])))
            if let first, let onset = whole.onset { late = max(late, abs(onset - first - frame)) }
        }
        guard late <= 1 else { return .broken("a note is \(late) frames beside its place") }
        return alike(worst, first == nil ? "notes without sound" : "notes at 5 frames, \(late) frames off")
    }

    /// Messages of every kind, drawn, also incomplete and meaningless ones.
    func midiBytes() throws -> Outcome {
        guard kind.takesMIDI else { return .idle }
        let host = try host()
        for turn in 0..<40 {
            for index in 0..<8 {
                let draw = random.bits(UInt64(turn * 8 + index) ^ 0xABCD << 32)
                let length = draw % 16 == 0 ? Int(draw >> 8 % 200) % 200 + 1 : 3
                var bytes = (0..<length).map { UInt8(truncatingIfNeeded: random.bits(draw ^ UInt64($0)) & 127) }
                bytes[0] = draw % 16 == 0 ? 0xF0 : UInt8(0x80 + draw >> 8 % 0x80 & 0x7F)
                host.send(bytes, at: host.time + Int(draw >> 40 % 256) % 256)
            }
            guard try host.render(256, cuts: [97]).isFinite else { return .broken("not finite in turn \(turn)") }
        }
        for channel in UInt8(0)..<16 { host.send([0xB0 | channel, 123, 0], at: host.time) }
        return Outcome(try host.render(512).isFinite, "320 messages")
    }
}
