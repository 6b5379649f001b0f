import OssicleAcoustics
import OssicleDSP
import OssicleNodes

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

/// The reverb of an environment, shared by its sources according to their `reverbBlend`. Belongs to its node.
///
/// Values out of range are clamped; what is not a number changes nothing. Another preset lets the room before ring out.
open class AVAudioEnvironmentReverbParameters: NSObject {
    /// Called after every change, also of the filter's.
    var didChange: (() -> Void)? {
        didSet { filterParameters.didChange = didChange }
    }

    private var preset = AVAudioUnitReverbPreset.mediumHall
    var factoryPreset: AVAudioUnitReverbPreset { preset }

    override init() { super.init() }

    /// Whether there is reverb. Default false.
    open var enable = false {
        didSet { if enable != oldValue { didChange?() } }
    }

    /// Level in dB, −40 … 40. Default 0.
    open var level: Float = 0 {
        didSet {
            level = level.held(in: -40...40, else: oldValue)
            if level != oldValue { didChange?() }
        }
    }

    /// One filter behind the reverb; bypassed until switched on.
    public let filterParameters = AVAudioUnitEQFilterParameters()

    /// Chooses the room. The filter stays as it is.
    open func loadFactoryReverbPreset(_ preset: AVAudioUnitReverbPreset) {
        guard preset != self.preset else { return }
        self.preset = preset
        didChange?()
    }

    /// As the engine has it.
    var reverb: EnvironmentReverb {
        let filter = EqualizerBand(
            kind: FilterKind(rawValue: filterParameters.filterType.rawValue) ?? .parametric,
            frequency: filterParameters.frequency, bandwidth: filterParameters.bandwidth,
            gain: filterParameters.gain, bypass: filterParameters.bypass)
        return EnvironmentReverb(isEnabled: enable, preset: preset.room, level: level, filter: filter)
    }
}

extension Float {
    /// The value moved into a range; `old` if it is not a number.
    func held(in range: ClosedRange<Float>, else old: Float) -> Float {
        isNaN ? old : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
