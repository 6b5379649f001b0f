// Sounds from samples in memory.

/// How samples lie in memory; machine byte order.
package enum RawSampleFormat: Sendable {
    case int16, int32, float32, float64

    package var byteCount: Int {
        switch self {
        case .int16: 2
        case .int32, .float32: 4
        case .float64: 8
        }
    }

    /// The sample at byte `offset`; unaligned memory is fine. Integers are divided by 2^(bits-1).
    func sample(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Float {
        switch self {
        case .int16: Float(bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self)) * (1 / 32_768)
        case .int32: Float(bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)) * (1 / 2_147_483_648)
        case .float32: bytes.loadUnaligned(fromByteOffset: offset, as: Float.self)
        case .float64: Float(bytes.loadUnaligned(fromByteOffset: offset, as: Double.self))
        }
    }
}

extension ResidentAudio {
    /// Copies interleaved samples: frame after frame. An incomplete last frame is left out. `nil` when channels or rate
    /// are not positive or memory runs out.
    package convenience init?(
        interleaved bytes: UnsafeRawBufferPointer, format: RawSampleFormat, channelCount: Int, sampleRate: Double,
        channelLabels: [UInt32]? = nil
    ) {
        guard channelCount > 0, channelCount <= 65_535 else { return nil }
        let frames = bytes.count / (format.byteCount * channelCount)
        self.init(frames: frames, channelCount: channelCount, sampleRate: sampleRate, channelLabels: channelLabels) {
            channel, frame in
            format.sample(bytes, at: (frame * channelCount + channel) * format.byteCount)
        }
    }

    /// Copies planar samples: channel after channel, each `bytes.count / channelCount` long. `nil` as above.
    package convenience init?(
        planar bytes: UnsafeRawBufferPointer, format: RawSampleFormat, channelCount: Int, sampleRate: Double,
        channelLabels: [UInt32]? = nil
    ) {
        guard channelCount > 0, channelCount <= 65_535 else { return nil }
        let frames = bytes.count / (format.byteCount * channelCount)
        self.init(frames: frames, channelCount: channelCount, sampleRate: sampleRate, channelLabels: channelLabels) {
            channel, frame in
            format.sample(bytes, at: (channel * frames + frame) * format.byteCount)
        }
    }

    /// Copies channels of equal length; shorter ones are continued with zeros. `nil` as above.
    package convenience init?(channels: [[Float]], sampleRate: Double, channelLabels: [UInt32]? = nil) {
        let frames = channels.map(\.count).max() ?? 0
        self.init(frames: frames, channelCount: channels.count, sampleRate: sampleRate, channelLabels: channelLabels) {
            channel, frame in
            frame < channels[channel].count ? channels[channel][frame] : 0
        }
    }

    private convenience init?(
        frames: Int, channelCount: Int, sampleRate: Double, channelLabels: [UInt32]?,
        sample: (_ channel: Int, _ frame: Int) -> Float
    ) {
        guard sampleRate.isFinite, sampleRate > 0, let store = PlanarStore(channelCount: channelCount, frames: frames)
        else { return nil }
        var nonFiniteCount = 0
        for channel in 0..<channelCount {
            let plane = store.planes[channel]
            for frame in 0..<frames {
                let value = sample(channel, frame)
                plane[frame] = value.isFinite ? value : 0
                if !value.isFinite { nonFiniteCount += 1 }
            }
        }
        self.init(
            store: store, frameCount: frames, sampleRate: sampleRate,
            channelLabels: channelLabels?.count == channelCount ? channelLabels : nil, nonFiniteCount: nonFiniteCount)
    }
}
