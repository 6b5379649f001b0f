import Foundation
import Testing
@testable import OssicleAVFAudio

@Suite("AVAudioCompressedBuffer") struct AVAudioCompressedBufferTests {
    private func format(_ id: AudioFormatID, channels: Int = 2) throws -> AVAudioFormat {
        try #require(
            AVAudioFormat(settings: [AVFormatIDKey: id, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: channels]))
    }

    @Test("A new buffer is empty, with room for packets and their descriptions")
    func new() throws {
        let buffer = try AVAudioCompressedBuffer(
            format: format(kAudioFormatMPEG4AAC), packetCapacity: 4, maximumPacketSize: 768)
        #expect(buffer.packetCapacity == 4 && buffer.maximumPacketSize == 768 && buffer.byteCapacity == 3072)
        #expect(buffer.packetCount == 0 && buffer.byteLength == 0 && buffer.lastError == nil)
        let descriptions = try #require(buffer.packetDescriptions)
        #expect(
            (0..<4).allSatisfy { descriptions[$0] == AudioStreamPacketDescription() }
                && buffer.packetDependencies == nil)
        #expect(
            buffer.audioBufferList.pointee.mNumberBuffers == 1
                && buffer.audioBufferList.pointee.mBuffers.mDataByteSize == 0)
        #expect(
            buffer.mutableAudioBufferList.pointee.mBuffers.mData == buffer.data
                && buffer.mutableAudioBufferList.pointee.mBuffers.mDataByteSize == 3072)
    }

    @Test("Counts are clamped to the capacity, and the list's size follows both ways")
    func lengths() throws {
        let buffer = try AVAudioCompressedBuffer(
            format: format(kAudioFormatMPEG4AAC), packetCapacity: 4, maximumPacketSize: 100)
        buffer.packetCount = 9
        buffer.byteLength = 1000
        #expect(
            buffer.packetCount == 4 && buffer.byteLength == 400
                && buffer.audioBufferList.pointee.mBuffers.mDataByteSize == 400)
        buffer.mutableAudioBufferList.pointee.mBuffers.mDataByteSize = 64
        #expect(buffer.byteLength == 64 && buffer.audioBufferList.pointee.mBuffers.mDataByteSize == 64)
        #expect(buffer.mutableAudioBufferList.pointee.mBuffers.mDataByteSize == 400)
        buffer.mutableAudioBufferList.pointee.mBuffers.mDataByteSize = .max
        #expect(buffer.byteLength == 400)
    }

    @Test(
        "Packets of one size need no descriptions",
        arguments: [(kAudioFormatULaw, 2), (kAudioFormatALaw, 2), (kAudioFormatAppleIMA4, 68)])
    func constant(id: AudioFormatID, size: Int) throws {
        let buffer = try AVAudioCompressedBuffer(format: format(id), packetCapacity: 10)
        #expect(
            buffer.maximumPacketSize == size && buffer.byteCapacity == UInt32(10 * size)
                && buffer.packetDescriptions == nil)
    }

    @Test("A copy has memory of its own")
    func copies() throws {
        let buffer = try AVAudioCompressedBuffer(
            format: format(kAudioFormatMPEGLayer3), packetCapacity: 3, maximumPacketSize: 8)
        for index in 0..<12 { buffer.data.storeBytes(of: UInt8(index), toByteOffset: index, as: UInt8.self) }
        buffer.packetDescriptions?[1] = AudioStreamPacketDescription(
            mStartOffset: 5, mVariableFramesInPacket: 0, mDataByteSize: 7)
        (buffer.packetCount, buffer.byteLength) = (2, 12)
        let copy = try #require(buffer.copy() as? AVAudioCompressedBuffer)
        buffer.data.storeBytes(of: 99, as: UInt8.self)
        #expect(
            copy !== buffer && copy.packetCount == 2 && copy.byteLength == 12 && copy.byteCapacity == 24
                && copy.format == buffer.format)
        #expect((0..<12).allSatisfy { copy.data.load(fromByteOffset: $0, as: UInt8.self) == UInt8($0) })
        #expect(copy.packetDescriptions?[1].mStartOffset == 5 && copy.packetDescriptions?[1].mDataByteSize == 7)
    }

    @Test("What cannot be is a buffer without room that tells why")
    func refusals() throws {
        let linear = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)),
            aac = try format(kAudioFormatMPEG4AAC)
        let refused = [
            AVAudioCompressedBuffer(format: linear, packetCapacity: 10, maximumPacketSize: 8),
            AVAudioCompressedBuffer(format: aac, packetCapacity: 10),
            AVAudioCompressedBuffer(format: aac, packetCapacity: 10, maximumPacketSize: -1),
            AVAudioCompressedBuffer(format: aac, packetCapacity: .max, maximumPacketSize: 2),
            AVAudioCompressedBuffer(format: aac, packetCapacity: 2, maximumPacketSize: .max),
        ]
        for buffer in refused {
            let error = try #require(buffer.lastError as? OssicleError)
            #expect(
                error.code == Int(kAudio_ParamError) && !error.object.isEmpty && !error.value.isEmpty
                    && !error.rule.isEmpty && !error.cure.isEmpty)
            (buffer.packetCount, buffer.byteLength) = (1, 1)
            #expect(
                buffer.packetCapacity == 0 && buffer.byteCapacity == 0 && buffer.packetCount == 0
                    && buffer.byteLength == 0 && buffer.packetDescriptions == nil)
            #expect(
                buffer.audioBufferList.pointee.mBuffers.mDataByteSize == 0
                    && (buffer.copy() as? AVAudioCompressedBuffer)?.byteCapacity == 0)
        }
        #expect(AVAudioCompressedBuffer(format: aac, packetCapacity: 0, maximumPacketSize: 100).lastError == nil)
    }

    @Test(
        "Linear PCM of every packing fits a PCM buffer",
        arguments: [(24, 3, false), (24, 4, false), (24, 4, true), (20, 3, true), (8, 1, false)], [true, false])
    func otherPCM(form: (bits: UInt32, bytes: UInt32, isHigh: Bool), isInterleaved: Bool) throws {
        var asbd = AudioStreamBasicDescription()
        let isPacked = form.bits == 8 * form.bytes
        (asbd.mSampleRate, asbd.mFormatID, asbd.mChannelsPerFrame, asbd.mBitsPerChannel) = (
            48_000, kAudioFormatLinearPCM, 2, form.bits
        )
        asbd.mFormatFlags =
            kAudioFormatFlagIsSignedInteger
            | (isPacked ? kAudioFormatFlagIsPacked : form.isHigh ? kAudioFormatFlagIsAlignedHigh : 0)
            | (isInterleaved ? 0 : kAudioFormatFlagIsNonInterleaved)
        (asbd.mFramesPerPacket, asbd.mBytesPerFrame) = (1, form.bytes * (isInterleaved ? 2 : 1))
        asbd.mBytesPerPacket = asbd.mBytesPerFrame
        let format = try #require(AVAudioFormat(streamDescription: &asbd))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 100))
        buffer.frameLength = 10
        #expect(
            format.commonFormat == .otherFormat
                && buffer.audioBufferList.pointee.mBuffers.mDataByteSize == 10 * asbd.mBytesPerFrame)
        #expect(
            buffer.audioBufferList.pointee.mNumberBuffers == (isInterleaved ? 1 : 2) && buffer.floatChannelData == nil
                && buffer.int32ChannelData == nil)
    }
}
