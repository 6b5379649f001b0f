import Foundation
import OssicleCodecs
import OssicleCoreAudioTypes
import OssicleFiles
import OssicleTestSupport
import Testing
@testable import OssicleAudioToolbox

@Suite("Types of sound files and where they lie") struct AudioFileTypeTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    /// Interleaved floating point, most significant byte first or last.
    private static func floats(bits: UInt32, bigEndian: Bool) -> AudioStreamBasicDescription {
        AudioStreamBasicDescription(
            mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
                | (bigEndian ? kAudioFormatFlagIsBigEndian : 0),
            mBytesPerPacket: bits / 8, mFramesPerPacket: 1, mBytesPerFrame: bits / 8, mChannelsPerFrame: 1,
            mBitsPerChannel: bits, mReserved: 0)
    }

    private func status(_ name: String, _ type: AudioFileTypeID, _ format: AudioStreamBasicDescription) -> OSStatus {
        var file: ExtAudioFileRef?, format = format
        let status = ExtAudioFileCreateWithURL(
            folder.file(name), type, &format, nil, AudioFileFlags.eraseFile.rawValue, &file)
        if let file { ExtAudioFileDispose(file) }
        return status
    }

    @Test("AIFF-C holds floating point, most significant byte first; AIFF holds integers of 8 to 32 bits")
    func aiff() throws {
        for bits: UInt32 in [32, 64] {
            #expect(status("a.aifc", kAudioFileAIFCType, Self.floats(bits: bits, bigEndian: true)) == noErr)
            let info = try AudioFileReader(path: folder.path("a.aifc")).info
            #expect(
                info.codec == (bits == 32 ? .float32 : .float64) && info.isBigEndian
                    && info.fileType == kAudioFileAIFCType)
            #expect(
                status("b.aifc", kAudioFileAIFCType, Self.floats(bits: bits, bigEndian: false))
                    == kAudioFileUnsupportedDataFormatError)
            for isBig in [true, false] {
                #expect(
                    status("c.aiff", kAudioFileAIFFType, Self.floats(bits: bits, bigEndian: isBig))
                        == kAudioFileUnsupportedDataFormatError)
            }
            var format = Self.floats(bits: bits, bigEndian: true), file: AudioFileID?
            #expect(
                AudioFileCreateWithURL(folder.file("d.aifc"), kAudioFileAIFCType, &format, .eraseFile, &file) == noErr)
            AudioFileClose(try #require(file))
            #expect(
                AudioFileCreateWithURL(folder.file("d.aiff"), kAudioFileAIFFType, &format, .eraseFile, &file)
                    == kAudioFileUnsupportedDataFormatError)
        }
        for bits: UInt32 in [8, 16, 24, 32] {
            #expect(status("e.aiff", kAudioFileAIFFType, .integers(48_000, 1, bits: bits, bigEndian: true)) == noErr)
            #expect(status("e.aifc", kAudioFileAIFCType, .integers(48_000, 1, bits: bits, bigEndian: true)) == noErr)
        }
        var pair = AudioFileTypeAndFormatID(mFileType: kAudioFileAIFFType, mFormatID: kAudioFormatLinearPCM),
            size: UInt32 = 0
        #expect(
            AudioFileGetGlobalInfoSize(kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, 8, &pair, &size)
                == noErr)
        #expect(Int(size) == 4 * MemoryLayout<AudioStreamBasicDescription>.size, "8, 16, 24 and 32 bits")
    }

    @Test("URLs without a scheme stand for their paths, also with percent signs")
    func plainURLs() throws {
        let address = folder.path("a b.caf").replacingOccurrences(of: " ", with: "%20"),
            url = try #require(URL(string: address) as NSURL?)
        #expect((url as URL).scheme == nil)
        var format = AudioStreamBasicDescription.integers(48_000, 1), written: ExtAudioFileRef?, read: ExtAudioFileRef?,
            file: AudioFileID?
        #expect(
            ExtAudioFileCreateWithURL(url, kAudioFileCAFType, &format, nil, AudioFileFlags.eraseFile.rawValue, &written)
                == noErr)
        #expect(ExtAudioFileDispose(try #require(written)) == noErr)
        #expect(FileManager.default.fileExists(atPath: folder.path("a b.caf")))
        #expect(ExtAudioFileOpenURL(url, &read) == noErr)
        #expect(ExtAudioFileDispose(try #require(read)) == noErr)
        #expect(AudioFileOpenURL(url, .readPermission, 0, &file) == noErr)
        #expect(AudioFileClose(try #require(file)) == noErr)
        let elsewhere = try #require(NSURL(string: "http://example.com/a.caf"))
        #expect(ExtAudioFileOpenURL(elsewhere, &read) != noErr)
        #expect(ExtAudioFileOpenURL(try #require(NSURL(string: "//example.com/a.caf")), &read) != noErr)
    }
}
