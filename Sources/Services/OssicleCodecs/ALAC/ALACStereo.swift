/// Two channels of Apple Lossless as a mixture and a difference.
struct ALACStereo: Equatable {
    /// The share of the left channel in the mixture, in 1/2^bits; 0 keeps left and right as they are.
    var weight: Int32
    var bits: Int32

    /// From mixture and difference to left and right, in place.
    func unmix(_ first: UnsafeMutablePointer<Int32>, _ second: UnsafeMutablePointer<Int32>, count: Int) {
        guard weight != 0 else { return }
        for index in 0..<count {
            let difference = second[index]
            let left = first[index] &+ difference &- ((weight &* difference) >> bits)
            first[index] = left
            second[index] = left &- difference
        }
    }

    /// From left and right to mixture and difference, in place.
    func mix(_ first: UnsafeMutablePointer<Int32>, _ second: UnsafeMutablePointer<Int32>, count: Int) {
        guard weight != 0 else { return }
        for index in 0..<count {
            let (left, right) = (first[index], second[index])
            first[index] = mixture(left, right)
            second[index] = left &- right
        }
    }

    @inline(__always) private func mixture(_ left: Int32, _ right: Int32) -> Int32 { (weight &* left &+ (1 << bits &- weight) &* right) >> bits }

    /// The mixture whose channels bend least: the sum of second differences is a fair guess of what a predictor leaves.
    static func best(_ left: UnsafePointer<Int32>, _ right: UnsafePointer<Int32>, count: Int) -> ALACStereo {
        let candidates = (0...4).map { ALACStereo(weight: $0, bits: 2) }
        let costs = candidates.map { $0.cost(left, right, count) }
        return candidates.indices.min { costs[$0] < costs[$1] }.map { candidates[$0] } ?? ALACStereo(weight: 0, bits: 0)
    }

    private func cost(_ left: UnsafePointer<Int32>, _ right: UnsafePointer<Int32>, _ count: Int) -> UInt64 {
        func bend(_ a: Int32, _ b: Int32, _ c: Int32) -> UInt64 { UInt64((a &- 2 &* b &+ c).magnitude) }
        var cost: UInt64 = 0
        var last = (Int32(0), Int32(0)), beforeLast = (Int32(0), Int32(0))
        for index in 0..<count {
            let pair = weight == 0 ? (left[index], right[index]) : (mixture(left[index], right[index]), left[index] &- right[index])
            cost &+= bend(pair.0, last.0, beforeLast.0) &+ bend(pair.1, last.1, beforeLast.1)
            (beforeLast, last) = (last, pair)
        }
        return cost
    }
}
