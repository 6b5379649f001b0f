import OssicleDSP
import OssicleTestSupport

/// Plays a signal through a time kernel, which asks for input as it goes; behind the end of the signal it is given
/// silence.
struct TimeKernelRun<Kernel: TimeKernel & ~Copyable>: ~Copyable {
    var sampleRate = 48000.0
    var longestTake = 128
    /// Frames per take, again and again.
    var takes = [128]
    /// New parameters at output frames, in order. Takes are cut there.
    var changes: [(at: Int, to: Kernel.Parameters)] = []

    struct Result: Copyable {
        var outputs: [[Float]]
        /// Input frames asked for in all, and at most for one take.
        var asked = 0
        var mostAsked = 0
    }

    func play(_ inputs: [[Float]], _ parameters: Kernel.Parameters, count: Int) -> Result {
        var kernel = Kernel(
            sampleRate: sampleRate, channelCount: inputs.count, longestTake: longestTake, parameters: parameters)
        return play(inputs, &kernel, count: count)
    }

    func play(_ inputs: [[Float]], _ kernel: inout Kernel, count: Int) -> Result {
        var result = Result(outputs: inputs.map { _ in [] })
        let frames = inputs.map(\.count).max() ?? 0
        let input = inputs.map { TestMemory(count: max(frames, 1), Float.zero, $0) }
        let silence = inputs.map { _ in TestMemory(count: 1 << 20, Float.zero) }
        let output = inputs.map { _ in TestMemory(count: max(longestTake, takes.max() ?? 1), Float.nan) }
        let pointers = [input, silence, output].map { lanes in
            let memory = TestMemory(count: lanes.count, lanes[0].pointer)
            for (index, lane) in lanes.enumerated() { memory.pointer[index] = lane.pointer }
            return memory
        }
        defer { withExtendedLifetime((input, silence, output)) {} }
        var (done, turn, change) = (0, 0, 0)
        while done < count {
            while change < changes.count, changes[change].at <= done {
                kernel.set(changes[change].to)
                change += 1
            }
            let next = change < changes.count ? changes[change].at : count
            let take = min(takes[turn % takes.count], next - done, count - done)
            let needed = kernel.framesNeeded(take)
            let sounding = min(needed, max(frames - result.asked, 0))
            if sounding > 0 { kernel.give(pointers[0].pointer, offset: result.asked, frames: sounding) }
            if needed > sounding { kernel.give(pointers[1].pointer, offset: 0, frames: needed - sounding) }
            kernel.take(to: pointers[2].pointer, frames: take)
            for channel in inputs.indices { result.outputs[channel] += (0..<take).map { output[channel].pointer[$0] } }
            result.asked += needed
            result.mostAsked = max(result.mostAsked, needed)
            done += take
            turn += 1
        }
        return result
    }
}

extension TestMemory where Element == Float {
    convenience init(count: Int, _ initial: Float, _ values: [Float]) {
        self.init(count: count, initial)
        for (index, value) in values.enumerated() { pointer[index] = value }
    }
}
