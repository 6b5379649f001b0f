import OssicleCodecs
import Testing
@testable import OssicleConversion

@Suite("Channels that are mapped")
struct ChannelMappingTests {
    private static let five1: [UInt32] = [1, 2, 3, 4, 5, 6]

    private func rows(_ inputs: [UInt32]?, _ inputCount: Int, _ outputs: [UInt32]?, _ outputCount: Int) -> [ChannelRow]
    {
        ChannelMapping.rows(from: inputs, inputCount, to: outputs, outputCount: outputCount)
    }

    @Test("Equal labels find each other in any order")
    func order() {
        #expect(rows(Self.five1, 6, [3, 1, 2, 5, 6, 4], 6) == [2, 0, 1, 4, 5, 3].map { .channel($0) })
    }

    @Test("What the output lacks is dropped, what the input lacks is silent")
    func dropping() {
        #expect(rows(Self.five1, 6, [1, 2], 2) == [.channel(0), .channel(1)])
        #expect(rows([1, 2], 2, Self.five1, 6) == [.channel(0), .channel(1), .silence, .silence, .silence, .silence])
    }

    @Test("One channel goes to both fronts; into one goes the left, or the first")
    func mono() {
        #expect(rows(nil, 1, nil, 2) == [.channel(0), .channel(0)])
        #expect(rows([42], 1, Self.five1, 6) == [.channel(0), .channel(0), .silence, .silence, .silence, .silence])
        #expect(rows(nil, 2, nil, 1) == [.channel(0)])
        #expect(rows([2, 1], 2, [42], 1) == [.channel(1)])
        #expect(rows([3], 1, Self.five1, 6) == [.silence, .silence, .channel(0), .silence, .silence, .silence])
    }

    @Test("Without labels, or with none in common, places decide")
    func places() {
        #expect(rows(nil, 4, nil, 3) == [.channel(0), .channel(1), .channel(2)])
        #expect(rows(nil, 3, Self.five1, 6) == [.channel(0), .channel(1), .channel(2), .silence, .silence, .silence])
        #expect(rows([.max, .max, .max], 3, [1, 2, 3], 3) == [.channel(0), .channel(1), .channel(2)])
        #expect(rows([.max, .max, .max], 3, [.max, .max], 2) == [.channel(0), .channel(1)])
    }

    @Test("Surrounds are found under the names of a ring of five, and stay apart where there are two pairs")
    func namesakes() {
        #expect(rows(Self.five1, 6, [1, 2, 3, 4, 33, 34], 6) == (0..<6).map { .channel($0) })
        #expect(rows([1, 2, 3, 4, 5, 6, 33, 34], 8, [1, 2, 5, 6], 4) == [0, 1, 4, 5].map { .channel($0) })
        #expect(
            rows([1, 2, 3, 4, 33, 34], 6, [1, 2, 3, 4, 5, 6, 33, 34], 8)
                == [0, 1, 2, 3].map { .channel($0) } + [.silence, .silence, .channel(4), .channel(5)])
    }

    @Test("A map beats the layouts: any order, twice, or silence")
    func map() throws {
        let conversion = try Conversion(
            from: Conversion.doubles(8000, 2, labels: [1, 2]), to: Conversion.doubles(8000, 3, labels: [1, 2, 3])
        ) {
            $0.channelMap = [1, -1, 1]
            $0.downmixes = true
        }
        let out = try conversion.run([[0.1, 0.2], [0.3, 0.4]])
        #expect(out == [[0.3, 0.4], [0, 0], [0.3, 0.4]])
    }

    @Test("A map may change between two calls of one stream")
    func changingMap() throws {
        let conversion = try Conversion(from: Conversion.doubles(8000, 2), to: Conversion.doubles(8000))
        var frame = [0.25, 0.75]
        var out = [0.0, 0.0]
        try frame.withUnsafeMutableBytes { memory in
            let planes = [UnsafeRawPointer(memory.baseAddress!), UnsafeRawPointer(memory.baseAddress! + 8)]
            for (index, map) in [[0], [1]].enumerated() {
                conversion.converter.settings.channelMap = map
                _ = try out.withUnsafeMutableBytes { out in
                    try conversion.converter.convert(into: [out.baseAddress! + 8 * index], frames: 1) { _ in
                        .samples(planes, frames: 1)
                    }
                }
            }
        }
        #expect(out == [0.25, 0.75])
    }
}
