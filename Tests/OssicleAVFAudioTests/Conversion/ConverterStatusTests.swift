import Foundation
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

@Suite("The statuses of AVAudioConverter") struct ConverterStatusTests {
    private let ramp = (0..<3000).map { Float($0) / 4096 }

    private func toInt16() throws -> (converter: AVAudioConverter, output: AVAudioPCMBuffer) {
        let converter = try Rig.converter(
            Rig.format(channels: 1), Rig.format(.pcmFormatInt16, channels: 1, interleaved: true))
        return (converter, try #require(AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: 1000)))
    }

    private func step(
        _ converter: AVAudioConverter, _ output: AVAudioBuffer, _ script: Script
    ) -> AVAudioConverterOutputStatus {
        var failure: NSError?
        let status = converter.convert(to: output, error: &failure) { script.next($0, $1) }
        #expect((failure == nil) == (status != .error))
        return status
    }

    @Test("A full output is data, also when it takes several inputs and leaves some over")
    func full() throws {
        let (converter, output) = try toInt16()
        let script = Script(try Rig.pieces([ramp], of: 700))
        var samples: [Int16] = []
        for _ in 0..<3 {
            #expect(step(converter, output, script) == .haveData && output.frameLength == 1000)
            samples += (0..<1000).map { output.int16ChannelData?[0][$0] ?? .min }
        }
        #expect(samples == (0..<3000).map { Int16($0 * 8) } && script.asked.allSatisfy { $0 > 0 })
        #expect(step(converter, output, script) == .endOfStream && output.frameLength == 0)
    }

    @Test("Nothing now gives what there is, and the stream goes on where it was")
    func dry() throws {
        let (converter, output) = try toInt16()
        let script = Script([
            .give(try Rig.buffer([Array(ramp[..<300])])), .nothing, .nothing,
            .give(try Rig.buffer([Array(ramp[300..<1500])])), .nothing,
        ])
        #expect(step(converter, output, script) == .inputRanDry && output.frameLength == 300)
        #expect(step(converter, output, script) == .inputRanDry && output.frameLength == 0)
        #expect(
            step(converter, output, script) == .haveData && output.frameLength == 1000
                && output.int16ChannelData?[0][0] == 2400)
        #expect(
            step(converter, output, script) == .inputRanDry && output.frameLength == 200
                && output.int16ChannelData?[0][199] == 1499 * 8)
    }

    @Test("A missing or empty buffer counts as nothing now, however often it comes")
    func forgotten() throws {
        let (converter, output) = try toInt16()
        let empty = try #require(AVAudioPCMBuffer(pcmFormat: converter.inputFormat, frameCapacity: 10))
        #expect(step(converter, output, Script([], then: .forget)) == .inputRanDry && output.frameLength == 0)
        #expect(step(converter, output, Script([], then: .give(empty))) == .inputRanDry && output.frameLength == 0)
        #expect(step(converter, output, Script([.give(try Rig.buffer([ramp]))])) == .haveData)
    }

    @Test("The last frames are data, and only then the stream is over until a reset")
    func end() throws {
        let (converter, output) = try toInt16()
        let script = Script([.give(try Rig.buffer([Array(ramp[..<1200])])), .end], then: .give(try Rig.buffer([ramp])))
        #expect(step(converter, output, script) == .haveData && output.frameLength == 1000)
        #expect(step(converter, output, script) == .haveData && output.frameLength == 200)
        for _ in 0..<2 { #expect(step(converter, output, script) == .endOfStream && output.frameLength == 0) }
        converter.reset()
        #expect(step(converter, output, script) == .haveData && output.frameLength == 1000)
    }

    @Test("A change of rate keeps what it holds back over a dry spell: cut input sounds like whole input")
    func dryRate() throws {
        let sound = Signal.sine(1000, count: 9600, amplitude: 0.5)
        func converter() throws -> AVAudioConverter {
            try Rig.converter(Rig.format(channels: 1), Rig.format(rate: 44_100, channels: 1))
        }
        let whole = try Rig.run(try converter(), try Rig.pieces([sound], of: 9600))[0]
        let cut = try Rig.run(
            try converter(), try Rig.pieces([sound], of: 480).flatMap { [$0, .nothing, .forget] }, capacity: 441)[0]
        #expect(abs(whole.count - 8820) <= 1 && cut == whole)
    }

    @Test("What is wrong with the input or the output is an error, and the converter goes on after it")
    func errors() throws {
        let (converter, output) = try toInt16()
        let stereo = try Rig.buffer([ramp, ramp])
        func code(_ output: AVAudioBuffer, _ input: AVAudioBuffer) throws -> OSStatus? {
            let script = Script([.give(input)])
            var failure: NSError?
            let status = converter.convert(to: output, error: &failure) { script.next($0, $1) }
            let error = try #require(failure as? OssicleError)
            #expect(
                status == .error && !error.object.isEmpty && !error.value.isEmpty && !error.rule.isEmpty
                    && !error.cure.isEmpty)
            return OSStatus(error.code)
        }
        #expect(try code(output, stereo) == kAudio_ParamError)
        #expect(try code(stereo, Rig.buffer([ramp])) == kAudio_ParamError)
        let none = try #require(AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: 0))
        #expect(try code(none, Rig.buffer([ramp])) == kAudioConverterErr_InvalidOutputSize)
        #expect(
            try code(
                AVAudioCompressedBuffer(format: converter.outputFormat, packetCapacity: 1, maximumPacketSize: 2),
                Rig.buffer([ramp])) == kAudioConverterErr_InvalidOutputSize)
        #expect(converter.convert(to: stereo, error: nil) { _, _ in nil } == .error)
        #expect(
            step(converter, output, Script([.give(try Rig.buffer([ramp]))])) == .haveData
                && output.int16ChannelData?[0][5] == 40)
    }

    @Test("A block that uses its own converter is refused instead of hanging")
    func reentrance() throws {
        let (converter, output) = try toInt16()
        let other = try #require(AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: 10)),
            input = try Rig.buffer([ramp])
        nonisolated(unsafe) let (inner, given) = (other, input)
        var failure: NSError?
        let status = converter.convert(to: output, error: &failure) { _, status in
            converter.reset()
            #expect(
                converter.convert(to: inner, error: nil) { _, _ in nil } == .error
                    && converter.maximumOutputPacketSize == 2)
            status.pointee = .haveData
            return given
        }
        #expect(
            status == .haveData && output.frameLength == 1000
                && (converter.lastError as? OssicleError)?.code == Int(kAudioConverterErr_OperationNotSupported))
    }

    @Test("Converters run side by side, and one of them from several threads")
    func threads() async throws {
        let shared = try Rig.converter(Rig.format(), Rig.format(.pcmFormatInt32, interleaved: true))
        let sound = Signal.noise(count: 4096, amplitude: 0.5)
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let output = try #require(AVAudioPCMBuffer(pcmFormat: shared.outputFormat, frameCapacity: 4096))
                    try shared.convert(to: output, from: Rig.buffer([sound, sound]))
                    let down = try Rig.converter(Rig.format(), Rig.format(rate: 24_000))
                    return try Int(output.frameLength) + Rig.run(down, Rig.pieces([sound, sound], of: 333))[0].count
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts.count == 8 && counts.allSatisfy { abs($0 - 4096 - 2048) <= 1 })
    }
}
