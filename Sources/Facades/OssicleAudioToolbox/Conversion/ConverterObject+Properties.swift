// The properties of converters: reading.

import OssicleCodecs
import OssicleConversion
import OssicleProperties

extension PropertyData {
    /// No value: only the size of an answer is asked for.
    static var nothing: PropertyData { PropertyData(nil, 0, badSize: kAudio_ParamError) }
}

extension ConverterObject {
    /// The value of a property; `question` is what the client wrote into the place for the answer.
    func property(_ id: AudioConverterPropertyID, _ question: PropertyData) throws(StatusError) -> PropertyValue {
        let settings = converter.settings
        switch id {
        case kAudioConverterPropertyMinimumInputBufferSize: return .of(UInt32(clamping: max(1, source.bytesPerPacket)))
        case kAudioConverterPropertyMinimumOutputBufferSize, kAudioConverterPropertyMaximumOutputPacketSize:
            return .of(UInt32(clamping: largestOutputPacket))
        case kAudioConverterPropertyMaximumInputPacketSize: return .of(UInt32(clamping: source.largestPacket))
        case kAudioConverterPropertyCalculateInputBufferSize:
            return .of(inputSize(forOutput: try question.question(UInt32(0))))
        case kAudioConverterPropertyCalculateOutputBufferSize:
            return .of(outputSize(forInput: try question.question(UInt32(0))))
        case kAudioConverterCurrentInputStreamDescription: return .of(source.description)
        case kAudioConverterCurrentOutputStreamDescription: return .of(target.description)
        case kAudioConverterInputChannelLayout:
            return ChannelLayoutBytes.layout(of: source.channelLabels, channelCount: source.channelCount)
        case kAudioConverterOutputChannelLayout:
            return ChannelLayoutBytes.layout(of: target.channelLabels, channelCount: target.channelCount)
        case kAudioConverterChannelMap:
            let straight = (0..<target.channelCount).map { $0 < source.channelCount ? $0 : -1 }
            return .list((settings.channelMap ?? straight).map { Int32(clamping: $0) })
        case kAudioConverterPropertyBitDepthHint, kAudioConverterPropertyDitherBitDepth:
            return .of(UInt32(clamping: target.bits))
        case kAudioConverterPropertyDithering: return .of(ditherAlgorithm)
        default:
            return source.isPCM && !target.isPCM
                ? try encoding(id) : source.isPCM ? try rateProperty(id) : try decoding(id)
        }
    }

    /// Whether `setProperty` takes the property.
    func isSettable(_ id: AudioConverterPropertyID) -> Bool {
        [
            kAudioConverterSampleRateConverterComplexity, kAudioConverterSampleRateConverterQuality,
            kAudioConverterSampleRateConverterInitialPhase,
            kAudioConverterCodecQuality, kAudioConverterPrimeMethod, kAudioConverterChannelMap,
            kAudioConverterDecompressionMagicCookie,
            kAudioConverterEncodeBitRate, kAudioConverterEncodeAdjustableSampleRate, kAudioConverterInputChannelLayout,
            kAudioConverterOutputChannelLayout, kAudioConverterPropertyBitDepthHint, kAudioConverterPropertyDithering,
            kAudioConverterPropertyDitherBitDepth,
            kAudioCodecPropertyBitRateControlMode, kAudioCodecPropertySoundQualityForVBR,
        ].contains(id) || id == kAudioConverterPrimeInfo && !source.isPCM
    }

    /// Properties of every converter that may change the rate.
    private func rateProperty(_ id: AudioConverterPropertyID) throws(StatusError) -> PropertyValue {
        let settings = converter.settings
        switch id {
        case kAudioConverterSampleRateConverterComplexity: return .of(settings.rateAlgorithm.complexity)
        case kAudioConverterSampleRateConverterQuality: return .of(UInt32(clamping: settings.rateQuality))
        case kAudioConverterSampleRateConverterInitialPhase: return .of(Float64(0))
        case kAudioConverterPrimeMethod: return .of(settings.primeMethod.number)
        case kAudioConverterPrimeInfo:
            let priming = converter.priming
            return .of(
                AudioConverterPrimeInfo(
                    leadingFrames: UInt32(clamping: priming.leading), trailingFrames: UInt32(clamping: priming.trailing)
                ))
        default: throw StatusError(kAudioConverterErr_PropertyNotSupported)
        }
    }

    private func decoding(_ id: AudioConverterPropertyID) throws(StatusError) -> PropertyValue {
        guard id == kAudioConverterDecompressionMagicCookie else { return try rateProperty(id) }
        return .bytes(converter.cookie)
    }

    private func encoding(_ id: AudioConverterPropertyID) throws(StatusError) -> PropertyValue {
        let settings = converter.settings.encoder
        switch id {
        case kAudioConverterCompressionMagicCookie: return .bytes(converter.cookie)
        case kAudioConverterCodecQuality, kAudioCodecPropertySoundQualityForVBR:
            return .of(UInt32(clamping: Int(((settings.quality ?? 0.5) * 127).rounded())))
        case kAudioCodecPropertyBitRateControlMode: return .of((settings.strategy ?? .constant).number)
        case kAudioConverterEncodeAdjustableSampleRate: return .of(target.sampleRate)
        case kAudioConverterEncodeBitRate:
            return .of(UInt32(clamping: settings.bitRate ?? encoderRange?.bitRates?.upperBound ?? 0))
        case kAudioConverterApplicableEncodeBitRates, kAudioConverterAvailableEncodeBitRates:
            return .list(
                (encoderRange?.bitRates).map {
                    [AudioValueRange(mMinimum: Double($0.lowerBound), mMaximum: Double($0.upperBound))]
                } ?? [])
        case kAudioConverterApplicableEncodeSampleRates, kAudioConverterAvailableEncodeSampleRates:
            return .list((encoderRange?.sampleRates ?? []).map { AudioValueRange(mMinimum: $0, mMaximum: $0) })
        case kAudioConverterAvailableEncodeChannelLayoutTags:
            return .list(
                target.packets.map {
                    Codecs.encodedLayoutTags($0.codec, sampleRate: $0.sampleRate, channelCount: $0.channelCount)
                } ?? [])
        default: return try rateProperty(id)
        }
    }

    var encoderRange: EncoderRange? {
        target.packets.flatMap {
            Codecs.encoderRange($0.codec, sampleRate: target.sampleRate, channelCount: target.channelCount)
        }
    }

    private var largestOutputPacket: Int {
        max(1, target.isPCM ? target.bytesPerPacket : max(converter.maximumOutputPacketSize, target.largestPacket))
    }

    /// Bytes of input that give `bytes` of output, in whole packets.
    private func inputSize(forOutput bytes: UInt32) -> UInt32 {
        let given = Double(Int(bytes) / largestOutputPacket) * Double(max(1, target.framesPerPacket))
        let frames = given * source.sampleRate / target.sampleRate
        let packets = (frames / Double(max(1, source.framesPerPacket))).rounded(.up)
        return UInt32(rounding: packets * Double(max(1, source.largestPacket)))
    }

    /// Bytes of output that `bytes` of input give, in whole packets.
    private func outputSize(forInput bytes: UInt32) -> UInt32 {
        let taken = Double(Int(bytes) / max(1, source.largestPacket)) * Double(max(1, source.framesPerPacket))
        let frames = taken * target.sampleRate / source.sampleRate
        let packets = (frames / Double(max(1, target.framesPerPacket))).rounded(.up)
        return UInt32(rounding: packets * Double(largestOutputPacket))
    }
}
