import Foundation
import Testing
import OssicleAudioToolbox

@Suite("Properties of AudioConverter") struct AudioConverterPropertyTests {
    private func make(
        _ source: AudioStreamBasicDescription, _ target: AudioStreamBasicDescription
    ) throws -> AudioConverterRef {
        var converter: AudioConverterRef?, source = source, target = target
        #expect(AudioConverterNew(&source, &target, &converter) == noErr)
        return try #require(converter)
    }

    private func get<Value>(_ converter: AudioConverterRef, _ id: AudioConverterPropertyID, _ start: Value) -> Value {
        var value = start, size: UInt32 = 0
        #expect(AudioConverterGetPropertyInfo(converter, id, &size, nil) == noErr)
        #expect(Int(size) == MemoryLayout<Value>.size, "\(id)")
        #expect(AudioConverterGetProperty(converter, id, &size, &value) == noErr)
        var small = UInt32(MemoryLayout<Value>.size - 1), other = start
        #expect(AudioConverterGetProperty(converter, id, &small, &other) == kAudioConverterErr_BadPropertySizeError)
        return value
    }

    private func set<Value>(_ converter: AudioConverterRef, _ id: AudioConverterPropertyID, _ value: Value) -> OSStatus
    {
        var value = value
        return AudioConverterSetProperty(converter, id, UInt32(MemoryLayout<Value>.size), &value)
    }

    @Test("A change of rate has quality, complexity and priming")
    func rate() throws {
        let converter = try make(.floats(44_100, 2), .floats(48_000, 2))
        defer { AudioConverterDispose(converter) }
        #expect(get(converter, kAudioConverterSampleRateConverterQuality, UInt32(0)) == kAudioConverterQuality_Medium)
        for quality in [
            kAudioConverterQuality_Min, kAudioConverterQuality_Low, kAudioConverterQuality_High,
            kAudioConverterQuality_Max,
        ] {
            #expect(set(converter, kAudioConverterSampleRateConverterQuality, quality) == noErr)
            #expect(get(converter, kAudioConverterSampleRateConverterQuality, UInt32(0)) == quality)
        }
        #expect(
            set(converter, kAudioConverterSampleRateConverterQuality, UInt32(128))
                == kAudioConverterErr_OperationNotSupported)
        #expect(
            set(converter, kAudioConverterSampleRateConverterQuality, UInt8(1))
                == kAudioConverterErr_BadPropertySizeError)
        for complexity in [
            kAudioConverterSampleRateConverterComplexity_Mastering,
            kAudioConverterSampleRateConverterComplexity_MinimumPhase,
            kAudioConverterSampleRateConverterComplexity_Normal,
        ] {
            #expect(set(converter, kAudioConverterSampleRateConverterComplexity, complexity) == noErr)
            #expect(get(converter, kAudioConverterSampleRateConverterComplexity, UInt32(0)) == complexity)
        }
        #expect(
            set(converter, kAudioConverterSampleRateConverterComplexity, UInt32(7))
                == kAudioConverterErr_OperationNotSupported)
        for method in [kConverterPrimeMethod_Pre, kConverterPrimeMethod_None, kConverterPrimeMethod_Normal] {
            #expect(set(converter, kAudioConverterPrimeMethod, method) == noErr)
            #expect(get(converter, kAudioConverterPrimeMethod, UInt32(9)) == method)
        }
        #expect(get(converter, kAudioConverterPrimeInfo, AudioConverterPrimeInfo()).trailingFrames > 0)
        #expect(
            set(converter, kAudioConverterPrimeInfo, AudioConverterPrimeInfo())
                == kAudioConverterErr_OperationNotSupported)
        #expect(get(converter, kAudioConverterSampleRateConverterInitialPhase, Float64(1)) == 0)
        #expect(
            set(converter, kAudioConverterSampleRateConverterInitialPhase, Float64(0.5))
                == kAudioConverterErr_OperationNotSupported)
    }

    @Test("Sizes follow from the formats")
    func sizes() throws {
        let converter = try make(.integers(24_000, 2), .floats(48_000, 1))
        defer { AudioConverterDispose(converter) }
        #expect(get(converter, kAudioConverterPropertyMinimumInputBufferSize, UInt32(0)) == 4)
        #expect(get(converter, kAudioConverterPropertyMinimumOutputBufferSize, UInt32(0)) == 4)
        #expect(get(converter, kAudioConverterPropertyMaximumInputPacketSize, UInt32(0)) == 4)
        #expect(get(converter, kAudioConverterPropertyMaximumOutputPacketSize, UInt32(0)) == 4)
        #expect(get(converter, kAudioConverterPropertyCalculateInputBufferSize, UInt32(4000)) == 2000)
        #expect(get(converter, kAudioConverterPropertyCalculateOutputBufferSize, UInt32(2000)) == 4000)
        #expect(
            get(converter, kAudioConverterCurrentInputStreamDescription, AudioStreamBasicDescription())
                == .integers(24_000, 2))
        #expect(
            get(converter, kAudioConverterCurrentOutputStreamDescription, AudioStreamBasicDescription())
                == .floats(48_000, 1))
        #expect(get(converter, kAudioConverterPropertyBitDepthHint, UInt32(0)) == 32)
        #expect(get(converter, kAudioConverterChannelMap, Int32(9)) == 0)
    }

    @Test("Channels have a map and roles")
    func channels() throws {
        let converter = try make(.floats(48_000, 6), .floats(48_000, 2))
        defer { AudioConverterDispose(converter) }
        #expect(get(converter, kAudioConverterChannelMap, (Int32(9), Int32(9))) == (0, 1))
        #expect(set(converter, kAudioConverterChannelMap, (Int32(5), Int32(-1))) == noErr)
        #expect(get(converter, kAudioConverterChannelMap, (Int32(0), Int32(0))) == (5, -1))
        #expect(
            set(converter, kAudioConverterChannelMap, (Int32(6), Int32(0))) == kAudioConverterErr_OperationNotSupported)
        #expect(set(converter, kAudioConverterChannelMap, Int32(0)) == kAudioConverterErr_BadPropertySizeError)
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_1_A
        #expect(set(converter, kAudioConverterInputChannelLayout, layout) == noErr)
        #expect(
            get(converter, kAudioConverterInputChannelLayout, AudioChannelLayout()).mChannelLayoutTag
                == kAudioChannelLayoutTag_MPEG_5_1_A)
        #expect(
            get(converter, kAudioConverterOutputChannelLayout, AudioChannelLayout()).mChannelLayoutTag
                == kAudioChannelLayoutTag_Stereo)
        #expect(set(converter, kAudioConverterOutputChannelLayout, layout) == kAudioConverterErr_BadPropertySizeError)
        #expect(
            set(converter, kAudioConverterOutputChannelLayout, UInt32(5)) == kAudioConverterErr_BadPropertySizeError)
        #expect(
            get(converter, kAudioConverterChannelMap, (Int32(0), Int32(0))) == (5, -1), "a new layout keeps the rest")
    }

    @Test("Noise against the loss of bits can be chosen")
    func dither() throws {
        let converter = try make(.floats(48_000, 1), .integers(48_000, 1))
        defer { AudioConverterDispose(converter) }
        #expect(get(converter, kAudioConverterPropertyDithering, UInt32(9)) == 0)
        #expect(set(converter, kAudioConverterPropertyDithering, kDitherAlgorithm_NoiseShaping) == noErr)
        #expect(get(converter, kAudioConverterPropertyDithering, UInt32(9)) == kDitherAlgorithm_NoiseShaping)
        #expect(set(converter, kAudioConverterPropertyDithering, UInt32(3)) == kAudioConverterErr_OperationNotSupported)
        #expect(get(converter, kAudioConverterPropertyDitherBitDepth, UInt32(9)) == 16)
        #expect(set(converter, kAudioConverterPropertyDitherBitDepth, UInt32(16)) == noErr)
    }

    @Test("An encoder tells what it can do and takes what it is told")
    func encoder() throws {
        let converter = try make(.floats(48_000, 2), .compressed(kAudioFormatOpus, 48_000, 2))
        defer { AudioConverterDispose(converter) }
        let range = get(converter, kAudioConverterApplicableEncodeBitRates, AudioValueRange())
        #expect(range.mMinimum > 0 && range.mMinimum < 64_000 && range.mMaximum > 256_000)
        #expect(set(converter, kAudioConverterEncodeBitRate, UInt32(96_000)) == noErr)
        #expect(get(converter, kAudioConverterEncodeBitRate, UInt32(0)) == 96_000)
        #expect(
            set(converter, kAudioConverterEncodeBitRate, UInt32(range.mMaximum) + 1)
                == kAudioConverterErr_OperationNotSupported)
        #expect(set(converter, kAudioConverterCodecQuality, kAudioConverterQuality_High) == noErr)
        #expect(get(converter, kAudioConverterCodecQuality, UInt32(0)) == kAudioConverterQuality_High)
        for mode in 0...3 as ClosedRange<UInt32> {
            #expect(set(converter, kAudioCodecPropertyBitRateControlMode, mode) == noErr)
            #expect(get(converter, kAudioCodecPropertyBitRateControlMode, UInt32(9)) == mode)
        }
        #expect(
            set(converter, kAudioCodecPropertyBitRateControlMode, UInt32(4)) == kAudioConverterErr_OperationNotSupported
        )
        #expect(get(converter, kAudioConverterEncodeAdjustableSampleRate, Float64(0)) == 48_000)
        var size: UInt32 = 0, writable: DarwinBoolean = true
        #expect(
            AudioConverterGetPropertyInfo(converter, kAudioConverterAvailableEncodeSampleRates, &size, &writable)
                == noErr)
        #expect(size > 0 && Int(size) % MemoryLayout<AudioValueRange>.size == 0 && !writable.boolValue)
        #expect(
            AudioConverterGetPropertyInfo(converter, kAudioConverterAvailableEncodeChannelLayoutTags, &size, nil)
                == noErr && size >= 8)
        #expect(
            AudioConverterGetPropertyInfo(converter, kAudioConverterEncodeBitRate, &size, &writable) == noErr
                && writable.boolValue)
        #expect(
            set(converter, kAudioConverterApplicableEncodeBitRates, range) == kAudioConverterErr_OperationNotSupported)
    }

    @Test("What a converter does not have, and converters that are gone, are told apart")
    func refusals() throws {
        var none: AudioConverterRef?, source = AudioStreamBasicDescription.floats(48_000, 2),
            target = AudioStreamBasicDescription.compressed(kAudioFormatMPEGLayer3, 48_000, 2)
        #expect(AudioConverterNew(&source, &target, &none) == kAudioConverterErr_FormatNotSupported && none == nil)
        target = .compressed(0x7878_7878, 48_000, 2)
        #expect(AudioConverterNew(&source, &target, &none) == kAudioConverterErr_FormatNotSupported && none == nil)
        target = .floats(.infinity, 2)
        #expect(AudioConverterNew(&source, &target, &none) == kAudioConverterErr_FormatNotSupported && none == nil)
        let converter = try make(.floats(48_000, 2), .floats(48_000, 2))
        var number: UInt32 = 0, size: UInt32 = 4
        for id in [
            kAudioConverterEncodeBitRate, kAudioConverterDecompressionMagicCookie,
            kAudioConverterCompressionMagicCookie, 0x7878_7878,
        ] {
            #expect(AudioConverterGetProperty(converter, id, &size, &number) == kAudioConverterErr_PropertyNotSupported)
            #expect(AudioConverterSetProperty(converter, id, 4, &number) == kAudioConverterErr_PropertyNotSupported)
            #expect(AudioConverterGetPropertyInfo(converter, id, nil, nil) == kAudioConverterErr_PropertyNotSupported)
        }
        #expect(AudioConverterDispose(converter) == noErr)
        for gone in [converter, try #require(AudioConverterRef(bitPattern: 0x10_0000))] {
            #expect(AudioConverterDispose(gone) == kAudio_ParamError && AudioConverterReset(gone) == kAudio_ParamError)
            #expect(AudioConverterGetProperty(gone, kAudioConverterPrimeMethod, &size, &number) == kAudio_ParamError)
            #expect(AudioConverterSetProperty(gone, kAudioConverterPrimeMethod, 4, &number) == kAudio_ParamError)
        }
    }

    @Test("A codec's class does not matter")
    func specific() throws {
        var converter: AudioConverterRef?, source = AudioStreamBasicDescription.floats(48_000, 1),
            target = AudioStreamBasicDescription.integers(48_000, 1)
        var description = AudioClassDescription(mType: 1, mSubType: 2, mManufacturer: 3)
        #expect(AudioConverterNewSpecific(&source, &target, 1, &description, &converter) == noErr)
        #expect(AudioConverterDispose(try #require(converter)) == noErr)
    }
}
