import OssicleCore

/// Ten bands on one path: the direction is common, the probability of taking it is not.
///
/// Each ray follows one band, its *pilot*, through the choice between diffuse, specular and transmitted; rays take
/// turns. With P_b the probability of the path so far in band b, every band counts the ray with P_b / mean(P), the
/// balance heuristic over all pilots (Veach and Guibas 1995; for wavelengths: Wilkie et al., EGSR 2014). The sum over
/// rays is unbiased in every band, and no weight exceeds the number of pilots, however many surfaces there were.
///
/// An eleventh pilot, the *scout*, goes through the first wall that lets anything through a quarter of the time, where
/// the bands would one time in a thousand; its weight makes up for that. Behind that wall it follows the middle band.
struct BandImportance: BitwiseCopyable {
    /// P_b / mean(P) in lanes 0…10.
    private(set) var weights: SIMD16<Float>
    private var pilot: Int
    private var isScouting = true

    /// 1 kHz, the band a ray follows where none is meant.
    static let middle = 5
    static let pilots = 11

    init(ray: Int) {
        var ones = OctaveBands.ones.lanes
        ones[RaySurface.scout] = 1
        weights = ones
        pilot = ray % BandImportance.pilots
    }

    enum Continuation { case diffuse, specular, transmitted }

    /// Whether the path went through a wall.
    var hasPassed: Bool { !isScouting }

    /// How many of several copies go on diffuse, specular and transmitted, as the pilot has it: the draw and every
    /// whole number from it are as many places on a line that the continuations share, so that hardly more or fewer
    /// take one than its probability says.
    /// - Parameter draw: uniform in 0..<1.
    @inline(__always)
    func choose(
        _ surface: UnsafePointer<RaySurface>, copies: Int, draw: Float
    ) -> (diffuse: Int, specular: Int, transmitted: Int) {
        let diffuse = surface.pointee.diffuse[pilot]
        let others = diffuse + surface.pointee.transmitted[pilot]
        guard copies > 1 else { return draw < diffuse ? (1, 0, 0) : draw < others ? (0, 0, 1) : (0, 1, 0) }
        func places(before share: Float) -> Int {
            min(max(Int((share * Float(copies) - draw).rounded(.up)), 0), copies)
        }
        let (first, second) = (places(before: diffuse), places(before: others))
        return (first, copies - second, second - first)
    }

    /// Takes a continuation. By what factor the ray counts more in each band for having gone it; nil where it is too
    /// unlikely to go on.
    @inline(__always)
    mutating func take(_ continuation: Continuation, _ surface: UnsafePointer<RaySurface>) -> SIMD16<Float>? {
        switch continuation {
        case .diffuse: return weigh(surface.pointee.diffuse)
        case .specular: return weigh(surface.pointee.specular)
        case .transmitted:
            let factor = weigh(surface.pointee.transmitted)
            isScouting = false
            if pilot == RaySurface.scout { pilot = BandImportance.middle }
            return factor
        }
    }

    @inline(__always)
    private mutating func weigh(_ probabilities: SIMD16<Float>) -> SIMD16<Float>? {
        var probabilities = probabilities
        if !isScouting { probabilities[RaySurface.scout] = probabilities[BandImportance.middle] }
        let sum = (weights * probabilities).total
        guard sum > 1e-30 else { return nil }
        let factor = probabilities * (Float(BandImportance.pilots) / sum)
        weights *= factor
        return factor
    }
}

extension SIMD16<Float> {
    /// The sum of all lanes, in an order that is the same everywhere. Of halves taken lane by lane the compiler makes
    /// fifteen additions; of quarters it makes six.
    @inline(__always)
    var total: Float {
        typealias Quarter = SIMD4<Float>
        let (a, b, c, d) = unsafeBitCast(self, to: (Quarter, Quarter, Quarter, Quarter).self)
        let four = (a + c) + (b + d)
        return (four.x + four.z) + (four.y + four.w)
    }
}
