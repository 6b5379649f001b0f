import OssicleCore

/// One or more impulse responses of the same length, cut into partitions and transformed: what convolvers read.
///
///     taps  0 … 127     128 … 2047      2048 … 16 383     16 384 …
///           direct      15 × 128        14 × 1024         as many of 8192 as it takes
///
/// Partitions of N > 128 begin at tap 2N, so that each has N frames for its work after its signal has come in (Gardner,
/// "Efficient convolution without input-output delay", 1995; García, "Optimal filter partition for efficient
/// convolution with short input/output delay", 2002). Immutable; made on the control side, read by any thread.
package final class ConvolutionResponse: @unchecked Sendable {
    /// Taps of the direct form.
    static let headTaps = Grid.quantum

    package let channelCount: Int
    /// Frames.
    package let length: Int
    package let buildUp: BuildUp
    /// Taps of the direct form, channel by channel, `headTaps` each.
    let heads: SampleMemory
    let stages: [Stage]

    /// The partitions of one size.
    final class Stage {
        let shape: PartitionShape
        let transform: UnsafePointer<PartitionTransform>
        /// By channel and partition, 2N numbers each: N real parts, then as many imaginary ones.
        let spectra: SampleMemory

        init(_ shape: PartitionShape, _ channels: [UnsafeBufferPointer<Float>]) {
            self.shape = shape
            transform = PartitionTransforms.shared.transform(shape.size)
            spectra = SampleMemory(count: channels.count * shape.spectraCount)
            let taps = SampleMemory(count: shape.size)
            let none = SampleMemory(count: shape.size)
            let scale = transform.pointee.responseScale
            for (number, channel) in channels.enumerated() {
                for partition in 0..<shape.count {
                    let start = shape.firstTap + partition * shape.size
                    for n in 0..<shape.size { taps[n] = start + n < channel.count ? channel[start + n] * scale : 0 }
                    transform.pointee.forward(
                        taps.pointer, none.pointer,
                        to: spectra.pointer + number * shape.spectraCount + partition * 2 * shape.size)
                }
            }
        }
    }

    /// - Parameter channels: one response each, at least one; the longest counts.
    package init(_ channels: [UnsafeBufferPointer<Float>]) {
        let length = channels.map(\.count).max() ?? 0
        self.length = length
        channelCount = channels.count
        heads = SampleMemory(count: channels.count * Self.headTaps)
        for (number, channel) in channels.enumerated() {
            for n in 0..<min(channel.count, Self.headTaps) { heads[number * Self.headTaps + n] = channel[n] }
        }
        stages = PartitionShape.all(length).map { Stage($0, channels) }
        buildUp = Self.buildUp(channels, length)
    }

    package convenience init(_ channels: [[Float]]) {
        let memory = channels.map { channel in
            let copy = UnsafeMutableBufferPointer<Float>.allocate(capacity: channel.count)
            _ = copy.initialize(from: channel)
            return copy
        }
        defer { for copy in memory { copy.deallocate() } }
        self.init(memory.map { UnsafeBufferPointer($0) })
    }

    private static func buildUp(_ channels: [UnsafeBufferPointer<Float>], _ length: Int) -> BuildUp {
        func power(_ n: Int) -> Double {
            channels.reduce(0) { $0 + ($1.count > n ? Double($1[n]) * Double($1[n]) : 0) }
        }
        let energy = (0..<length).reduce(0) { $0 + power($1) }
        var (sum, start, end) = (0.0, 0, 0)
        for n in 0..<length {
            sum += power(n)
            if sum < energy / 20 { start = n + 1 }
            if sum < energy * 0.9 { end = n + 1 }
        }
        return BuildUp(start: start, end: end)
    }
}

/// How many partitions of one size there are, and where they begin.
struct PartitionShape: BitwiseCopyable {
    /// N.
    let size: Int
    let firstTap: Int
    let count: Int

    /// Numbers of one channel's spectra.
    var spectraCount: Int { 2 * size * count }
    /// Quanta in a partition.
    var quanta: Int { size / Grid.quantum }

    static func all(_ length: Int) -> [PartitionShape] {
        let plan = [(128, 128, 2048), (1024, 2048, 16_384), (8192, 16_384, Int.max)]
        return plan.compactMap { size, first, end in
            let taps = min(length, end) - first
            return taps > 0 ? PartitionShape(size: size, firstTap: first, count: (taps + size - 1) / size) : nil
        }
    }
}

/// The transforms of all sizes: made once, never freed.
private final class PartitionTransforms: @unchecked Sendable {
    static let shared = PartitionTransforms()
    private let transforms: UnsafeMutablePointer<PartitionTransform>
    private static let sizes = [128, 1024, 8192]

    private init() {
        transforms = .allocate(capacity: Self.sizes.count)
        for (place, size) in Self.sizes.enumerated() {
            (transforms + place).initialize(to: PartitionTransform(count: size))
        }
    }

    func transform(_ size: Int) -> UnsafePointer<PartitionTransform> {
        UnsafePointer(transforms + (Self.sizes.firstIndex(of: size) ?? 0))
    }
}
