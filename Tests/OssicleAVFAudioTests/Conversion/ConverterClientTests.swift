import Foundation
import OssicleCodecs
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

/// Converters as programs written for Apple's use them.
@Suite("Clients of AVAudioConverter") struct ConverterClientTests {
    /// A microphone tap's buffers, each converted in a call of its own that has one buffer to give.
    @Test("A speech recogniser gets 16 kHz mono integers of what a tap hears")
    func speech() throws {
        let hardware = try Rig.format(),
            wanted = try Rig.format(.pcmFormatInt16, rate: 16_000, channels: 1, interleaved: true)
        let converter = try #require(AVAudioConverter(from: hardware, to: wanted))
        converter.downmix = true
        let (voice, whistle) = (
            Signal.sine(440, count: 96_000, amplitude: 0.4), Signal.sine(10_000, count: 96_000, amplitude: 0.2)
        )
        let sound = zip(voice, whistle).map { $0 + $1 }
        var heard: [Float] = []
        for start in stride(from: 0, to: sound.count, by: 4800) {
            let piece = Array(sound[start..<start + 4800])
            nonisolated(unsafe) let tapped = try Rig.buffer([piece, piece])
            let capacity = AVAudioFrameCount(Double(tapped.frameLength) * wanted.sampleRate / hardware.sampleRate)
            let output = try #require(AVAudioPCMBuffer(pcmFormat: wanted, frameCapacity: capacity))
            nonisolated(unsafe) var isGiven = false
            var failure: NSError?
            let status = converter.convert(to: output, error: &failure) { _, status in
                status.pointee = isGiven ? .noDataNow : .haveData
                defer { isGiven = true }
                return isGiven ? nil : tapped
            }
            #expect(failure == nil && (status == .haveData || status == .inputRanDry))
            let samples = try #require(output.int16ChannelData)
            heard += (0..<Int(output.frameLength)).map { Float(samples[0][$0]) / 32_768 }
        }
        // What the filter still holds is less than a tap buffer.
        #expect(heard.count <= 32_000 && heard.count > 32_000 - 1600)
        let steady = Array(heard[1600..<29_000])
        #expect(abs(Measure.tone(440, in: steady, sampleRate: 16_000).amplitude - 0.4) < 0.002)
        #expect(Measure.decibels(Measure.tone(6000, in: steady, sampleRate: 16_000).amplitude) < -80)
    }

    /// A stream's packets come in groups that have nothing to do with the output's size.
    @Test("A radio plays MP3 packets as they come")
    func radio() throws {
        let folder = try TemporaryFolder(), url = folder.file("radio.mp3")
        let sound = Signal.sine(1000, sampleRate: 44_100, count: 44_100, amplitude: 0.5)
        let file = try AVAudioFile(
            forWriting: url,
            settings: [AVFormatIDKey: kAudioFormatMPEGLayer3, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2])
        try file.write(from: Rig.buffer([sound, sound], rate: 44_100))
        file.close()
        let packets = try packets(of: url)
        let output = try Rig.run(
            Rig.converter(packets.format, Rig.format(rate: 44_100)), packets.buffers.flatMap { [.give($0), .nothing] },
            capacity: 500)
        let tone = Measure.tone(1000, in: Array(output[0][5000..<40_000]), sampleRate: 44_100)
        #expect(output[0].count >= 44_100)
        // The encoder turns sounds down by 5 %, so the level is held against that of the file read as a whole.
        let reading = try AVAudioFile(forReading: url),
            whole = try #require(AVAudioPCMBuffer(pcmFormat: reading.processingFormat, frameCapacity: 44_100))
        try reading.read(into: whole)
        let expected = try Measure.tone(1000, in: Array(Rig.samples(whole)[0][5000..<40_000]), sampleRate: 44_100)
        #expect(abs(tone.amplitude - expected.amplitude) < 0.001)
        #expect(tone.signalToNoise > 30)
    }

    /// The packets of an MP3 file in buffers of three, cut by their own headers.
    private func packets(of url: URL) throws -> (format: AVAudioFormat, buffers: [AVAudioCompressedBuffer]) {
        var bytes = [UInt8](try Data(contentsOf: url))[...], packets: [ArraySlice<UInt8>] = []
        while bytes.count >= 4 {
            if let header = MPEGHeader(bytes), header.layer == 3, header.byteCount > 0, header.byteCount <= bytes.count
            {
                packets.append(bytes.prefix(header.byteCount))
                bytes = bytes.dropFirst(header.byteCount)
            } else {
                bytes = bytes.dropFirst()
            }
        }
        let format = try Rig.compressed(kAudioFormatMPEGLayer3, rate: 44_100)
        let buffers = stride(from: 0, to: packets.count, by: 3).map { start in
            let group = packets[start..<min(start + 3, packets.count)],
                buffer = AVAudioCompressedBuffer(format: format, packetCapacity: 3, maximumPacketSize: 1500)
            for packet in group {
                buffer.packetDescriptions?[Int(buffer.packetCount)] = AudioStreamPacketDescription(
                    mStartOffset: Int64(buffer.byteLength), mVariableFramesInPacket: 0,
                    mDataByteSize: UInt32(packet.count))
                UnsafeMutableRawBufferPointer(start: buffer.data + Int(buffer.byteLength), count: packet.count)
                    .copyBytes(from: packet)
                buffer.byteLength += UInt32(packet.count)
                buffer.packetCount += 1
            }
            return buffer
        }
        return (format, buffers)
    }

    /// The loop of the README: the block reads a file, and the converter ends with it.
    @Test("A file is converted by a block that reads it")
    func file() throws {
        let folder = try TemporaryFolder()
        let sound = Signal.sine(440, count: 48_000, amplitude: 0.4)
        let writing = try AVAudioFile(
            forWriting: folder.file("talk.flac"),
            settings: [AVFormatIDKey: kAudioFormatFLAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2])
        try writing.write(from: Rig.buffer([sound, sound]))
        writing.close()
        let source = try AVAudioFile(forReading: folder.file("talk.flac")),
            speech = try Rig.format(.pcmFormatInt16, rate: 16_000, channels: 1, interleaved: true)
        let target = try AVAudioFile(
            forWriting: folder.file("talk.wav"), settings: speech.settings, commonFormat: .pcmFormatInt16,
            interleaved: true)
        let converter = try #require(AVAudioConverter(from: source.processingFormat, to: speech)),
            piece = try #require(AVAudioPCMBuffer(pcmFormat: speech, frameCapacity: 4096))
        var status = AVAudioConverterOutputStatus.haveData
        while status != .endOfStream {
            var failure: NSError?
            status = converter.convert(to: piece, error: &failure) { packets, status in
                let buffer = AVAudioPCMBuffer(pcmFormat: source.processingFormat, frameCapacity: packets)
                if let buffer { try? source.read(into: buffer) }
                status.pointee = (buffer?.frameLength ?? 0) > 0 ? .haveData : .endOfStream
                return buffer
            }
            try #require(failure == nil && status != .error)
            try target.write(from: piece)
        }
        #expect(abs(target.length - 16_000) <= 1)
    }
}
