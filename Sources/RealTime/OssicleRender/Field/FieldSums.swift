import COssicle
import OssicleCore
import OssicleDSP

/// The ambisonic bus of one output: sixteen channels of order 3 (ACN, SN3D, in the head's axes) that all diffuse sound
/// adds to, block by block, before the bus is decoded and cleared; behind them those of higher orders, where the output
/// is a sound field that has any. A plain handle, valid as long as the `FieldMix`.
package struct FieldSums: BitwiseCopyable, Hashable, @unchecked Sendable {
    /// Of order 3.
    package static var channelCount: Int { SphericalHarmonics.greatestCount }

    let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    /// Whether anything has been added to this block.
    let isUsed: UnsafeMutablePointer<Bool>
    /// nil where the bus has no more than order 3.
    let upper: UpperOrders?

    init(
        channels: UnsafePointer<UnsafeMutablePointer<Float>>, isUsed: UnsafeMutablePointer<Bool>,
        upper: UpperOrders? = nil
    ) {
        (self.channels, self.isUsed, self.upper) = (channels, isUsed, upper)
    }

    /// Channels in memory, those of higher orders included.
    var allCount: Int { upper == nil ? Self.channelCount : HighOrderHarmonics.greatestCount }

    /// Adds a mono sound with one gain per channel, those of a plane wave; `Ramp.advance` is the caller's.
    func add(_ sound: UnsafePointer<Float>, _ gains: Ramp<SIMD16<Float>>, _ frames: Int) {
        let moving = min(gains.framesLeft, frames)
        if moving == 0 && gains.target == .zero { return }
        isUsed.pointee = true
        let step = moving > 0 ? 1 / Float(gains.frames) : 0
        withUnsafeBytes(of: (gains.start, gains.target)) { bytes in
            let floats = bytes.assumingMemoryBound(to: Float.self)
            guard let start = floats.baseAddress else { return }
            ossicle_field_add(
                sound, start, start + Self.channelCount, step, Int32(truncatingIfNeeded: gains.index), moving, channels,
                frames)
        }
        upper?.add(sound, gains, step: step, moving: moving, to: channels, frames)
    }

    /// Adds signals from the sixteen `DiffuseDirections`.
    /// - Parameter encoders: of these directions.
    func add(
        _ signals: UnsafePointer<UnsafeMutablePointer<Float>>, _ encoders: UnsafePointer<SIMD16<Float>>, _ frames: Int
    ) {
        isUsed.pointee = true
        let gains = UnsafeRawPointer(encoders).assumingMemoryBound(to: Float.self)
        ossicle_field_encode(signals, gains, channels, frames)
        upper?.add(signals, encoders, to: channels, frames)
    }

    /// Adds to one channel of an isotropic field.
    func add(_ sound: UnsafePointer<Float>, to channel: Int, _ frames: Int) {
        isUsed.pointee = true
        Mixing.add(sound, into: channels[channel], frames)
        upper?.add(sound, gain: 1, of: channel, to: channels, frames)
    }

    /// Adds to one channel of an isotropic field.
    func add(_ sound: UnsafePointer<Float>, gain: Float, to channel: Int, _ frames: Int) {
        isUsed.pointee = true
        let sum = channels[channel]
        for i in 0..<frames { sum[i] += sound[i] * gain }
        upper?.add(sound, gain: gain, of: channel, to: channels, frames)
    }
}

/// The buses that one sound adds to: of the mix that all hear, of the mix of one listener. Each gets the same bytes as
/// if it were alone.
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
struct FieldMix: ~Copyable {
    let sums: FieldSums
    private let memory: ChannelMemory
    private let upper: UpperOrdersMemory?
    private let isUsed = OwnedMemory(count: 1, false)
    private let decoder: FieldDecoder

    /// - Parameters:
    ///   - decoding: for the channels of that order. - order: 3…7.
    init(_ decoding: FieldDecoding, order: Int = SphericalHarmonics.greatestOrder, outputCount: Int) {
        decoder = FieldDecoder(
            decoding, channelCount: HighOrderHarmonics.count(order: order), outputCount: outputCount)
        if order > SphericalHarmonics.greatestOrder {
            let made = UpperOrdersMemory(order: order)
            memory = ChannelMemory(count: HighOrderHarmonics.greatestCount)
            sums = FieldSums(channels: memory.channels, isUsed: isUsed.pointer, upper: made.handle)
            upper = consume made
        } else {
            memory = ChannelMemory(count: FieldSums.channelCount)
            sums = FieldSums(channels: memory.channels, isUsed: isUsed.pointer)
            upper = nil
        }
    }

    /// nil where loudspeakers play.
    var cell: FieldFilterCell? { decoder.cell }

    /// Of a bus that nothing has been added to since the last call.
    func reset() { decoder.reset() }

    /// Decodes what was added since the last call, `frames` frames, to the outputs (overwritten), and clears the sums.
    /// - Parameter offset: frames since the grid line; the block does not cross the next one.
    /// - Returns: whether there is any sound.
    func play(to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, _ frames: Int) -> Bool {
        let isUsed = isUsed.pointer
        let sounds = decoder.process(isUsed[0] ? memory.channels : nil, to: outputs, offset: offset, frames)
        if isUsed[0] {
            for channel in 0..<sums.allCount { Mixing.clear(memory[channel], frames) }
            isUsed[0] = false
        }
        return sounds
    }
}

/// Plays the ambisonic bus of one output: whatever is diffuse, decoded once. Ports: an empty one, for the order → out.
///
/// What adds to the bus is connected to the input, through a port without channels: it runs before this one.
package struct FieldMixRenderer: ControlledRenderer, ~Copyable {
    /// nil where loudspeakers play.
    package var control: FieldFilterCell? { mix.cell }
    package var sums: FieldSums { mix.sums }
    private let mix: FieldMix

    /// - Parameters:
    ///   - decoding: for the channels of that order. - order: 3…7; above 3 only where a sound field goes out.
    package init(_ decoding: FieldDecoding, order: Int = SphericalHarmonics.greatestOrder, outputCount: Int) {
        mix = FieldMix(decoding, order: order, outputCount: outputCount)
    }

    package func reset() { mix.reset() }

    package func render(_ ports: Ports, _ context: RenderContext) {
        if !mix.play(to: ports.outputs, offset: context.offset, context.frames) { ports.markSilent(0) }
    }
}
