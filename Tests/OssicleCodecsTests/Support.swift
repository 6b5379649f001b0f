import Foundation
import OssicleCore
import Testing
@testable import OssicleCodecs

/// A packet with the frames it is said to hold.
struct Packet: Equatable {
    var bytes: [UInt8]
    var frames: Int
}

/// Planes for the length of a call.
func withPlanes<Result>(
    _ channels: [[Double]], from start: Int = 0, _ body: ([UnsafePointer<Double>]) throws -> Result
) rethrows -> Result {
    let planes = channels.map { channel in
        let plane = UnsafeMutablePointer<Double>.allocate(capacity: max(channel.count, 1))
        plane.initialize(from: channel, count: channel.count)
        return plane
    }
    defer { planes.forEach { $0.deallocate() } }
    return try body(planes.map { UnsafePointer($0 + start) })
}

extension PacketEncoder {
    /// Encodes all of `channels`, in pieces of `piece` frames, and finishes.
    func packets(of channels: [[Double]], piece: Int = 1000) throws -> [Packet] {
        var packets: [Packet] = []
        let take = { (bytes: UnsafeRawBufferPointer, frames: Int) in
            packets.append(Packet(bytes: Array(bytes), frames: frames))
        }
        let count = channels.first?.count ?? 0
        try withPlanes(channels) { planes in
            for start in stride(from: 0, to: count, by: piece) {
                try encode(planes.map { $0 + start }, frames: min(piece, count - start), emit: take)
            }
        }
        try finish(take)
        return packets
    }
}

extension PacketDecoder {
    func samples(of packet: [UInt8]) throws -> [[Double]] { try packet.withUnsafeBytes { try decode($0).arrays } }

    func samples(of packets: [Packet]) throws -> [[Double]] {
        var channels = [[Double]](repeating: [], count: format.channelCount)
        func add(_ piece: [[Double]]) { for (index, channel) in piece.enumerated() { channels[index] += channel } }
        for packet in packets { add(try samples(of: packet.bytes)) }
        while case let rest = try drain(), rest.count > 0 { add(rest.arrays) }
        return channels
    }
}

extension PlanarFrames {
    var arrays: [[Double]] { planes.map { Array(UnsafeBufferPointer(start: $0, count: count)) } }
}

/// Test signals, the same ones every time.
enum Sound {
    static func sine(_ frequency: Double, rate: Double, count: Int, amplitude: Double = 0.5) -> [Double] {
        (0..<count).map { amplitude * sin(2 * .pi * frequency * Double($0) / rate) }
    }

    /// A chord that swells, noise and silence in turn, on the grid of integers of `bits`.
    static func integers(channels: Int, count: Int, bits: Int) -> [[Double]] {
        let quantizer = SampleQuantizer(bits: bits)
        return (0..<channels).map { channel in
            let random = CounterRandom(seed: 7, object: UInt64(channel))
            return (0..<count).map { frame in
                let time = Double(frame)
                let tone = 0.6 * sin(time * 0.013 * Double(channel + 1)) * sin(time * 0.0004) + 0.2 * sin(time * 0.21)
                let noise = random.unit(UInt64(frame)) - 0.5
                let sample =
                    switch frame / 1500 % 4 {
                    case 0: tone
                    case 1: tone + 0.01 * noise
                    case 2: 0.0
                    default: 1.9 * noise
                    }
                return quantizer.sample(quantizer.quantize(sample))
            }
        }
    }

    /// The highest and the lowest integers of `bits` in turn: nothing is harder on a predictor.
    static func extremes(channels: Int, count: Int, bits: Int) -> [[Double]] {
        let highest = 1 - exp2(Double(1 - bits))
        return (0..<channels).map { channel in
            let random = CounterRandom(seed: 3, object: UInt64(channel))
            return (0..<count).map { frame in random.bits(UInt64(frame)) & 1 == 0 ? -1 : highest }
        }
    }

    /// Level of the difference below that of the signal, in dB.
    static func signalToNoise(_ signal: ArraySlice<Double>, _ other: ArraySlice<Double>) -> Double {
        let energy = signal.reduce(0) { $0 + $1 * $1 }
        let noise = zip(signal, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        return 10 * log10(energy / max(noise, .leastNormalMagnitude))
    }

    /// Amplitude of a tone in a signal, by correlation.
    static func amplitude(of frequency: Double, in signal: ArraySlice<Double>, rate: Double) -> Double {
        let parts = signal.enumerated().reduce((0.0, 0.0)) { sum, item in
            let angle = 2 * .pi * frequency * Double(item.offset) / rate
            return (sum.0 + item.element * cos(angle), sum.1 + item.element * sin(angle))
        }
        return 2 * hypot(parts.0, parts.1) / Double(max(signal.count, 1))
    }
}
