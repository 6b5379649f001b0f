import OssicleCodecs
import Testing
@testable import OssicleConversion

/// A client that gives what a script says and notes what it is asked for.
private final class Script {
    enum Step { case frames(Int), nothing, end, empty }
    var steps: ArraySlice<Step>
    var pulls = 0
    var hints: [Int] = []
    private let memory: UnsafeMutablePointer<Double>
    private var position = 0

    init(_ steps: [Step]) {
        self.steps = steps[...]
        memory = .allocate(capacity: 100_000)
        for index in 0..<100_000 { memory[index] = Double(index) }
    }

    deinit { memory.deallocate() }

    func pull(_ hint: Int) -> ConverterInput {
        pulls += 1
        hints.append(hint)
        switch steps.popFirst() ?? .nothing {
        case .frames(let count):
            defer { position += count }
            return .samples([UnsafeRawPointer(memory + position)], frames: count)
        case .nothing: return .nothingNow
        case .end: return .endOfStream
        case .empty: return .samples([UnsafeRawPointer(memory)], frames: 0)
        }
    }
}

@Suite("Pulling")
struct PullTests {
    private func ask(_ converter: Converter, _ frames: Int, _ script: Script) throws -> (ConverterStatus, [Double]) {
        var out = [Double](repeating: -1, count: max(frames, 1))
        let (status, count) = try out.withUnsafeMutableBytes { room in
            try converter.convert(into: [room.baseAddress!], frames: frames, pull: script.pull)
        }
        return (status, Array(out.prefix(count)))
    }

    /// Requests, one after the other, with the status, the frames and the pulls each should lead to.
    private func expect(
        _ steps: [Script.Step], _ requests: [(ask: Int, status: ConverterStatus, frames: Int, pulls: Int)],
        line: Int = #line
    ) throws {
        let converter = try Converter(from: Conversion.doubles(48_000), to: Conversion.doubles(48_000))
        let script = Script(steps)
        var next = 0
        for (index, request) in requests.enumerated() {
            script.pulls = 0
            let (status, frames) = try ask(converter, request.ask, script)
            #expect(
                status == request.status && frames.count == request.frames && script.pulls == request.pulls,
                "line \(line), request \(index): \(status), \(frames.count) frames, \(script.pulls) pulls")
            #expect(frames == (next..<next + frames.count).map { Double($0) })
            next += frames.count
        }
    }

    @Test("A table of what clients give and what they get")
    func table() throws {
        try expect([.frames(10)], [(10, .full, 10, 1)])
        try expect([.frames(4), .frames(6)], [(10, .full, 10, 2)])
        try expect([.frames(25)], [(10, .full, 10, 1), (10, .full, 10, 0), (10, .inputRanDry, 5, 1)])
        try expect([.frames(4), .nothing, .frames(8)], [(10, .inputRanDry, 4, 2), (8, .full, 8, 1)])
        try expect(
            [.nothing, .nothing, .frames(3)], [(3, .inputRanDry, 0, 1), (3, .inputRanDry, 0, 1), (3, .full, 3, 1)])
        try expect([.frames(4), .end], [(10, .full, 4, 2), (10, .endOfStream, 0, 0), (10, .endOfStream, 0, 0)])
        try expect([.frames(10), .end], [(10, .full, 10, 1), (10, .endOfStream, 0, 1)])
        try expect([.end, .frames(10)], [(10, .endOfStream, 0, 1), (10, .endOfStream, 0, 0)])
        try expect([.empty, .frames(2)], [(10, .inputRanDry, 0, 1), (2, .full, 2, 1)])
        try expect([.frames(2)], [(0, .full, 0, 0), (2, .full, 2, 1)])
        try expect([.frames(50_000)], [(40_000, .full, 40_000, 1), (20_000, .inputRanDry, 10_000, 1)])
    }

    @Test("No pull asks for more than the request or a piece needs")
    func hints() throws {
        let converter = try Converter(from: Conversion.doubles(48_000), to: Conversion.doubles(48_000))
        let script = Script([.frames(100), .frames(5000)])
        _ = try ask(converter, 150, script)
        _ = try ask(converter, 50_000, script)
        #expect(script.hints.prefix(2) == [150, 50])
        #expect(script.hints.allSatisfy { $0 > 0 && $0 <= 4096 })
    }

    @Test("A change of rate keeps its state where the input ran dry, and gives the same as in one go")
    func dryRate() throws {
        let sound = Sounds.noise(20_000)
        let whole = try Conversion.resampled(sound, from: 44_100, to: 48_000)
        let converter = try Converter(from: Conversion.doubles(44_100), to: Conversion.doubles(48_000))
        var out: [Double] = []
        var room = [Double](repeating: 0, count: 700)
        var given = 0, isDry = false, statuses: Set<ConverterStatus> = []
        try sound.withUnsafeBytes { bytes in
            while true {
                let (status, count) = try room.withUnsafeMutableBytes { room in
                    try converter.convert(into: [room.baseAddress!], frames: 700) { _ in
                        isDry.toggle()
                        if isDry { return .nothingNow }
                        guard given < 20_000 else { return .endOfStream }
                        let frames = min(333, 20_000 - given)
                        defer { given += frames }
                        return .samples([bytes.baseAddress! + 8 * given], frames: frames)
                    }
                }
                statuses.insert(status)
                out += room.prefix(count)
                if status == .endOfStream { break }
            }
        }
        #expect(out == whole)
        #expect(statuses == [.full, .inputRanDry, .endOfStream])
    }

    @Test("Reset begins the same stream again, in the middle and at the end")
    func reset() throws {
        let sounds = [Sounds.noise(9000), Sounds.noise(9000, seed: 2)]
        let stereo = Conversion.doubles(44_100, 2)
        let integers = StreamFormat.pcm(
            PCMFormat(sampleRate: 48_000, channelCount: 2, kind: .signed, bits: 16, isInterleaved: true))
        let conversion = try Conversion(from: stereo, to: integers) { $0.dithers = true }
        let bytes = sounds.map { plane in plane.withUnsafeBytes { Array($0) } }
        let first = try conversion.run(bytes, frames: 9000)
        conversion.converter.reset()
        let second = try conversion.run(bytes, frames: 9000)
        #expect(first == second)
        conversion.converter.reset()
        var room = [Int16](repeating: 0, count: 200)
        _ = try room.withUnsafeMutableBytes { room in
            try bytes[0].withUnsafeBytes { input in
                try conversion.converter.convert(into: [room.baseAddress!], frames: 100) { _ in
                    .samples([input.baseAddress!, input.baseAddress!], frames: 9000)
                }
            }
        }
        conversion.converter.reset()
        let third = try conversion.run(bytes, frames: 9000)
        #expect(first == third)
    }

    @Test("The bytes do not depend on how requests and pulls are cut", arguments: [1, 7, 64, 4096])
    func cuts(_ length: Int) throws {
        let input = Conversion.doubles(44_100, 3, labels: [1, 2, 3])
        let output = StreamFormat.pcm(
            PCMFormat(
                sampleRate: 48_000, channelCount: 2, kind: .signed, bits: 16, isBigEndian: true,
                isInterleaved: true, channelLabels: [1, 2]))
        let bytes = (0..<3).map { Sounds.noise(12_345, seed: $0, amplitude: 0.5).withUnsafeBytes { Array($0) } }
        func run(request: Int, pull: Int) throws -> [[UInt8]] {
            let conversion = try Conversion(from: input, to: output) {
                ($0.dithers, $0.downmixes, $0.rateQuality) = (true, true, 127)
            }
            (conversion.requestLength, conversion.pullLength) = (request, pull)
            return try conversion.run(bytes, frames: 12_345)
        }
        let whole = try run(request: 20_000, pull: 20_000)
        let cutRequests = try run(request: length, pull: 5000), cutPulls = try run(request: 1000, pull: length)
        #expect(whole[0].count == 4 * Int((12_345.0 * 48_000 / 44_100).rounded()))
        #expect(cutRequests == whole)
        #expect(cutPulls == whole)
    }

    @Test("A request within a pull is refused and does no harm")
    func reentrance() throws {
        let converter = try Converter(from: Conversion.doubles(48_000), to: Conversion.doubles(48_000))
        let script = Script([.frames(5)])
        var room = [0.0, 0, 0, 0, 0], inner: ConversionError?
        let (status, frames) = try room.withUnsafeMutableBytes { room in
            let base = room.baseAddress!
            return try converter.convert(into: [base], frames: 5) { hint in
                do throws(ConversionError) {
                    _ = try converter.convert(into: [base], frames: 1) { _ in .endOfStream }
                } catch { inner = error }
                return script.pull(hint)
            }
        }
        #expect(status == .full && frames == 5 && inner?.kind == .invalidBuffer)
    }
}
