import OssicleAudioToolbox
import OssicleCodecs
import OssicleConversion
import OssicleCoreAudioTypes
import OssicleFiles
import Testing

/// The services name Core Audio's numbers by themselves; they are Apple's.
@Suite("Core Audio's numbers in the services") struct CoreAudioNumberTests {
    @Test("File types")
    func fileTypes() {
        #expect(
            AudioFileType.all.map(\.id) == [
                kAudioFileWAVEType, kAudioFileRF64Type, kAudioFileBW64Type, kAudioFileWave64Type, kAudioFileAIFFType,
                kAudioFileAIFCType, kAudioFileCAFType, kAudioFileFLACType, kAudioFileMP3Type, kAudioFileMP2Type,
                kAudioFileMP1Type, kAudioFileNextType, kAudioFileM4AType, kAudioFileMPEG4Type, kAudioFileM4BType,
                kAudioFile3GPType, kAudioFile3GP2Type, kAudioFileAAC_ADTSType,
            ])
        #expect(AudioFileType.aiff == kAudioFileAIFFType && AudioFileType.aifc == kAudioFileAIFCType)
    }

    @Test(
        "Formats",
        arguments: [
            (AudioCodec.muLaw, kAudioFormatULaw, 0), (.aLaw, kAudioFormatALaw, 0), (.ima4, kAudioFormatAppleIMA4, 0),
            (.imaADPCM, kAudioFormatDVIIntelIMA, 0),
            (.alac16, kAudioFormatAppleLossless, kAppleLosslessFormatFlag_16BitSourceData),
            (.alac20, kAudioFormatAppleLossless, kAppleLosslessFormatFlag_20BitSourceData),
            (.alac24, kAudioFormatAppleLossless, kAppleLosslessFormatFlag_24BitSourceData),
            (.alac32, kAudioFormatAppleLossless, kAppleLosslessFormatFlag_32BitSourceData),
            (.flac8, kAudioFormatFLAC, 0), (.flac16, kAudioFormatFLAC, kAppleLosslessFormatFlag_16BitSourceData),
            (.flac24, kAudioFormatFLAC, kAppleLosslessFormatFlag_24BitSourceData),
            (.aac, kAudioFormatMPEG4AAC, 0), (.heAAC, kAudioFormatMPEG4AAC_HE, 0),
            (.heAACv2, kAudioFormatMPEG4AAC_HE_V2, 0), (.opus, kAudioFormatOpus, 0), (.mp1, kAudioFormatMPEGLayer1, 0),
            (.mp2, kAudioFormatMPEGLayer2, 0), (.mp3, kAudioFormatMPEGLayer3, 0),
        ] as [(AudioCodec, AudioFormatID, AudioFormatFlags)])
    func formats(codec: AudioCodec, id: AudioFormatID, flags: AudioFormatFlags) {
        #expect(codec.descriptor.formatID == id && codec.descriptor.formatFlags == flags)
        #expect(AudioCodec(formatID: id, flags: flags) == (codec == .flac8 ? .flac16 : codec))
    }

    @Test("Linear PCM")
    func linearPCM() {
        let format = PCMFormat(
            sampleRate: 48_000, channelCount: 2, kind: .signed, bits: 24, bytesPerSample: 4, isBigEndian: true,
            isAlignedHigh: true, isInterleaved: false)
        let description: AudioStreamBasicDescription = StreamFormat.pcm(format).described()
        #expect(description.mFormatID == kAudioFormatLinearPCM && description.isLinearPCM)
        #expect(
            description.mFormatFlags == kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsBigEndian
                | kAudioFormatFlagIsAlignedHigh | kAudioFormatFlagIsNonInterleaved)
        #expect(StreamFormat(description) == .pcm(format))
        let float: AudioStreamBasicDescription = StreamFormat.pcm(
            PCMFormat(sampleRate: 48_000, channelCount: 2, isInterleaved: true)
        ).described()
        #expect(float.mFormatFlags == kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked)
    }

    @Test("Status of the faults of files and converters")
    func status() {
        let files: [(AudioFileFault, OSStatus)] = [
            (.missing, kAudioFileFileNotFoundError), (.closed, kAudioFileNotOpenError),
            (.notOptimized, kAudioFileNotOptimizedError), (.notPermitted, kAudioFilePermissionsError),
            (.notAFile, kAudioFileUnsupportedFileTypeError), (.unrecognized, kAudioFileUnsupportedFileTypeError),
            (.empty, kAudioFileInvalidFileError), (.damaged, kAudioFileInvalidFileError),
            (.unsupported, kAudioFileUnsupportedDataFormatError), (.traitOff, kAudioFileUnsupportedDataFormatError),
            (.tooLarge, kAudio_MemFullError), (.outOfRange, kAudio_ParamError),
            (.writeFailed, kAudioFileUnspecifiedError),
        ]
        for (fault, status) in files {
            #expect(AudioFileError(fault, path: "", found: "", rule: "", cure: "").status == status)
        }
        let conversions: [(ConversionFault, OSStatus)] = [
            (.unsupported, kAudioConverterErr_FormatNotSupported),
            (.codec(.traitOff), kAudioConverterErr_FormatNotSupported),
            (.invalidSetting, kAudioConverterErr_OperationNotSupported),
            (.codec(.outOfRange), kAudioConverterErr_OperationNotSupported), (.invalidBuffer, kAudio_ParamError),
            (.codec(.damaged), kAudioConverterErr_UnspecifiedError), (.failed, kAudioConverterErr_UnspecifiedError),
        ]
        for (fault, status) in conversions {
            #expect(ConversionError(fault, found: "", rule: "", cure: "").status == status)
        }
    }
}
