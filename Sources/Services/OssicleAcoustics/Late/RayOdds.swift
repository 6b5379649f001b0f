import OssicleCore

/// Ten bands on one way: the direction is common, the odds of taking it are not.
///
/// Each ray follows one band, its *pilot*, through the choice between diffuse, mirrored and passed; rays take turns. With P_b the
/// probability of the way so far in band b, every band counts the ray with P_b / mean(P), the balance heuristic over all pilots (Veach
/// and Guibas 1995; for wavelengths: Wilkie et al., EGSR 2014). The sum over rays is unbiased in every band, and no weight
/// exceeds the number of pilots, however many surfaces there were.
///
/// An eleventh pilot, the *scout*, goes through the first wall that lets anything through a quarter of the time, where the bands
/// would one time in a thousand; its weight makes up for that. Behind that wall it follows the middle band.
struct RayOdds: BitwiseCopyable {
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
        pilot = ray % RayOdds.pilots
    }

    enum Way { case diffuse, mirrored, passed }

    /// The way on from a surface, and its odds taken into account. Nil where it is too unlikely to go on.
    /// - Parameter draw: uniform in 0..<1.
    @inline(__always)
    mutating func choose(_ surface: UnsafePointer<RaySurface>, _ draw: Float) -> Way? {
        let diffuse = surface.pointee.diffuse[pilot]
        let passed = surface.pointee.passed[pilot]
        if draw < diffuse { return take(surface.pointee.diffuse) ? .diffuse : nil }
        guard draw < diffuse + passed else { return take(surface.pointee.mirrored) ? .mirrored : nil }
        guard take(surface.pointee.passed) else { return nil }
        isScouting = false
        if pilot == RaySurface.scout { pilot = RayOdds.middle }
        return .passed
    }

    @inline(__always)
    private mutating func take(_ odds: SIMD16<Float>) -> Bool {
        var odds = odds
        if !isScouting { odds[RaySurface.scout] = odds[RayOdds.middle] }
        weights *= odds
        let sum = weights.total
        guard sum > 1e-30 else { return false }
        weights *= Float(RayOdds.pilots) / sum
        return true
    }
}

extension SIMD16<Float> {
    /// The sum of all lanes, in an order that is the same everywhere.
    @inline(__always)
    var total: Float {
        let eight = lowHalf + highHalf
        let four = eight.lowHalf + eight.highHalf
        let two = four.lowHalf + four.highHalf
        return two.x + two.y
    }
}
