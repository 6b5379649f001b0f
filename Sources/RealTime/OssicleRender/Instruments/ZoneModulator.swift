import OssicleCore

/// Where a modulator takes its value from, and by which curve: SoundFont 2.04 §8.2, sixteen bits of a file.
package struct ModulatorSource: BitwiseCopyable, Hashable, Sendable {
    /// As in a file: index in bits 0 … 6, bit 7 for a MIDI controller, 8 for falling, 9 for −1 … 1, curve from bit 10
    /// on.
    package let bits: UInt16

    package init(bits: UInt16) { self.bits = bits }

    /// What needs no controller: always 1.
    package static let one = ModulatorSource(bits: 0)

    private var index: Int { Int(bits & 0x7F) }
    private var isController: Bool { bits & 0x80 != 0 }
    private var isFalling: Bool { bits & 0x100 != 0 }
    private var isBipolar: Bool { bits & 0x200 != 0 }
    private var curve: Int { Int(bits >> 10) }

    /// Whether its numbers mean something.
    package var isKnown: Bool {
        curve <= 3 && (isController || [0, 2, 3, 10, 13, 14, 16].contains(index))
    }

    /// 0 … 1, or −1 … 1: the whole range of a controller is the whole range of the value, and its middle exactly 0.
    func value(_ channel: UnsafePointer<MIDIChannel>, key: UInt8, velocity: UInt8) -> Float {
        var position: Float, middle: Float = 64, last: Float = 127
        if isController {
            position = Float(channel.pointee.controllers[index])
        } else {
            switch index {
            case 2: position = Float(velocity)
            case 3: position = Float(key)
            case 10: position = Float(channel.pointee.keyPressures[Int(key & 127)])
            case 13: position = Float(channel.pointee.pressure)
            case 14: (position, middle, last) = (Float(channel.pointee.bend), 8192, 16_383)
            case 16: position = channel.pointee.bendRange
            default: return 1
            }
        }
        if !isBipolar {
            let part = min(max(position / last, 0), 1)
            return shape(isFalling ? 1 - part : part)
        }
        var part = position >= middle ? (position - middle) / (last - middle) : (position - middle) / middle
        if isFalling { part = -part }
        return part < 0 ? -shape(-part) : shape(part)
    }

    /// Concave rises late and convex early, over 96 dB of 40·log₁₀; a switch is on from one half.
    private func shape(_ part: Float) -> Float {
        switch curve {
        case 1: part >= 1 ? 1 : min(1, Self.decibels(1 - part))
        case 2: part <= 0 ? 0 : max(0, 1 - Self.decibels(part))
        case 3: part >= 0.5 ? 1 : 0
        default: part
        }
    }

    /// −40/96·log₁₀.
    private static func decibels(_ part: Float) -> Float { Float(DeterministicMath.log10(Double(part)) * (-40.0 / 96)) }
}

/// Adds to a generator what controllers say: amount · source · second source.
package struct ZoneModulator: BitwiseCopyable, Hashable, Sendable {
    package let source: ModulatorSource
    package let scale: ModulatorSource
    /// The generator it adds to.
    package let destination: UInt8
    package let isAbsolute: Bool
    package var amount: Float

    package init(
        source: ModulatorSource, scale: ModulatorSource = .one, destination: Int, amount: Float,
        isAbsolute: Bool = false
    ) {
        (self.source, self.scale, self.amount, self.isAbsolute) = (source, scale, amount, isAbsolute)
        self.destination = UInt8(min(max(destination, 0), ZoneGenerator.count - 1))
    }

    static let none = ZoneModulator(source: .one, destination: ZoneGenerator.pitch, amount: 0)

    /// Whether it is the same modulator with perhaps another amount, in which case one takes the other's place.
    package func isSame(as other: ZoneModulator) -> Bool {
        source == other.source && scale == other.scale && destination == other.destination
            && isAbsolute == other.isAbsolute
    }

    func value(_ channel: UnsafePointer<MIDIChannel>, key: UInt8, velocity: UInt8) -> Float {
        let product =
            amount * source.value(channel, key: key, velocity: velocity)
            * scale.value(channel, key: key, velocity: velocity)
        return isAbsolute ? product.magnitude : product
    }

    /// The ten that every zone has, §8.4: velocity and controllers 7 and 11 to attenuation, velocity to cutoff,
    /// pressure and controller 1 to vibrato, 10 to pan, 91 and 93 to the sends, pitch wheel to pitch. Pan is over ±500,
    /// the range of its generator.
    package static let standard: [ZoneModulator] = [
        ZoneModulator(source: .init(bits: 0x0502), destination: ZoneGenerator.attenuation, amount: 960),
        ZoneModulator(source: .init(bits: 0x0102), destination: ZoneGenerator.filterCutoff, amount: -2400),
        ZoneModulator(source: .init(bits: 0x000D), destination: ZoneGenerator.vibratoLFOToPitch, amount: 50),
        ZoneModulator(source: .init(bits: 0x0081), destination: ZoneGenerator.vibratoLFOToPitch, amount: 50),
        ZoneModulator(source: .init(bits: 0x0587), destination: ZoneGenerator.attenuation, amount: 960),
        ZoneModulator(source: .init(bits: 0x028A), destination: ZoneGenerator.pan, amount: 500),
        ZoneModulator(source: .init(bits: 0x058B), destination: ZoneGenerator.attenuation, amount: 960),
        ZoneModulator(source: .init(bits: 0x00DB), destination: ZoneGenerator.reverbSend, amount: 200),
        ZoneModulator(source: .init(bits: 0x00DD), destination: ZoneGenerator.chorusSend, amount: 200),
        ZoneModulator(
            source: .init(bits: 0x020E), scale: .init(bits: 0x0010), destination: ZoneGenerator.pitch, amount: 12_700),
    ]
}
