import OssicleAudioToolbox

/// An equaliser of any number of bands, one behind the other, and a gain. No latency.
open class AVAudioUnitEQ: AVAudioUnitEffect {
    /// The bands, from the first on. Fresh ones are bypassed.
    public private(set) var bands: [AVAudioUnitEQFilterParameters] = []

    /// An equaliser with `numberOfBands` bands, up to 1000; below 0 counts as 0.
    public init(numberOfBands: Int) {
        let count = min(max(numberOfBands, 0), 1000)
        super.init(
            effect: AudioComponentDescription(builtIn: kAudioUnitType_Effect, kAudioUnitSubType_NBandEQ),
            bandCount: count)
        bands = (0..<count).map { UnitBand(self, AudioUnitParameterID($0)) }
    }

    /// dB, −96 … 24; default 0.
    open var globalGain: Float {
        get { value(kAUNBandEQParam_GlobalGain) }
        set { setValue(newValue, kAUNBandEQParam_GlobalGain) }
    }
}

/// A band whose numbers are the unit's parameters.
private final class UnitBand: AVAudioUnitEQFilterParameters {
    private weak var unit: AVAudioUnit?
    private let tree: AUParameterTree
    private let index: AudioUnitParameterID

    init(_ unit: AVAudioUnit, _ index: AudioUnitParameterID) {
        (self.unit, tree, self.index) = (unit, unit.parameterTree, index)
        super.init()
    }

    private subscript(first: AudioUnitParameterID) -> Float {
        get { tree.stored.values[AUParameterAddress(first + index)]?.current ?? 0 }
        set {
            if let unit {
                unit.setValue(newValue, first + index)
            } else {
                tree.parameter(withAddress: AUParameterAddress(first + index))?.value = newValue
            }
        }
    }

    override var filterType: AVAudioUnitEQFilterType {
        get { AVAudioUnitEQFilterType(rawValue: Int(self[kAUNBandEQParam_FilterType].rounded())) ?? .parametric }
        set { self[kAUNBandEQParam_FilterType] = Float(newValue.rawValue) }
    }

    override var frequency: Float {
        get { self[kAUNBandEQParam_Frequency] }
        set { self[kAUNBandEQParam_Frequency] = newValue }
    }

    override var bandwidth: Float {
        get { self[kAUNBandEQParam_Bandwidth] }
        set { self[kAUNBandEQParam_Bandwidth] = newValue }
    }

    override var gain: Float {
        get { self[kAUNBandEQParam_Gain] }
        set { self[kAUNBandEQParam_Gain] = newValue }
    }

    override var bypass: Bool {
        get { self[kAUNBandEQParam_BypassBand] >= 0.5 }
        set { self[kAUNBandEQParam_BypassBand] = newValue ? 1 : 0 }
    }
}

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

/// Kinds of equaliser band, and which of frequency, bandwidth and gain they use.
public enum AVAudioUnitEQFilterType: Int, CaseIterable, Sendable {
    /// A bell: frequency, bandwidth, gain.
    case parametric = 0
    /// Second-order Butterworth, −3 dB at its frequency.
    case lowPass = 1
    /// Second-order Butterworth, −3 dB at its frequency.
    case highPass = 2
    /// Frequency and bandwidth: the narrower, the higher the peak.
    case resonantLowPass = 3
    /// Frequency and bandwidth: the narrower, the higher the peak.
    case resonantHighPass = 4
    /// Frequency and bandwidth.
    case bandPass = 5
    /// Frequency and bandwidth.
    case bandStop = 6
    /// Frequency and gain.
    case lowShelf = 7
    /// Frequency and gain.
    case highShelf = 8
    /// Frequency, bandwidth and gain.
    case resonantLowShelf = 9
    /// Frequency, bandwidth and gain.
    case resonantHighShelf = 10
}
