import COssicle
import OssicleCore
import OssicleDSP

/// Runs a kernel over one signal per channel as a renderer does: in blocks of at most a quantum, denormals flushed.
///
/// - Parameters:
///   - blocks: block lengths, again and again until the signal is used up.
///   - before: called before every block with the kernel and the number of frames processed so far.
func run<Kernel: EffectKernel & ~Copyable>(
    _ kernel: inout Kernel, _ inputs: [[Float]], blocks: [Int] = [Grid.quantum],
    before: (inout Kernel, Int) -> Void = { _, _ in }
) -> [[Float]] {
    let frames = inputs.first?.count ?? 0
    let (sources, targets) = (
        inputs.map { ChannelMemory($0) }, inputs.map { ChannelMemory([Float](repeating: .nan, count: $0.count)) }
    )
    let floatState = ossicle_flush_denormals()
    defer { ossicle_restore_float_state(floatState) }
    var (done, turn) = (0, 0)
    while done < frames {
        let count = min(blocks[turn % blocks.count], frames - done)
        before(&kernel, done)
        kernel.process(from: sources.map { $0.pointer + done }, to: targets.map { $0.pointer + done }, frames: count)
        done += count
        turn += 1
    }
    return targets.map(\.samples)
}

/// One channel through a kernel made for one channel.
func run<Kernel: EffectKernel & ~Copyable>(
    _ kernel: inout Kernel, _ input: [Float], blocks: [Int] = [Grid.quantum],
    before: (inout Kernel, Int) -> Void = { _, _ in }
) -> [Float] {
    run(&kernel, [input], blocks: blocks, before: before)[0]
}

/// A channel's samples at a fixed address.
private final class ChannelMemory {
    let pointer: UnsafeMutablePointer<Float>
    private let count: Int

    init(_ samples: [Float]) {
        count = samples.count
        pointer = .allocate(capacity: max(count, 1))
        _ = UnsafeMutableBufferPointer(start: pointer, count: count).initialize(fromContentsOf: samples)
    }

    deinit { pointer.deallocate() }

    var samples: [Float] { Array(UnsafeBufferPointer(start: pointer, count: count)) }
}
