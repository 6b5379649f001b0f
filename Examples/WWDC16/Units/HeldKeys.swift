/// The keys that are held, from the lowest to the highest, without memory of its own. On the thread that renders.
struct HeldKeys {
    private var low: UInt64 = 0
    private var high: UInt64 = 0
    private(set) var count = 0

    mutating func press(_ key: UInt8) {
        if contains(key) { return }
        set(key, true)
        count += 1
    }

    mutating func release(_ key: UInt8) {
        guard contains(key) else { return }
        set(key, false)
        count -= 1
    }

    func contains(_ key: UInt8) -> Bool { (key < 64 ? low : high) >> UInt64(key & 63) & 1 == 1 }

    /// The key with so many held ones below it; `nil` beyond the last.
    subscript(index: Int) -> UInt8? {
        var left = index
        for key in UInt8(0)..<128 where contains(key) {
            if left == 0 { return key }
            left -= 1
        }
        return nil
    }

    private mutating func set(_ key: UInt8, _ isHeld: Bool) {
        let bit: UInt64 = 1 << UInt64(key & 63)
        if key < 64 {
            low = isHeld ? low | bit : low & ~bit
        } else {
            high = isHeld ? high | bit : high & ~bit
        }
    }
}
