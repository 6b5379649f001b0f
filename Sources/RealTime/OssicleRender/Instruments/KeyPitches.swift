import OssicleCore

/// What MIDI 2.0 sets of single keys: a pitch in place of the key's own, and a bend (M2-104-UM: registered per-note
/// controller 3, per-note pitch bend).
struct KeyPitches: BitwiseCopyable {
    /// Cents above the key's own pitch.
    private var tunings = InlineArray<128, Float>(repeating: 0)
    /// −1 … 1.
    private var bends = InlineArray<128, Float>(repeating: 0)
    /// Semitones of a whole bend, by registered parameter 7.
    var bendRange: Float = 48

    /// Cents above a key's own pitch, bend included.
    func cents(of key: UInt8) -> Float { tunings[Int(key)] + bends[Int(key)] * bendRange * 100 }

    /// The bend alone.
    func bend(of key: UInt8) -> Float { bends[Int(key)] * bendRange * 100 }

    /// A bend of 32 bits, of which the highest alone is none.
    mutating func bend(_ key: UInt8, to value: UInt32) { bends[Int(key)] = (Float(value >> 8) - 8_388_608) / 8_388_608 }

    /// A pitch in semitones of 7 bits and 25 behind the point.
    mutating func tune(_ key: UInt8, to pitch: UInt32) { tunings[Int(key)] = Self.cents(pitch, above: key) }

    static func cents(_ pitch: UInt32, above key: UInt8) -> Float {
        Float((Double(pitch) / 33_554_432 - Double(key)) * 100)
    }

    mutating func reset(_ key: UInt8) { (tunings[Int(key)], bends[Int(key)]) = (0, 0) }

    mutating func resetAll() {
        tunings = InlineArray(repeating: 0)
        bends = InlineArray(repeating: 0)
    }
}

/// The keys that glides come from (portamento).
struct Glides: BitwiseCopyable {
    /// The last key that was played, −1 for none.
    private var last: Int16 = -1
    /// The key that the next note glides from, by controller 84, whether portamento is on or not; −1 for none.
    var next: Int16 = -1

    /// The key that a note glides from, which is its own for none.
    mutating func source(to key: UInt8, isOn: Bool) -> Int {
        defer { (last, next) = (Int16(key), -1) }
        if next >= 0 { return Int(next) }
        return isOn && last >= 0 ? Int(last) : Int(key)
    }
}
