/// Some corners of a prism.
struct CornerSet: BitwiseCopyable {
    private var bits: UInt8

    static let all = CornerSet(bits: .max)

    private init(bits: UInt8) { self.bits = bits }

    init(_ corner: Int) { bits = 1 << corner }

    /// - Parameter isIn: whether a corner is one of them.
    init(_ corners: Range<Int>, where isIn: (Int) -> Bool) {
        bits = corners.reduce(0) { isIn($1) ? $0 | 1 << $1 : $0 }
    }

    var isEmpty: Bool { bits == 0 }

    func contains(_ corner: Int) -> Bool { bits & (1 << corner) != 0 }
}
