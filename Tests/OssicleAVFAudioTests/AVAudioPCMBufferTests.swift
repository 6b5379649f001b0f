import Foundation
import Testing
@testable import OssicleAVFAudio

@Suite("AVAudioPCMBuffer") struct AVAudioPCMBufferTests {
    private func format(
        _ form: AVAudioCommonFormat = .pcmFormatFloat32, _ channels: UInt32 = 2, interleaved: Bool = false
    ) throws -> AVAudioFormat {
        try #require(
            AVAudioFormat(commonFormat: form, sampleRate: 48_000, channels: channels, interleaved: interleaved))
    }

    @Test("A new buffer is silent, with no valid frames")
    func new() throws {
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format(), frameCapacity: 100))
        #expect(buffer.frameCapacity == 100 && buffer.frameLength == 0 && buffer.stride == 1)
        let samples = try #require(buffer.floatChannelData)
        #expect((0..<100).allSatisfy { samples[0][$0] == 0 && samples[1][$0] == 0 })
        #expect(buffer.int16ChannelData == nil && buffer.int32ChannelData == nil)
    }

    @Test("Interleaved channels are pointers one sample apart")
    func interleaved() throws {
        let buffer = try #require(
            AVAudioPCMBuffer(pcmFormat: format(.pcmFormatInt16, interleaved: true), frameCapacity: 4))
        let samples = try #require(buffer.int16ChannelData)
        #expect(buffer.stride == 2 && samples[1] == samples[0] + 1)
        #expect(
            buffer.audioBufferList.pointee.mNumberBuffers == 1
                && buffer.audioBufferList.pointee.mBuffers.mNumberChannels == 2)
        #expect(try AVAudioPCMBuffer(pcmFormat: format(.pcmFormatInt32), frameCapacity: 4)?.int32ChannelData != nil)
    }

    @Test("The length is clamped to the capacity, and the list's sizes follow it both ways")
    func length() throws {
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format(), frameCapacity: 100))
        buffer.frameLength = 1000
        #expect(buffer.frameLength == 100)
        buffer.frameLength = 30
        #expect(
            UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: buffer.audioBufferList)).map(
                \.mDataByteSize) == [120, 120])
        #expect(buffer.mutableAudioBufferList.pointee.mBuffers.mDataByteSize == 400)
        for index in 0..<2 {
            UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)[index].mDataByteSize = 64
        }
        #expect(buffer.frameLength == 16 && buffer.audioBufferList.pointee.mBuffers.mDataByteSize == 64)
    }

    @Test("Capacity 0 is an empty buffer; sizes beyond 32 bits and compressed formats give none")
    func refusals() throws {
        #expect(try AVAudioPCMBuffer(pcmFormat: format(), frameCapacity: 0)?.frameLength == 0)
        #expect(try AVAudioPCMBuffer(pcmFormat: format(), frameCapacity: .max) == nil)
        #expect(try AVAudioPCMBuffer(pcmFormat: format(.pcmFormatFloat64), frameCapacity: 1 << 30) == nil)
        let compressed = try #require(
            AVAudioFormat(settings: [
                AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
            ]))
        #expect(AVAudioPCMBuffer(pcmFormat: compressed, frameCapacity: 10) == nil)
        #expect(
            AVAudioPCMBuffer(pcmFormat: AVAudioFormat(unchecked: AudioStreamBasicDescription()), frameCapacity: 10)
                == nil)
    }

    @Test("A copy has memory of its own")
    func copies() throws {
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format(), frameCapacity: 8))
        buffer.frameLength = 2
        try #require(buffer.floatChannelData)[1][1] = 0.5
        let copy = try #require(buffer.copy() as? AVAudioPCMBuffer)
        try #require(buffer.floatChannelData)[1][1] = 0
        #expect(copy.frameLength == 2 && copy.frameCapacity == 8 && copy.format == buffer.format)
        #expect(copy.floatChannelData?[1][1] == 0.5)
    }

    @Test("A buffer over foreign memory uses it and gives it back")
    func noCopy() throws {
        let list = AudioBufferList.allocate(maximumBuffers: 2)
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 16)
        memory.initialize(repeating: 0.25, count: 16)
        defer { memory.deallocate(); list.unsafeMutablePointer.deallocate() }
        for index in 0..<2 {
            list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 32, mData: memory + 8 * index)
        }
        var returned = 0
        do {
            let buffer = try #require(
                AVAudioPCMBuffer(pcmFormat: format(), bufferListNoCopy: list.unsafePointer) { _ in returned += 1 })
            #expect(buffer.frameLength == 8 && buffer.floatChannelData?[1] == memory + 8)
        }
        #expect(returned == 1)
        #expect(
            try AVAudioPCMBuffer(pcmFormat: format(.pcmFormatFloat32, 1), bufferListNoCopy: list.unsafePointer) == nil)
        list[1].mDataByteSize = 16
        #expect(try AVAudioPCMBuffer(pcmFormat: format(), bufferListNoCopy: list.unsafePointer) == nil)
        list[1] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 32, mData: nil)
        #expect(try AVAudioPCMBuffer(pcmFormat: format(), bufferListNoCopy: list.unsafePointer) == nil)
    }

    @Test(
        "Samples pass through every form, integers by Apple's rule",
        arguments: [AVAudioCommonFormat.pcmFormatFloat32, .pcmFormatFloat64, .pcmFormatInt16, .pcmFormatInt32],
        [true, false])
    func samples(form: AVAudioCommonFormat, interleaved: Bool) throws {
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format(form, interleaved: interleaved), frameCapacity: 4))
        let plane = UnsafeMutablePointer<Double>.allocate(capacity: 4),
            other = UnsafeMutablePointer<Double>.allocate(capacity: 4)
        defer { plane.deallocate(); other.deallocate() }
        for (index, value) in [-1, 0.5, 0, -0.25].enumerated() { (plane[index], other[index]) = (value, -value / 2) }
        buffer.store([plane, other], at: 0, frames: 4)
        plane.update(repeating: 9, count: 4)
        buffer.load([plane, other], at: 0, frames: 4)
        #expect(
            (0..<4).map { plane[$0] } == [-1, 0.5, 0, -0.25] && (0..<4).map { other[$0] } == [0.5, -0.25, 0, 0.125])
        if form == .pcmFormatInt16 { #expect(buffer.int16ChannelData?[0][0] == -32_768) }
    }

    @Test("A read-only buffer is a copy, or takes what a closure writes")
    func readOnly() throws {
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format(), frameCapacity: 8))
        buffer.frameLength = 3
        let copy = AVReadOnlyAudioPCMBuffer(copying: buffer)
        buffer.frameLength = 8
        #expect(copy.frameLength == 3 && copy.frameCapacity == 8)
        let filled = try AVReadOnlyAudioPCMBuffer(format: format(), frameCapacity: 5) { list in
            for index in 0..<2 { UnsafeMutableAudioBufferListPointer(list)[index].mDataByteSize = 8 }
        }
        #expect(filled.frameLength == 2 && filled.withUnsafeAudioBufferList { $0.pointee.mBuffers.mDataByteSize } == 8)
        #expect(throws: OssicleError.self) {
            try AVReadOnlyAudioPCMBuffer(format: format(), frameCapacity: -1) { _ in }
        }
    }
}

@Suite("AVAudioTime") struct AVAudioTimeTests {
    @Test("Seconds and host ticks convert both ways, without trapping")
    func seconds() {
        #expect(AVAudioTime.hostTime(forSeconds: 1.5) == 1_500_000_000)
        #expect(AVAudioTime.seconds(forHostTime: 250_000_000) == 0.25)
        #expect(AVAudioTime.hostTime(forSeconds: .nan) == 0 && AVAudioTime.hostTime(forSeconds: -1) == 0)
        #expect(AVAudioTime.hostTime(forSeconds: .infinity) == .max && AVAudioTime.hostTime(forSeconds: 1e30) == .max)
    }

    @Test("Each initialiser makes its own clocks hold")
    func validity() {
        let host = AVAudioTime(hostTime: 5), samples = AVAudioTime(sampleTime: 1 << 60 | 1, atRate: 48_000)
        #expect(host.isHostTimeValid && !host.isSampleTimeValid && host.sampleRate == 0)
        #expect(!samples.isHostTimeValid && samples.isSampleTimeValid && samples.sampleTime == 1 << 60 | 1)
        #expect(AVAudioTime(sampleTime: 1, atRate: .nan).sampleRate == 0)
        var stamp = AudioTimeStamp()
        (stamp.mSampleTime, stamp.mFlags) = (.nan, .sampleTimeValid)
        #expect(AVAudioTime(audioTimeStamp: &stamp, sampleRate: 48_000).sampleTime == 0)
    }

    @Test("An anchor with both clocks gives the missing one")
    func extrapolation() throws {
        let anchor = AVAudioTime(hostTime: 10_000_000_000, sampleTime: 48_000, atRate: 48_000)
        let later = try #require(AVAudioTime(sampleTime: 96_000, atRate: 48_000).extrapolateTime(fromAnchor: anchor))
        #expect(later.hostTime == 11_000_000_000 && later.sampleTime == 96_000)
        let earlier = try #require(AVAudioTime(hostTime: 9_500_000_000).extrapolateTime(fromAnchor: anchor))
        #expect(earlier.sampleTime == 24_000 && earlier.sampleRate == 48_000)
        #expect(
            AVAudioTime(sampleTime: 0, atRate: 44_100).extrapolateTime(fromAnchor: anchor)?.hostTime == 9_000_000_000)
        #expect(anchor.extrapolateTime(fromAnchor: AVAudioTime(hostTime: 1)) === anchor)
        #expect(AVAudioTime(hostTime: 1).extrapolateTime(fromAnchor: AVAudioTime(hostTime: 1)) == nil)
        #expect(AVAudioTime(sampleTime: .min, atRate: 1e-300).extrapolateTime(fromAnchor: anchor)?.hostTime == 0)
    }
}
