import Foundation
import OssicleCore
import OssicleDSP
import OssicleFiles

/// What is wrong with an impulse response; the object is its file, or where else it comes from.
package typealias ImpulseResponseError = Fault<ImpulseResponseFault>

package enum ImpulseResponseFault: FaultKind {
    /// No frames, or nothing but zeros.
    case silent
    /// Samples that are not numbers.
    case notFinite
    case tooLong
    /// Neither one, two nor four channels.
    case channels
    case sampleRate

    package static func title(_ object: String) -> String { "impulse response \"\(object)\"" }
}

/// A measured impulse response: of one channel, of two (left and right), or of four ("true stereo": left to left, left
/// to right, right to left, right to right).
///
/// Immutable; control side.
package final class ImpulseResponse: Sendable {
    /// Seconds.
    package static let longest = 20.0

    package let name: String
    package let sampleRate: Double
    package let channels: [[Float]]
    /// Whether the response is scaled so that noise of the octaves of 500 Hz and 1 kHz leaves as loud as it came.
    private let isNormalized: Bool

    /// Seconds.
    package var duration: Double { Double(channels[0].count) / sampleRate }

    /// - Parameter channels: of the same length.
    package init(
        _ channels: [[Float]], sampleRate: Double, name: String, isNormalized: Bool
    ) throws(ImpulseResponseError) {
        (self.name, self.sampleRate, self.channels, self.isNormalized) = (name, sampleRate, channels, isNormalized)
        try check()
    }

    /// Any sound file. Decodes no more of it than may be used.
    package convenience init(path: String, isNormalized: Bool) throws {
        let info = try AudioFileProbe.probe(path: path)
        // A header can claim any rate; one that is none is refused below.
        let rate = info.sampleRate.isFinite ? min(max(info.sampleRate, 0), 768_000) : 0
        let limit = Int64(Self.longest * rate) + 1
        let audio = try ResidentAudio(path: path, atMost: limit)
        let channels = (0..<min(audio.channelCount, 5)).map { Array(audio.samples($0)) }
        try self.init(channels, sampleRate: audio.sampleRate, name: path, isNormalized: isNormalized)
    }

    /// A response as it stands in a recording of commands.
    package struct Record: Codable, Hashable, Sendable {
        package var name: String
        package var sampleRate: Double
        package var channels: Int
        package var isNormalized: Bool
        /// Channel after channel, 32-bit floats, the lowest byte first.
        package var samples: Data
    }

    package var record: Record {
        let samples = channels.joined().flatMap { sample in
            (0..<4).map { UInt8(truncatingIfNeeded: sample.bitPattern >> (8 * $0)) }
        }
        return Record(
            name: name, sampleRate: sampleRate, channels: channels.count, isNormalized: isNormalized,
            samples: Data(samples))
    }

    package convenience init(_ record: Record) throws(ImpulseResponseError) {
        let bytes = [UInt8](record.samples), count = bytes.count / 4 / max(record.channels, 1)
        let channels = (0..<min(max(record.channels, 0), 5)).map { channel in
            (0..<count).map { frame in
                let place = 4 * (channel * count + frame)
                return Float(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) })
            }
        }
        try self.init(channels, sampleRate: record.sampleRate, name: record.name, isNormalized: record.isNormalized)
    }

    private func check() throws(ImpulseResponseError) {
        guard [1, 2, 4].contains(channels.count) else {
            throw fault(
                .channels, "it has \(channels.count > 4 ? "more than 4" : "\(channels.count)") channels",
                "A response has 1 channel, 2 (left, right) or 4 (left to left, left to right, right to left, right to right).",
                "Choose channels with a tool such as sox's remix.")
        }
        guard sampleRate.isFinite, (1000...768_000).contains(sampleRate) else {
            throw fault(
                .sampleRate, "its rate is \(sampleRate) Hz", "Rates from 1 to 768 kHz are taken.", "Convert it.")
        }
        guard duration <= Self.longest else {
            throw fault(
                .tooLong, "it is longer than \(Self.longest) s",
                "Responses of up to \(Self.longest) s are convolved in real time.",
                "Cut its end off where it is inaudible.")
        }
        guard channels.allSatisfy({ $0.allSatisfy(\.isFinite) }) else {
            throw fault(
                .notFinite, "it holds samples that are not finite", "Samples are finite numbers.",
                "Measure or export it again.")
        }
        guard channels.contains(where: { $0.contains { $0 != 0 } }) else {
            throw fault(
                .silent, "it holds nothing but zeros", "A response has a sample other than 0.", "Check how it was made."
            )
        }
    }

    private func fault(
        _ kind: ImpulseResponseFault, _ found: String, _ rule: String, _ cure: String
    ) -> ImpulseResponseError {
        ImpulseResponseError(kind, object: name, found: found, rule: rule, cure: cure)
    }

    /// Channels at another rate, scaled.
    package func samples(sampleRate rate: Double) -> [[Float]] {
        let resampled = rate == sampleRate ? channels : Self.resampled(channels, from: sampleRate, to: rate)
        // A sum over more frames is the same integral of more and smaller steps.
        let scale =
            isNormalized ? Self.normalization(resampled, sampleRate: rate) : Float(sampleRate / rate)
        return resampled.map { $0.map { $0 * scale } }
    }

    /// For convolvers at this rate. Takes about 40 ms for two channels of 2 s.
    package func response(sampleRate rate: Double) -> ConvolutionResponse {
        ConvolutionResponse(samples(sampleRate: rate))
    }

    /// Frames of an array, as a source.
    private final class Frames: FrameSource {
        private let channels: [[Float]]
        private var next = 0

        init(_ channels: [[Float]]) { self.channels = channels }

        func read(into planes: [UnsafeMutablePointer<Float>], frames: Int) -> Int {
            let count = min(frames, channels[0].count - next)
            for (plane, channel) in zip(planes, channels) {
                for n in 0..<count { plane[n] = channel[next + n] }
            }
            next += count
            return count
        }
    }

    private static func resampled(_ channels: [[Float]], from rate: Double, to other: Double) -> [[Float]] {
        let source = RateConversion.chain(
            Frames(channels), channels: channels.count, frames: Int64(channels[0].count), from: rate, to: other)
        let length = Int(RateConversion.length(Int64(channels[0].count), from: rate, to: other))
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: channels.count * max(length, 1))
        defer { memory.deallocate() }
        let planes = channels.indices.map { memory + $0 * length }
        // Memory does not fail.
        let count = (try? source.read(into: planes, frames: length)) ?? 0
        return planes.map { Array(UnsafeBufferPointer(start: $0, count: count)) }
    }

    /// The scale that gives an output the mean energy of 1 from 355 Hz to 1.41 kHz, re a response of one frame. Without
    /// anything there it is the energy of all that counts.
    private static func normalization(_ channels: [[Float]], sampleRate: Double) -> Float {
        func middle(_ channel: [Float]) -> Double {
            var sum = 0.0
            var low = Biquad(.highPass(355, sampleRate: sampleRate))
            var high = Biquad(.lowPass(1414, sampleRate: sampleRate))
            var block = [Float](repeating: 0, count: 1024)
            // What rings behind the end counts too.
            for start in stride(from: 0, to: channel.count + 4096, by: block.count) {
                for n in block.indices { block[n] = start + n < channel.count ? channel[start + n] : 0 }
                low.process(from: block, to: &block, block.count)
                high.process(from: block, to: &block, block.count)
                for sample in block { sum += Double(sample) * Double(sample) }
            }
            return sum
        }
        let outputs = Double(min(channels.count, 2))
        let energy = channels.reduce(0) { $0 + middle($1) } / outputs
        let whole = channels.reduce(0) { $0 + $1.reduce(0) { $0 + Double($1) * Double($1) } } / outputs
        let share = energy / middle([1])
        let counted = share > 1e-6 * whole ? share : whole
        return counted > 0 ? Float(1 / counted.squareRoot()) : 1
    }
}

extension ImpulseResponse {
    /// Routes for an effect of so many channels: pairs of channels are left and right. A response of one channel serves
    /// all; of a channel without a partner the left half of a response counts.
    package func routes(channelCount: Int) -> [Convolver.Route] {
        (0..<channelCount).flatMap { output -> [Convolver.Route] in
            let isRight = output % 2 == 1
            switch channels.count {
            case 1: return [Convolver.Route(from: output, to: output, channel: 0)]
            case 2: return [Convolver.Route(from: output, to: output, channel: isRight ? 1 : 0)]
            default:
                let (left, hasPartner) = (output - output % 2, output - output % 2 + 1 < channelCount)
                guard hasPartner else { return [Convolver.Route(from: output, to: output, channel: 0)] }
                return [
                    Convolver.Route(from: left, to: output, channel: isRight ? 1 : 0),
                    Convolver.Route(from: left + 1, to: output, channel: isRight ? 3 : 2),
                ]
            }
        }
    }
}
