import OssicleAudioToolbox

/// An equaliser of any number of bands, one behind the other, and a gain. No latency.
open class AVAudioUnitEQ: AVAudioUnitEffect {
    /// The bands, from the first on. Fresh ones are bypassed.
    public private(set) var bands: [AVAudioUnitEQFilterParameters] = []

    /// An equaliser with `numberOfBands` bands, up to 1000; below 0 counts as 0.
    public init(numberOfBands: Int) {
        let count = min(max(numberOfBands, 0), 1000)
        super.init(effect: AudioComponentDescription(builtIn: kAudioUnitType_Effect, kAudioUnitSubType_NBandEQ), bandCount: count)
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
        get { ParameterReader(tree: tree)[first + index] }
        set {
            if let unit { unit.setValue(newValue, first + index) } else { tree.parameter(withAddress: AUParameterAddress(first + index))?.value = newValue }
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
