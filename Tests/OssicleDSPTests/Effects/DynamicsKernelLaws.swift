import OssicleCore
@testable import OssicleDSP
import OssicleTestSupport
import Testing

/// What holds for every effect kernel.
enum KernelLaws {
    /// A kernel's answer to some channels, in blocks of the given sizes again and again.
    static func run<Kernel: EffectKernel & ~Copyable>(
        _ kernel: inout Kernel, _ channels: [[Float]], blocks: [Int] = [128]
    ) -> [[Float]] {
        let (count, length) = (channels.count, channels.first?.count ?? 0)
        let (input, output) = (TestMemory<Float>(count: count * 128, 0), TestMemory<Float>(count: count * 128, 0))
        let heads = TestMemory(count: 2 * count, input.pointer)
        for channel in 0..<count {
            heads.pointer[channel] = input.pointer + channel * 128
            heads.pointer[count + channel] = output.pointer + channel * 128
        }
        var result = [[Float]](repeating: [], count: count)
        var (done, turn) = (0, 0)
        while done < length {
            let n = min(blocks[turn % blocks.count], length - done)
            for channel in 0..<count { for i in 0..<n { heads.pointer[channel][i] = channels[channel][done + i] } }
            kernel.process(from: heads.pointer, to: heads.pointer + count, frames: n)
            for channel in 0..<count {
                result[channel].append(contentsOf: UnsafeBufferPointer(start: heads.pointer[count + channel], count: n))
            }
            done += n
            turn += 1
        }
        return result
    }

    static func run<Kernel: EffectKernel & ~Copyable>(
        _: Kernel.Type, _ parameters: Kernel.Parameters, _ channels: [[Float]]
    ) -> [[Float]] {
        var kernel = Kernel(sampleRate: 48000, channelCount: channels.count, parameters: parameters)
        return run(&kernel, channels)
    }

    /// All laws, with a change from some parameters to others on the way.
    static func hold<Kernel: EffectKernel & ~Copyable>(
        _: Kernel.Type, from first: Kernel.Parameters, to second: Kernel.Parameters, amplitude: Double = 2,
        symmetric: Bool = true
    ) {
        let noise = [
            Signal.noise(count: 12_000, seed: 3, amplitude: amplitude),
            Signal.noise(count: 12_000, seed: 4, amplitude: amplitude),
        ]
        cuts(Kernel.self, first, second, noise)
        reset(Kernel.self, first, second, noise)
        nonFinite(Kernel.self, first, noise)
        silence(Kernel.self, first)
        if symmetric {
            let same = run(Kernel.self, first, [noise[0], noise[0], noise[0]])
            #expect(
                Measure.sameBytes(same[0], same[1]) && Measure.sameBytes(same[0], same[2]), "equal channels stay equal")
        }
    }

    private static func cuts<Kernel: EffectKernel & ~Copyable>(
        _: Kernel.Type, _ first: Kernel.Parameters, _ second: Kernel.Parameters, _ noise: [[Float]]
    ) {
        let results = [[128], [1, 63, 64], [64, 127, 5, 1, 128, 3]].map { blocks in
            var kernel = Kernel(sampleRate: 48000, channelCount: 2, parameters: first)
            var parts = [run(&kernel, noise.map { Array($0[0..<2560]) }, blocks: blocks)]
            kernel.take(second, atOnce: false)
            parts.append(run(&kernel, noise.map { Array($0[2560..<3200]) }, blocks: blocks))
            kernel.take(first, atOnce: false)
            parts.append(run(&kernel, noise.map { Array($0[3200..<9600]) }, blocks: blocks))
            kernel.take(second, atOnce: true)
            parts.append(run(&kernel, noise.map { Array($0[9600...]) }, blocks: blocks))
            return (0..<2).map { channel in parts.flatMap { $0[channel] } }
        }
        for result in results.dropFirst() {
            for channel in 0..<2 {
                #expect(Measure.sameBytes(result[channel], results[0][channel]), "any cut gives the same bytes")
            }
        }
        #expect(results[0].allSatisfy { Measure.isFinite($0) && Measure.peak($0) > 0 })
    }

    private static func reset<Kernel: EffectKernel & ~Copyable>(
        _: Kernel.Type, _ first: Kernel.Parameters, _ second: Kernel.Parameters, _ noise: [[Float]]
    ) {
        var used = Kernel(sampleRate: 48000, channelCount: 2, parameters: first)
        _ = run(&used, noise)
        used.take(second, atOnce: false)
        _ = run(&used, noise.map { Array($0.prefix(100)) })
        used.reset()
        var fresh = Kernel(sampleRate: 48000, channelCount: 2, parameters: second)
        let (a, b) = (run(&used, noise), run(&fresh, noise))
        for channel in 0..<2 { #expect(Measure.sameBytes(a[channel], b[channel]), "a reset kernel is as new") }
    }

    /// What is not a number passes at most with its own frame; a second later nothing of it is left.
    private static func nonFinite<Kernel: EffectKernel & ~Copyable>(
        _: Kernel.Type, _ parameters: Kernel.Parameters, _ noise: [[Float]]
    ) {
        var bad = noise
        (bad[0][100], bad[1][200], bad[0][300], bad[1][301], bad[1][400]) = (.nan, .infinity, -.infinity, .nan, 3e38)
        let heard = run(Kernel.self, parameters, bad.map { $0 + Signal.noise(count: 48000, amplitude: 0.1) })
        for channel in heard {
            #expect(channel.filter { !$0.isFinite }.count <= 2)
            let end = channel.suffix(12_000)
            #expect(
                Measure.isFinite(end) && Measure.peak(end) < 10 && Measure.peak(end) > 0, "absurd input leaves no trace"
            )
        }
    }

    private static func silence<Kernel: EffectKernel & ~Copyable>(_: Kernel.Type, _ parameters: Kernel.Parameters) {
        var kernel = Kernel(sampleRate: 48000, channelCount: 2, parameters: parameters)
        let nothing = [Signal.silence(count: 4800), Signal.silence(count: 4800)]
        for channel in run(&kernel, nothing) { #expect(Measure.peak(channel) == 0, "silence stays silence") }
        _ = run(&kernel, [Signal.noise(count: 4800), Signal.noise(count: 4800, seed: 2)])
        let tail = Int(Kernel.tailTime(parameters, sampleRate: 48000) * 48000)
        _ = run(&kernel, [Signal.silence(count: tail + 4800), Signal.silence(count: tail + 4800)])
        for channel in run(&kernel, nothing) {
            #expect(Measure.peak(channel) < 2e-3, "the tail is over when it says so")
        }
    }
}
