import OssicleCore

/// The filter of the reverb units: one band of eleven types, numbered as the equaliser's.
package struct ReverbFilter: BitwiseCopyable, Hashable, Sendable {
    /// 0 parametric, 1 low pass, 2 high pass, 3 resonant low pass, 4 resonant high pass, 5 band pass, 6 band stop, 7 low shelf, 8 high shelf,
    /// 9 resonant low shelf, 10 resonant high shelf.
    package var type: Float = 0
    /// Hz, 10 … 20 000.
    package var frequency: Float = 800
    /// Octaves, 0.05 … 4; without effect on types 1, 2, 7 and 8.
    package var bandwidth: Float = 3
    /// dB, −18 … 18; of parametric and shelves.
    package var gain: Float = 0
    package var isEnabled = true

    package init() {}

    /// Octaves between the band's edges are 2·arsinh(1/2Q)/ln 2.
    var q: Double {
        switch number {
        case 1, 2, 7, 8: return 0.7071067811865476
        default:
            let ratio = DeterministicMath.exp2(Double(bandwidth.held(0.05...4, otherwise: 3)))
            return ratio.squareRoot() / (ratio - 1)
        }
    }

    var hertz: Double { Double(frequency.held(10...20_000, otherwise: 800)) }
    private var number: Int { Int(type.held(0...10, otherwise: 0).rounded()) }

    /// Switched off it is a parametric band that changes nothing.
    var shape: StateVariableFilter.Shape {
        let decibels = Double(gain.held(-18...18, otherwise: 0))
        guard isEnabled else { return .peaking(0) }
        switch number {
        case 1, 3: return .lowPass
        case 2, 4: return .highPass
        case 5: return .bandPass
        case 6: return .notch
        case 7, 9: return .lowShelf(decibels)
        case 8, 10: return .highShelf(decibels)
        default: return .peaking(decibels)
        }
    }
}
