/// Which elements change places when the bits of an index are reversed.
struct ReversalTable: ~Copyable, @unchecked Sendable {
    private let pairs: UnsafeMutablePointer<SIMD2<UInt32>>
    private let pairCount: Int

    init(count: Int) {
        pairs = .allocate(capacity: max(count / 2, 1))
        var (found, j) = (0, 0)
        for i in 0..<count {
            if i < j {
                (pairs + found).initialize(to: SIMD2(UInt32(i), UInt32(j)))
                found += 1
            }
            var bit = count >> 1
            while bit > 0, j & bit != 0 { j ^= bit; bit >>= 1 }
            j |= bit
        }
        pairCount = found
    }

    deinit { pairs.deallocate() }

    func apply(_ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>) {
        for index in 0..<pairCount {
            let (i, j) = (Int(pairs[index].x), Int(pairs[index].y))
            (real[i], real[j]) = (real[j], real[i])
            (imaginary[i], imaginary[j]) = (imaginary[j], imaginary[i])
        }
    }
}
