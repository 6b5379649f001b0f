import OssicleDSP
import OssicleRender

/// The reverb of an environment, shared by its sources according to their `reverbBlend`. Belongs to its node.
///
/// Values out of range are clamped; what is not a number changes nothing. Another preset lets the room before ring out.
open class AVAudioEnvironmentReverbParameters: NSObject {
    /// Called after every change, also of the filter's.
    var didChange: (() -> Void)? {
        didSet { filterParameters.didChange = didChange }
    }

    private(set) var preset = AVAudioUnitReverbPreset.mediumHall

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

    var filter: EnvironmentFilter {
        var filter = EnvironmentFilter()
        filter.kind = EnvironmentFilter.Kind(rawValue: filterParameters.filterType.rawValue) ?? .parametric
        (filter.frequency, filter.bandwidth) = (filterParameters.frequency, filterParameters.bandwidth)
        (filter.gain, filter.bypass) = (filterParameters.gain, filterParameters.bypass)
        return filter
    }
}
