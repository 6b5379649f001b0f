/// One band of an equaliser. Belongs to its unit; a change is glided to.
///
/// Values out of range are clamped; what is not a number changes nothing.
open class AVAudioUnitEQFilterParameters: NSObject {
    /// Called after every change.
    var didChange: (() -> Void)?

    override init() { super.init() }

    /// Kind of filter. Default `.parametric`.
    open var filterType = AVAudioUnitEQFilterType.parametric {
        didSet { if filterType != oldValue { didChange?() } }
    }

    /// Centre or corner in Hz, 20 and up; the filter holds it below half the sample rate. Default 1000.
    open var frequency: Float = 1000 {
        didSet {
            frequency = frequency.held(in: 20...384_000, else: oldValue)
            if frequency != oldValue { didChange?() }
        }
    }

    /// Octaves, 0.05 … 5. Default 0.5.
    open var bandwidth: Float = 0.5 {
        didSet {
            bandwidth = bandwidth.held(in: 0.05...5, else: oldValue)
            if bandwidth != oldValue { didChange?() }
        }
    }

    /// dB, −96 … 24. Default 0.
    open var gain: Float = 0 {
        didSet {
            gain = gain.held(in: -96...24, else: oldValue)
            if gain != oldValue { didChange?() }
        }
    }

    /// Whether the band does nothing. Default true.
    open var bypass = true {
        didSet { if bypass != oldValue { didChange?() } }
    }
}
