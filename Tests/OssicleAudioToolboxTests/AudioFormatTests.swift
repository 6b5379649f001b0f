import Foundation
import OssicleCodecs
import Testing
import OssicleAudioToolbox

@Suite("Questions about formats and files") struct AudioFormatTests {
    private func ask<Answer>(
        _ id: AudioFormatPropertyID, _ specifier: [UInt8], _ start: Answer
    ) -> (status: OSStatus, answer: Answer) {
        var answer = start, size = UInt32(MemoryLayout<Answer>.size)
        let status = AudioFormatGetProperty(id, UInt32(specifier.count), specifier, &size, &answer)
        if status == noErr {
            #expect(Int(size) == MemoryLayout<Answer>.size)
            size -= 1
            var other = start
            #expect(
                AudioFormatGetProperty(id, UInt32(specifier.count), specifier, &size, &other)
                    == kAudioFormatBadPropertySizeError)
        }
        return (status, answer)
    }

    private func bytes<Value>(_ value: Value) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

    @Test("What follows from the rest of a description is filled in")
    func info() {
        var plain = AudioStreamBasicDescription.integers(48_000, 2, bits: 24)
        (plain.mBytesPerFrame, plain.mBytesPerPacket, plain.mFramesPerPacket) = (0, 0, 0)
        #expect(ask(kAudioFormatProperty_FormatInfo, [], plain).answer == .integers(48_000, 2, bits: 24))
        for (id, frames, packet) in [
            (kAudioFormatMPEG4AAC, 1024, 0), (kAudioFormatAppleLossless, 4096, 0), (kAudioFormatAppleIMA4, 64, 68),
            (kAudioFormatMPEGLayer3, 1152, 0),
            (kAudioFormatULaw, 1, 2),
        ] as [(AudioFormatID, UInt32, UInt32)] {
            let filled = ask(kAudioFormatProperty_FormatInfo, [], AudioStreamBasicDescription.compressed(id, 44_100, 2))
                .answer
            #expect(
                filled.mFramesPerPacket == frames && filled.mBytesPerPacket == packet && filled.mSampleRate == 44_100
                    && filled.mChannelsPerFrame == 2)
        }
        #expect(
            ask(kAudioFormatProperty_FormatInfo, [], AudioStreamBasicDescription.compressed(0x7878_7878, 44_100, 2))
                .status == kAudioFormatUnknownFormatError)
        var senseless = AudioStreamBasicDescription()
        (senseless.mFormatID, senseless.mBitsPerChannel, senseless.mChannelsPerFrame) = (
            kAudioFormatLinearPCM, .max, .max
        )
        #expect(ask(kAudioFormatProperty_FormatInfo, [], senseless).status == noErr)
    }

    @Test("An elementary stream descriptor tells the format of AAC")
    func descriptor() {
        // AudioSpecificConfig of ISO/IEC 14496-3: object type 2, 44.1 kHz (index 4), two channels.
        let found = ask(kAudioFormatProperty_ASBDFromESDS, [0x12, 0x10], AudioStreamBasicDescription())
        #expect(
            found.status == noErr
                && found.answer
                    == {
                        var expected = AudioStreamBasicDescription.compressed(kAudioFormatMPEG4AAC, 44_100, 2)
                        expected.mFramesPerPacket = 1024
                        return expected
                    }()
        )
        #expect(
            ask(kAudioFormatProperty_ASBDFromESDS, [], AudioStreamBasicDescription()).status
                == kAudioFormatUnknownFormatError)
    }

    @Test("Formats have names, and packets of one size or not")
    func names() throws {
        let mp3 = bytes(AudioStreamBasicDescription.compressed(kAudioFormatMPEGLayer3, 48_000, 2)),
            pcm = bytes(AudioStreamBasicDescription.integers(48_000, 2))
        #expect(
            ask(kAudioFormatProperty_FormatIsVBR, mp3, UInt32(9)).answer == 1
                && ask(kAudioFormatProperty_FormatIsVBR, pcm, UInt32(9)).answer == 0)
        #expect(ask(kAudioFormatProperty_FormatIsExternallyFramed, pcm, UInt32(9)).answer == 0)
        var name: CFString?, size = UInt32(MemoryLayout<CFString?>.size)
        #expect(AudioFormatGetProperty(kAudioFormatProperty_FormatName, UInt32(mp3.count), mp3, &size, &name) == noErr)
        #expect(name.map { String(describing: $0) } == "MPEG Layer 3")
        #expect(ask(kAudioFormatProperty_FormatIsVBR, [1, 2], UInt32(9)).status == kAudioFormatBadSpecifierSizeError)
        #expect(ask(0x7878_7878, [], UInt32(0)).status == kAudioFormatUnsupportedPropertyError)
        #expect(
            AudioFormatGetProperty(kAudioFormatProperty_FormatIsVBR, UInt32(pcm.count), pcm, nil, nil)
                == kAudio_ParamError)
        #expect(
            AudioFormatGetPropertyInfo(kAudioFormatProperty_FormatIsVBR, UInt32(pcm.count), pcm, &size) == noErr
                && size == 4)
    }

    @Test("Layouts turn into tags and back")
    func layouts() {
        let tag = bytes(kAudioChannelLayoutTag_MPEG_5_1_A)
        var size: UInt32 = 0
        #expect(
            AudioFormatGetPropertyInfo(kAudioFormatProperty_ChannelLayoutForTag, 4, tag, &size) == noErr
                && size == 12 + 6 * 20)
        var layout = [UInt8](repeating: 0, count: Int(size))
        #expect(AudioFormatGetProperty(kAudioFormatProperty_ChannelLayoutForTag, 4, tag, &size, &layout) == noErr)
        #expect(
            ask(kAudioFormatProperty_TagForChannelLayout, layout, UInt32(0)).answer == kAudioChannelLayoutTag_MPEG_5_1_A
        )
        #expect(ask(kAudioFormatProperty_NumberOfChannelsForLayout, layout, UInt32(0)).answer == 6)
        #expect(
            ask(kAudioFormatProperty_NumberOfChannelsForLayout, Array(layout.dropLast()), UInt32(0)).status
                == kAudioFormatBadSpecifierSizeError)
        #expect(
            AudioFormatGetPropertyInfo(kAudioFormatProperty_ChannelLayoutForTag, 4, bytes(UInt32(0x1234_0000)), &size)
                == kAudioFormatUnknownFormatError)
    }

    @Test("Encoders and decoders are listed, and what is listed can be made")
    func codecs() {
        func list(_ id: AudioFormatPropertyID) -> [AudioFormatID] {
            var size: UInt32 = 0
            #expect(AudioFormatGetPropertyInfo(id, 0, nil, &size) == noErr)
            var ids = [AudioFormatID](repeating: 0, count: Int(size) / 4)
            #expect(AudioFormatGetProperty(id, 0, nil, &size, &ids) == noErr)
            return ids
        }
        let encoders = list(kAudioFormatProperty_EncodeFormatIDs), decoders = list(kAudioFormatProperty_DecodeFormatIDs)
        for id in [
            kAudioFormatLinearPCM, kAudioFormatAppleLossless, kAudioFormatFLAC, kAudioFormatOpus, kAudioFormatULaw,
        ] {
            #expect(encoders.contains(id) && decoders.contains(id))
        }
        #expect(decoders.contains(kAudioFormatMPEGLayer3) && !encoders.contains(kAudioFormatMPEGLayer3))
        #if FFmpeg
        #expect(encoders.contains(kAudioFormatMPEG4AAC) && decoders.contains(kAudioFormatMPEG4AAC))
        #else
        #expect(!encoders.contains(kAudioFormatMPEG4AAC) && !decoders.contains(kAudioFormatMPEG4AAC))
        #endif
        for id in encoders where id != kAudioFormatLinearPCM {
            var source = AudioStreamBasicDescription.floats(48_000, 2),
                target = AudioStreamBasicDescription.compressed(id, 48_000, 2), converter: AudioConverterRef?
            #expect(AudioConverterNew(&source, &target, &converter) == noErr)
            if let converter { AudioConverterDispose(converter) }
        }
        var items = [
            AudioFormatListItem(mASBD: .compressed(0x7878_7878, 48_000, 2), mChannelLayoutTag: 0),
            AudioFormatListItem(mASBD: .integers(48_000, 2), mChannelLayoutTag: 0),
        ]
        var index: UInt32 = 9, size: UInt32 = 4
        #expect(
            AudioFormatGetProperty(
                kAudioFormatProperty_FirstPlayableFormatFromList, UInt32(MemoryLayout<AudioFormatListItem>.stride * 2),
                &items, &size, &index) == noErr)
        #expect(index == 1)
    }

    @Test("Types of files have names, extensions and codings")
    func types() throws {
        func list(_ id: AudioFilePropertyID, _ specifier: [UInt8]) -> [UInt32] {
            var specifier = specifier, size: UInt32 = 0
            #expect(AudioFileGetGlobalInfoSize(id, UInt32(specifier.count), &specifier, &size) == noErr)
            var answer = [UInt32](repeating: 0, count: Int(size) / 4)
            #expect(AudioFileGetGlobalInfo(id, UInt32(specifier.count), &specifier, &size, &answer) == noErr)
            return answer
        }
        let readable = list(kAudioFileGlobalInfo_ReadableTypes, []),
            writable = list(kAudioFileGlobalInfo_WritableTypes, [])
        #expect(
            Set(writable).isSubset(of: readable) && writable.contains(kAudioFileWAVEType)
                && readable.contains(kAudioFileMP3Type))
        #expect(!writable.contains(kAudioFileMP3Type))
        for type in [kAudioFileM4AType, kAudioFileMPEG4Type, kAudioFileAAC_ADTSType] {
            #expect(readable.contains(type) == Codecs.hasFFmpeg && writable.contains(type) == Codecs.hasFFmpeg)
        }
        #expect(list(kAudioFileGlobalInfo_AvailableFormatIDs, bytes(kAudioFileFLACType)) == [kAudioFormatFLAC])
        let caf = list(kAudioFileGlobalInfo_AvailableFormatIDs, bytes(kAudioFileCAFType))
        #expect(
            caf.contains(kAudioFormatLinearPCM) && caf.contains(kAudioFormatAppleLossless)
                && Set(caf).count == caf.count)
        var object: CFString? = "wav", size = UInt32(MemoryLayout<CFString?>.size)
        var type = [AudioFileTypeID](repeating: 0, count: 1), typeSize: UInt32 = 4
        #expect(
            AudioFileGetGlobalInfo(kAudioFileGlobalInfo_TypesForExtension, size, &object, &typeSize, &type) == noErr
                && type == [kAudioFileWAVEType])
        var asked = kAudioFileAIFFType, endings: CFArray?
        #expect(AudioFileGetGlobalInfo(kAudioFileGlobalInfo_ExtensionsForType, 4, &asked, &size, &endings) == noErr)
        #expect((endings as? [String])?.contains("aiff") == true)
        #expect(
            AudioFileGetGlobalInfo(kAudioFileGlobalInfo_FileTypeName, 4, &asked, &size, &object) == noErr
                && object.map { String(describing: $0) } == "AIFF")
        asked = 0x7878_7878
        #expect(
            AudioFileGetGlobalInfo(kAudioFileGlobalInfo_FileTypeName, 4, &asked, &size, &object)
                == kAudioFileUnsupportedFileTypeError)
        #expect(
            AudioFileGetGlobalInfo(kAudioFileGlobalInfo_FileTypeName, 2, &asked, &size, &object)
                == kAudioFileBadPropertySizeError)
        #expect(AudioFileGetGlobalInfo(0x7878_7878, 0, nil, &size, &object) == kAudioFileUnsupportedPropertyError)
        var pair = AudioFileTypeAndFormatID(mFileType: kAudioFileAIFFType, mFormatID: kAudioFormatLinearPCM)
        #expect(
            AudioFileGetGlobalInfoSize(kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, 8, &pair, &size)
                == noErr)
        var streams = [AudioStreamBasicDescription](
            repeating: AudioStreamBasicDescription(), count: Int(size) / MemoryLayout<AudioStreamBasicDescription>.size)
        #expect(
            AudioFileGetGlobalInfo(kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, 8, &pair, &size, &streams)
                == noErr)
        #expect(streams.contains { $0.mBitsPerChannel == 24 && $0.mFormatFlags & kAudioFormatFlagIsBigEndian != 0 })
    }
}
