import OssicleCore
import OssicleDSP
import OssicleTestSupport
import Testing

/// What holds for every effect, whatever it does to sound. A kernel's test describes how it is made and changed, and
/// calls `check`.
struct EffectLaws<Kernel: EffectKernel & ~Copyable> {
    /// A kernel for so many channels.
    let make: (Int) -> Kernel
    /// Gives a sounding kernel other parameters, so that it glides to them.
    let change: (inout Kernel) -> Void
    /// Seconds in which the output falls by 60 dB, with the parameters of `make`.
    let tail: Double
    var sampleRate = 48000.0

    func check(_ location: SourceLocation = #_sourceLocation) {
        anyCutGivesTheSameBytes(location)
        resetEqualsFresh(location)
        silenceFollowsSilence(location)
        nonFiniteInputDoesNotStay(location)
        channelsAgree(location)
    }

    /// Blocks of 128 against smaller ones, with a change of parameters on the way.
    func anyCutGivesTheSameBytes(_ location: SourceLocation = #_sourceLocation) {
        let inputs = [noise(6000, seed: 1), noise(6000, seed: 2), noise(6000, seed: 3)]
        let results = [[128], [1, 63, 64], [1], [128, 127, 1, 5, 123, 40, 88]].map { blocks in
            var kernel = make(inputs.count)
            // 1536 is a sum of whole rounds of the first three, and a block's edge of the last as well.
            return run(&kernel, inputs, blocks: blocks) { kernel, done in if done == 1536 { change(&kernel) } }
        }
        for (number, result) in results.enumerated().dropFirst() {
            for channel in inputs.indices {
                #expect(
                    Measure.sameBytes(results[0][channel], result[channel]), "cut \(number), channel \(channel)",
                    sourceLocation: location)
            }
        }
        #expect(results[0].allSatisfy(Measure.isFinite), sourceLocation: location)
    }

    /// Also in the middle of a round of 128 frames.
    func resetEqualsFresh(_ location: SourceLocation = #_sourceLocation) {
        let inputs = [noise(3000, seed: 4), noise(3000, seed: 5)]
        var used = make(2)
        var fresh = make(2)
        _ = run(&used, inputs.map { Array($0.prefix(1999)) })
        used.reset()
        let (after, expected) = (run(&used, inputs), run(&fresh, inputs))
        #expect(
            Measure.sameBytes(after[0], expected[0]) && Measure.sameBytes(after[1], expected[1]),
            sourceLocation: location)
    }

    /// Silence in a fresh kernel stays silence; after sound the output falls by 60 dB within the tail, by 120 dB within
    /// two and a half (a tail is not always one exponential), and never holds denormals.
    func silenceFollowsSilence(_ location: SourceLocation = #_sourceLocation) {
        var kernel = make(1)
        #expect(Measure.peak(run(&kernel, Signal.silence(count: 2000))) == 0, sourceLocation: location)
        guard tail.isFinite else { return }
        let sounding = 9600
        let tailFrames = Int(tail * sampleRate) + 1
        let output = run(&kernel, noise(sounding, seed: 6) + Signal.silence(count: tailFrames * 5 / 2 + 9600))
        let level = Measure.level(Array(output.prefix(sounding)))
        func rest(after frames: Int) -> Double {
            Measure.level(Array(output.dropFirst(sounding + frames).prefix(4800)))
        }
        #expect(rest(after: tailFrames) < level - 60, sourceLocation: location)
        #expect(rest(after: tailFrames * 5 / 2) < level - 120, sourceLocation: location)
        #expect(!output.contains { $0.isSubnormal || $0.isNaN }, sourceLocation: location)
    }

    /// A NaN or an infinity is no longer heard two quanta later, and a reset leaves no trace of it.
    func nonFiniteInputDoesNotStay(_ location: SourceLocation = #_sourceLocation) {
        for poison in [Float.nan, .infinity, -.infinity] {
            let clean = noise(9600, seed: 7)
            var poisoned = clean
            poisoned[700] = poison
            var kernel = make(1)
            let output = run(&kernel, poisoned)
            #expect(Measure.isFinite(output.dropFirst(700 + 2 * Grid.quantum)), "\(poison)", sourceLocation: location)
            var fresh = make(1)
            kernel.reset()
            #expect(Measure.sameBytes(run(&kernel, clean), run(&fresh, clean)), "\(poison)", sourceLocation: location)
        }
    }

    /// Two channels that get the same give the same, and what one channel gives does not depend on how many there are.
    func channelsAgree(_ location: SourceLocation = #_sourceLocation) {
        let input = noise(4000, seed: 8)
        var one = make(1)
        var three = make(3)
        let (alone, together) = (run(&one, input), run(&three, [input, input, input]))
        for channel in together { #expect(Measure.sameBytes(alone, channel), sourceLocation: location) }
    }

    private func noise(_ count: Int, seed: UInt64) -> [Float] { Signal.noise(count: count, seed: seed, amplitude: 0.5) }
}
