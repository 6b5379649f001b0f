import OssicleCore

/// Directions spread evenly over the sphere: the Fibonacci spiral (Swinbank and Purser 2006), turned at random by the seed.
struct RayFan: BitwiseCopyable, Sendable {
    let count: Int
    private let right: Vector
    private let up: Vector
    private let back: Vector

    /// Uniform over all turns (Shoemake, Graphics Gems III, 1992).
    init(count: Int, seed: UInt64) {
        self.count = max(count, 1)
        let random = CounterRandom(seed: seed, object: CounterRandom.number(of: "ray fan"))
        let share = random.unit(0)
        let (s1, c1) = DeterministicMath.sincos(2 * DeterministicMath.pi * random.unit(1))
        let (s2, c2) = DeterministicMath.sincos(2 * DeterministicMath.pi * random.unit(2))
        let (x, y) = ((1 - share).squareRoot() * s1, (1 - share).squareRoot() * c1)
        let (z, w) = (share.squareRoot() * s2, share.squareRoot() * c2)
        right = Vector(1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w))
        up = Vector(2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w))
        back = Vector(2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y))
    }

    /// Unit.
    func direction(_ index: Int) -> Vector {
        // The fraction of index/golden ratio, exact in 64 bits.
        let turn = Double((UInt64(truncatingIfNeeded: index) &* 0x9E37_79B9_7F4A_7C15) >> 11) * 0x1p-53
        let (s, c) = DeterministicMath.sincos(2 * DeterministicMath.pi * turn)
        let height = 1 - Double(2 * index + 1) / Double(count)
        let width = max(1 - height * height, 0).squareRoot()
        return right * (width * c) + up * (width * s) + back * height
    }
}
