import OssicleAcoustics

/// How an environment's sounds get quieter with distance. Belongs to its node; a change is glided to.
///
/// Values out of range are clamped; what is not a number changes nothing.
open class AVAudioEnvironmentDistanceAttenuationParameters: NSObject {
    private static let positive: ClosedRange<Float> = 0...(.greatestFiniteMagnitude)
    /// Called after every change.
    var didChange: (() -> Void)?

    override init() { super.init() }

    /// The law. Default `.inverse`.
    open var distanceAttenuationModel = AVAudioEnvironmentDistanceAttenuationModel.inverse {
        didSet { if distanceAttenuationModel != oldValue { didChange?() } }
    }

    /// Metres, 0 and up: nearer, nothing grows louder. Default 1.
    open var referenceDistance: Float = 1 {
        didSet {
            referenceDistance = referenceDistance.held(in: Self.positive, else: oldValue)
            if referenceDistance != oldValue { didChange?() }
        }
    }

    /// Metres, 0 and up: farther, nothing grows quieter by the linear law. Default 100 000.
    open var maximumDistance: Float = 100_000 {
        didSet {
            maximumDistance = maximumDistance.held(in: Self.positive, else: oldValue)
            if maximumDistance != oldValue { didChange?() }
        }
    }

    /// How fast level falls, 0 and up. Default 1.
    open var rolloffFactor: Float = 1 {
        didSet {
            rolloffFactor = rolloffFactor.held(in: Self.positive, else: oldValue)
            if rolloffFactor != oldValue { didChange?() }
        }
    }

    var law: DistanceLaw {
        let (reference, maximum, rolloff) = (Double(referenceDistance), Double(maximumDistance), Double(rolloffFactor))
        return switch distanceAttenuationModel {
        case .exponential: .exponential(reference: reference, rolloff: rolloff)
        case .inverse: .inverse(reference: reference, rolloff: rolloff)
        case .linear: .linear(reference: reference, maximum: maximum, rolloff: rolloff)
        }
    }
}
