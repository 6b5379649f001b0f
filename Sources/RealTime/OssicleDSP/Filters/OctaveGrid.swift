import OssicleCore

/// Where the ten sections of a graphic equaliser lie at one sample rate, and how they mix into each other's bands.
///
/// Section 0 is a low shelf between 31.5 and 63 Hz, sections 1…8 are peaks at 63 Hz … 8 kHz, section 9 is a high shelf
/// between 8 and 16 kHz. The bandwidth of a peak depends on its gain G so that the neighbouring octave always gets a
/// quarter of its dB:
///
///     H = (s² + aGs + 1)/(s² + as + 1),   a² = (9/4)/(u(u² + u + 1)),   u = √G
///
/// Then the dB at the centres are nearly a constant matrix times the sections' dB (the interaction matrix of Välimäki
/// and Liski, "Accurate cascade graphic equalizer", IEEE SPL 24, 2017, where the same idea holds with a fixed
/// bandwidth). Made once per sample rate.
package struct OctaveGrid: BitwiseCopyable, Sendable {
    package typealias Lanes = SIMD16<Float>
    /// One vector for each section; lanes are the octave centres the response is asked at, or lines, as the user likes.
    typealias Sections<Element> = InlineArray<10, Element>

    package let sampleRate: Double
    /// tan(πf/fs) of each section's corner.
    let corners: Lanes
    /// (warped centre / warped corner)², one lane for each octave centre.
    private(set) var squaredRatios = Sections<Lanes>(repeating: .zero)
    /// Columns of the inverse interaction matrix.
    private(set) var inverse = Sections<Lanes>(repeating: .zero)
    /// 1 in the lanes whose octave lies below Nyquist and has a section of its own, else 0.
    let active: Lanes

    package init(sampleRate: Double) {
        let rate = sampleRate.isFinite && sampleRate > 0 ? sampleRate : 48000
        self.sampleRate = rate
        var corners = Lanes(repeating: 1)
        var centres = Lanes(repeating: 1)
        var active = Lanes.zero
        for band in 0..<OctaveBands.count {
            let centre = OctaveBands.centre(band)
            let shelf = band == 0 ? centre * 1.4142135623730951 : (band == 9 ? centre / 1.4142135623730951 : centre)
            active[band] = centre < 0.46 * rate ? 1 : 0
            corners[band] = OctaveGrid.warped(shelf, rate)
            centres[band] = OctaveGrid.warped(centre, rate)
        }
        (self.corners, self.active) = (corners, active)
        for section in 0..<10 {
            let ratio = centres / corners[section]
            squaredRatios[section] = ratio * ratio
        }
        inverse = OctaveGrid.inverted(interaction())
    }

    private static func warped(_ frequency: Double, _ rate: Double) -> Float {
        Float(DeterministicMath.tan(DeterministicMath.pi * min(frequency, 0.47 * rate) / rate))
    }

    /// Column j: dB at the centres per dB of section j, for small gains. Bands without a section are joined by nothing
    /// but a 1 on the diagonal.
    private func interaction() -> Sections<Lanes> {
        let small = SectionShapes(decibels: Lanes(repeating: 0.01))
        var columns = Sections<Lanes>(repeating: .zero)
        for j in 0..<10 {
            columns[j] = small.decibels(of: j, squaredRatio: squaredRatios[j]) * 100 * active * active[j]
            if active[j] == 0 { columns[j][j] = 1 }
        }
        return columns
    }

    /// Gauss–Jordan without pivots: the matrix is close to a band of diagonally dominant rows.
    private static func inverted(_ columns: Sections<Lanes>) -> Sections<Lanes> {
        var (a, b) = (columns, Sections<Lanes>(repeating: .zero))
        for i in 0..<10 { b[i][i] = 1 }
        for i in 0..<10 {
            var factors = a[i] / a[i][i]
            factors[i] = 1 - 1 / a[i][i]
            for j in 0..<10 {
                a[j] -= factors * a[j][i]
                b[j] -= factors * b[j][i]
            }
        }
        return b
    }
}

/// What the sections' gains make of their shapes: one lane for each section.
struct SectionShapes: BitwiseCopyable {
    typealias Lanes = OctaveGrid.Lanes
    /// Linear gain of each section, its root, and a² of the peaks.
    let gain, root, squaredDamping: Lanes

    init(decibels: Lanes) {
        gain = LaneMath.exp2(decibels * 0.166_096_405)
        root = gain.squareRoot()
        squaredDamping = Lanes(repeating: 2.25) / (root * (gain + root + 1))
    }

    /// |H|² of section `j` at squared ratios of frequency to corner.
    @inline(__always)
    func response(of j: Int, squaredRatio x: Lanes) -> Lanes {
        switch j {
        case 0:
            let (a, bx) = (root[j], x * (2 * root[j]))
            let (up, down) = (a - x, 1 - x * a)
            return (up * up + bx) * (a * a) / (down * down + bx)
        case 9:
            let (a, bx) = (root[j], x * (2 * root[j]))
            let (up, down) = (1 - x * a, a - x)
            return (up * up + bx) * (a * a) / (down * down + bx)
        default:
            let g = gain[j]
            let distance = (1 - x) * (1 - x)
            let ax = x * squaredDamping[j]
            return (distance + ax * (g * g)) / (distance + ax)
        }
    }

    @inline(__always)
    func decibels(of j: Int, squaredRatio x: Lanes) -> Lanes {
        LaneMath.log2(response(of: j, squaredRatio: x)) * 3.010_299_96
    }
}

/// Powers and logarithms of sixteen numbers at once, to a few units in the last place of `Float`, in plain additions
/// and multiplications: the same bits on any processor.
enum LaneMath {
    typealias Lanes = SIMD16<Float>

    /// Each lane held within ±limit. (The library's `clamped` is forty times slower on vectors this wide.)
    @inline(__always)
    static func held(_ x: Lanes, within limit: Float) -> Lanes {
        let low = x.replacing(with: -limit, where: x .< -limit)
        return low.replacing(with: limit, where: low .> limit)
    }

    /// 2^x for x within ±126 (held there).
    static func exp2(_ x: Lanes) -> Lanes {
        let held = held(x, within: 126)
        // Adding 1.5·2²³ leaves the nearest integer in the low bits of the mantissa.
        let magic = Lanes(repeating: 12_582_912)
        let shifted = held + magic
        let r = held - (shifted - magic)
        let k = unsafeBitCast(shifted, to: SIMD16<Int32>.self) &- unsafeBitCast(magic, to: SIMD16<Int32>.self)
        var sum = Lanes(repeating: 1.525_273_4e-5) // ln2ⁿ/n!, n = 7 … 1
        sum = sum * r + 1.540_353_0e-4
        sum = sum * r + 1.333_355_8e-3
        sum = sum * r + 9.618_129_1e-3
        sum = sum * r + 5.550_410_9e-2
        sum = sum * r + 2.402_265_1e-1
        sum = sum * r + 6.931_471_8e-1
        sum = sum * r + 1
        let scale = unsafeBitCast((k &+ SIMD16<Int32>(repeating: 127)) &<< SIMD16<Int32>(repeating: 23), to: Lanes.self)
        return sum * scale
    }

    /// log₂ x for normal positive x.
    static func log2(_ x: Lanes) -> Lanes {
        let bits = unsafeBitCast(x, to: SIMD16<Int32>.self)
        let rootHalf = SIMD16<Int32>(repeating: 0x3F35_04F3)
        let exponent = (bits &- rootHalf) &>> SIMD16<Int32>(repeating: 23)
        let mantissa = unsafeBitCast(bits &- (exponent &<< SIMD16<Int32>(repeating: 23)), to: Lanes.self)
        let t = (mantissa - 1) / (mantissa + 1)
        let t2 = t * t
        var sum = Lanes(repeating: 0.320_598_90) // 2/(n·ln2), n = 9, 7 … 1
        sum = sum * t2 + 0.412_198_58
        sum = sum * t2 + 0.577_078_02
        sum = sum * t2 + 0.961_796_69
        sum = sum * t2 + 2.885_390_08
        return Lanes(exponent) + t * sum
    }
}
