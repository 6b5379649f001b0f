/// Transforms of controllers on a thru connection, those of two controllers and of numbered parameters included. Speaks
/// MIDI 1.0.
struct ThruControls: Sendable {
    private typealias Kind = ThruParameters.Control.Kind

    /// What a channel has said so far.
    private struct Channel: Sendable {
        /// Values of the controllers 0...31, and of 32...63, their fine parts.
        var coarse = [UInt8](repeating: 0, count: 32)
        var fine = [UInt8](repeating: 0, count: 32)
        var isRegistered = true
        var parameter: (msb: UInt8, lsb: UInt8) = (127, 127)
    }

    private let parameters: ThruParameters
    /// Whether numbered parameters are transformed, so that their controllers are read and written anew.
    private let readsParameters: Bool
    private var channels = [Channel](repeating: Channel(), count: 256)

    init(_ parameters: ThruParameters) {
        self.parameters = parameters
        readsParameters = parameters.controls.contains { $0.kind.isParameter }
    }

    /// A control change as what it becomes.
    mutating func process(_ message: UniversalMessage) -> [UniversalMessage] {
        let number = message.byte2 & 0x7F
        let value = message.byte3 & 0x7F
        let index = Int(message.group) << 4 | Int(message.channel)
        if readsParameters, let messages = readParameter(message, number, value, index) { return messages }
        guard number < 64 else { return single(message, number, value) }
        let place = Int(number % 32)
        if number < 32 {
            (channels[index].coarse[place], channels[index].fine[place]) = (value, 0)
        } else {
            channels[index].fine[place] = value
        }
        guard let control = find(.control14, UInt16(place)) else { return single(message, number, value) }
        let whole = Int(channels[index].coarse[place]) << 7 | Int(channels[index].fine[place])
        return apply(control, whole, message)
    }

    private func find(_ kind: Kind, _ number: UInt16) -> ThruParameters.Control? {
        parameters.controls.first { $0.kind == kind && $0.number == number }
    }

    private func single(_ message: UniversalMessage, _ number: UInt8, _ value: UInt8) -> [UniversalMessage] {
        guard let control = find(.control7, UInt16(number)) else { return [message] }
        return apply(control, Int(value), message)
    }

    /// `nil` for a controller that has nothing to do with parameters.
    private mutating func readParameter(
        _ message: UniversalMessage, _ number: UInt8, _ value: UInt8, _ index: Int
    ) -> [UniversalMessage]? {
        switch number {
        case 98, 100:
            channels[index].isRegistered = number == 100
            channels[index].parameter.lsb = value
        case 99, 101:
            channels[index].isRegistered = number == 101
            channels[index].parameter.msb = value
        case 6, 38:
            let selected = channels[index].parameter
            guard selected.msb != 127 || selected.lsb != 127 else { return nil }
            channels[index].coarse[6] = number == 6 ? value : channels[index].coarse[6]
            channels[index].fine[6] = number == 6 ? 0 : value
            return data(message, channels[index], isFine: number == 38)
        default: return nil
        }
        return []
    }

    private func data(_ message: UniversalMessage, _ channel: Channel, isFine: Bool) -> [UniversalMessage] {
        let number = UInt16(channel.parameter.msb) << 7 | UInt16(channel.parameter.lsb)
        let (narrow, wide): (Kind, Kind) =
            channel.isRegistered ? (.registered7, .registered14) : (.assignable7, .assignable14)
        if let control = find(wide, number) {
            return apply(control, Int(channel.coarse[6]) << 7 | Int(channel.fine[6]), message)
        }
        if let control = find(narrow, number) { return isFine ? [] : apply(control, Int(channel.coarse[6]), message) }
        return select(number, channel.isRegistered, message) + [message]
    }

    private func apply(
        _ control: ThruParameters.Control, _ value: Int, _ message: UniversalMessage
    ) -> [UniversalMessage] {
        guard control.transform.kind == .mapControl else {
            let applied = control.transform.apply(to: value, largest: control.kind.largest, maps: parameters.maps)
            return applied.map { write(control.kind, control.number, $0, message) } ?? []
        }
        let number = UInt16(truncatingIfNeeded: Int(control.transform.parameter))
        return write(
            control.remappedKind, number,
            ThruControls.rescale(value, from: control.kind.largest, to: control.remappedKind.largest), message)
    }

    private static func rescale(_ value: Int, from largest: Int, to other: Int) -> Int {
        if largest == other { return value }
        return largest < other ? Int(ValueScaling.up(UInt32(value), from: 7, to: 14)) : value >> 7
    }

    private func write(_ kind: Kind, _ number: UInt16, _ value: Int, _ message: UniversalMessage) -> [UniversalMessage]
    {
        let (high, low) = (UInt8(value >> 7 & 0x7F), UInt8(value & 0x7F))
        switch kind {
        case .control7: return [control(message, UInt8(number & 0x7F), low)]
        case .control14:
            return [control(message, UInt8(number & 0x1F), high), control(message, UInt8(number & 0x1F) + 32, low)]
        case .registered7, .assignable7:
            return select(number, kind.isRegistered, message) + [control(message, 6, low)]
        case .registered14, .assignable14:
            return select(number, kind.isRegistered, message) + [control(message, 6, high), control(message, 38, low)]
        }
    }

    private func select(_ number: UInt16, _ isRegistered: Bool, _ message: UniversalMessage) -> [UniversalMessage] {
        [
            control(message, isRegistered ? 101 : 99, UInt8(number >> 7 & 0x7F)),
            control(message, isRegistered ? 100 : 98, UInt8(number & 0x7F)),
        ]
    }

    private func control(_ message: UniversalMessage, _ number: UInt8, _ value: UInt8) -> UniversalMessage {
        .voice1(0xB, group: message.group, channel: message.channel, data1: number, data2: value)
    }
}
