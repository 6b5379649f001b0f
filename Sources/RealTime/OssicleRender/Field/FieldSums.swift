import COssicle
import OssicleCore
import OssicleDSP

/// The ambisonic bus of one output: sixteen channels of order 3 (ACN, SN3D, in the head's axes) that all diffuse sound adds
/// to, block by block, before the bus is decoded and cleared. A plain handle, valid as long as the `FieldMix`.
package struct FieldSums: BitwiseCopyable, @unchecked Sendable {
    package static var channelCount: Int { SphericalHarmonics.greatestCount }

    fileprivate let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    /// Whether anything has been added to this block.
    fileprivate let isUsed: UnsafeMutablePointer<Bool>

    /// Adds a mono sound with one gain per channel; `Ramp.advance` is the caller's.
    func add(_ sound: UnsafePointer<Float>, _ gains: Ramp<SIMD16<Float>>, _ frames: Int) {
        let moving = min(gains.framesLeft, frames)
        if moving == 0 && gains.target == .zero { return }
        isUsed.pointee = true
        withUnsafePointer(to: (gains.start, gains.target - gains.start, gains.target)) { lines in
            lines.withMemoryRebound(to: Float.self, capacity: 3 * Self.channelCount) { values in
                let (changes, ends) = (values + Self.channelCount, values + 2 * Self.channelCount)
                if moving > 0 {
                    ossicle_add_gliding_channels(
                        sound, values, changes, 1 / Float(gains.frames), Int32(truncatingIfNeeded: gains.index),
                        channels, Self.channelCount, moving)
                }
                if moving == 0 {
                    ossicle_add_channels(sound, ends, channels, Self.channelCount, frames)
                } else if moving < frames {
                    addBehind(sound, ends, moving..<frames)
                }
            }
        }
    }

    /// Where a ramp ends within a block.
    private func addBehind(_ sound: UnsafePointer<Float>, _ gains: UnsafePointer<Float>, _ frames: Range<Int>) {
        for channel in 0..<Self.channelCount {
            let line = ossicle_line(start: gains[channel], change: 0, step: 0, index: 0)
            ossicle_add_gliding(
                sound + frames.lowerBound, line, channels[channel] + frames.lowerBound, frames.count)
        }
    }

    /// Adds signals from the sixteen `DiffuseDirections`.
    /// - Parameter encoders: of these directions.
    func add(
        _ signals: UnsafePointer<UnsafeMutablePointer<Float>>, _ encoders: UnsafePointer<SIMD16<Float>>, _ frames: Int
    ) {
        isUsed.pointee = true
        for channel in 0..<Self.channelCount {
            let sum = channels[channel]
            for direction in stride(from: 0, to: DiffuseDirections.count, by: 4) {
                let (a, b, c, d) = (
                    encoders[direction][channel], encoders[direction + 1][channel], encoders[direction + 2][channel],
                    encoders[direction + 3][channel]
                )
                let (p, q, r, s) = (
                    signals[direction], signals[direction + 1], signals[direction + 2], signals[direction + 3]
                )
                for i in 0..<frames { sum[i] += (p[i] * a + q[i] * b) + (r[i] * c + s[i] * d) }
            }
        }
    }

    /// Adds to one channel.
    func add(_ sound: UnsafePointer<Float>, to channel: Int, _ frames: Int) {
        isUsed.pointee = true
        Mixing.add(sound, into: channels[channel], frames)
    }
}

/// The buses that one sound adds to: of the mix that all hear, of the mix of one listener. Each gets the same bytes as if it
/// were alone.
package struct FieldTargets: BitwiseCopyable, Sendable {
    package var common, listener: FieldSums?

    package init(common: FieldSums? = nil, listener: FieldSums? = nil) {
        (self.common, self.listener) = (common, listener)
    }

    /// A mono sound with one gain per channel, which move on.
    func add(_ sound: UnsafePointer<Float>, _ gains: inout Ramp<SIMD16<Float>>, _ frames: Int) {
        common?.add(sound, gains, frames)
        listener?.add(sound, gains, frames)
        gains.advance(frames)
    }
}

/// The bus and its decoder. Audio thread, but for `init`.
///
/// It rests once nothing has been added for as long as the decoder's filters ring.
struct FieldMix: ~Copyable {
    let sums: FieldSums
    private let memory = ChannelMemory(count: FieldSums.channelCount)
    private let isUsed = OwnedMemory(count: 1, false)
    private let decoder: FieldDecoder
    /// Frames since the bus was last used.
    private let silence: OwnedMemory<Int>

    /// - Parameter latency: frames by which ears hear the bus later than `FieldDecoder` makes it.
    init(_ decoding: FieldDecoding, outputCount: Int, latency: Int = 0) {
        decoder = FieldDecoder(
            decoding, channelCount: FieldSums.channelCount, outputCount: outputCount, latency: latency)
        silence = OwnedMemory(count: 1, decoder.history)
        sums = FieldSums(channels: memory.channels, isUsed: isUsed.pointer)
    }

    /// nil where loudspeakers play.
    var cell: BinauralCell<AmbisonicBinaural>? { decoder.cell }

    /// Of a bus that nothing has been added to since the last call.
    func reset() { decoder.reset() }

    /// Writes what was added since the last call, `frames` frames, and clears the sums.
    /// - Returns: false where there is nothing; the outputs are not written then.
    func play(to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int) -> Bool {
        let silence = silence.pointer
        if isUsed.pointer[0] {
            silence[0] = 0
        } else if silence[0] >= decoder.history && decoder.rests() {
            return false
        }
        decoder.process(memory.channels, to: outputs, frames)
        if isUsed.pointer[0] {
            for channel in 0..<FieldSums.channelCount { Mixing.clear(memory[channel], frames) }
            isUsed.pointer[0] = false
        } else {
            silence[0] = min(silence[0] + frames, decoder.history)
        }
        return true
    }
}

/// Plays the ambisonic bus of one output: whatever is diffuse, decoded once. Ports: an empty one, for the order → out.
///
/// What adds to the bus is connected to the input, through a port without channels: it runs before this one.
package struct FieldMixRenderer: ControlledRenderer, ~Copyable {
    /// nil where loudspeakers play.
    package var control: BinauralCell<AmbisonicBinaural>? { mix.cell }
    package var sums: FieldSums { mix.sums }
    private let mix: FieldMix

    /// - Parameter latency: frames by which ears hear it later than direct sound without delays of its own.
    package init(_ decoding: FieldDecoding, outputCount: Int, latency: Int = 0) {
        mix = FieldMix(decoding, outputCount: outputCount, latency: latency)
    }

    package func reset() { mix.reset() }

    package func render(_ ports: Ports, _ context: RenderContext) {
        if !mix.play(to: ports.outputs, context.frames) { ports.silenceOutputs(context.frames) }
    }
}
