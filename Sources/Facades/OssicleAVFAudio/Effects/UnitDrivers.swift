import OssicleAudioToolbox
import OssicleDSP
import OssicleRender

/// The values of a unit's parameters by their numbers.
struct ParameterReader {
    let tree: AUParameterTree

    subscript(id: AudioUnitParameterID) -> Float { tree.parameter(withAddress: AUParameterAddress(id))?.storedValue ?? 0 }

    func isOn(_ id: AudioUnitParameterID) -> Bool { self[id] >= 0.5 }
}

/// Which kernel a unit has, and what its parameters are there.
enum UnitDrivers {
    /// The driver of a built-in effect; `nil` for units that are none.
    static func make(for unit: UnitDescription, _ tree: AUParameterTree) -> (any UnitDriver)? {
        let value = ParameterReader(tree: tree)
        switch unit.component.componentSubType {
        case kAudioUnitSubType_Delay: return delay(value)
        case kAudioUnitSubType_SampleDelay: return sampleDelay(value)
        case kAudioUnitSubType_Distortion: return distortion(value)
        case kAudioUnitSubType_Reverb2: return ReverbDriver(value)
        case kAudioUnitSubType_MatrixReverb: return matrixReverb(value)
        case kAudioUnitSubType_DynamicsProcessor: return dynamicsProcessor(value)
        case kAudioUnitSubType_MultiBandCompressor: return multibandCompressor(value)
        case kAudioUnitSubType_PeakLimiter: return peakLimiter(value)
        case kAudioUnitSubType_NewTimePitch where unit.component.componentType == kAudioUnitType_Effect: return PitchDriver(value)
        default: return filter(unit.component.componentSubType, value)
        }
    }

    private static func delay(_ value: ParameterReader) -> any UnitDriver {
        KernelDriver(RendererReference.delay) {
            DelayEffect.Parameters(delayTime: Double(value[kDelayParam_DelayTime]), feedback: value[kDelayParam_Feedback],
                                   lowPassCutoff: value[kDelayParam_LopassCutoff], wetDryMix: value[kDelayParam_WetDryMix])
        }
    }

    private static func sampleDelay(_ value: ParameterReader) -> any UnitDriver {
        KernelDriver(RendererReference.sampleDelay) {
            var parameters = SampleDelay.Parameters()
            parameters.delayFrames = value[kSampleDelayParam_DelayFrames]
            return parameters
        }
    }

    private static func peakLimiter(_ value: ParameterReader) -> any UnitDriver {
        KernelDriver(RendererReference.peakLimiter) {
            var parameters = PeakLimiter.Parameters()
            parameters.attackTime = value[kLimiterParam_AttackTime]
            parameters.decayTime = value[kLimiterParam_DecayTime]
            parameters.preGain = value[kLimiterParam_PreGain]
            return parameters
        }
    }

    private static func matrixReverb(_ value: ParameterReader) -> any UnitDriver {
        KernelDriver(RendererReference.matrixReverb) {
            var parameters = MatrixReverb.Parameters()
            parameters.dryWetMix = value[kReverbParam_DryWetMix]
            parameters.smallLargeMix = value[kReverbParam_SmallLargeMix]
            parameters.smallSize = value[kReverbParam_SmallSize]
            parameters.largeSize = value[kReverbParam_LargeSize]
            parameters.preDelay = value[kReverbParam_PreDelay]
            parameters.largeDelay = value[kReverbParam_LargeDelay]
            parameters.smallDensity = value[kReverbParam_SmallDensity]
            parameters.largeDensity = value[kReverbParam_LargeDensity]
            parameters.smallBrightness = value[kReverbParam_SmallBrightness]
            parameters.largeBrightness = value[kReverbParam_LargeBrightness]
            parameters.modulationRate = value[kReverbParam_ModulationRate]
            parameters.modulationDepth = value[kReverbParam_ModulationDepth]
            parameters.filter.type = value[kReverbParam_FilterType]
            parameters.filter.frequency = value[kReverbParam_FilterFrequency]
            parameters.filter.bandwidth = value[kReverbParam_FilterBandwidth]
            parameters.filter.gain = value[kReverbParam_FilterGain]
            parameters.filter.isEnabled = value.isOn(kReverbParam_FilterEnable)
            return parameters
        }
    }
}
