import COssicle
import OssicleCore

/// Convolution with measured responses in real time, without latency: partitions of three sizes behind a head in direct
/// form (`ConvolutionResponse`).
///
///     in ─┬─▶ 128 taps, direct ──────────────────────────────────────────────────────────────────▶(+)─▶ out
///         ├─ every 128 frames ──▶ transform ─▶ products with 15 partitions ─▶ transform back ─────▶▲
///         ├─ every 1024 ────────▶ the same, spread over 8 quanta ─────────────────────────────────▶▲
///         └─ every 8192 ────────▶ the same, spread over 64 quanta ────────────────────────────────▶▲
///
/// Any number of inputs and outputs, joined by routes. Against a direct sum in double precision the error is below −120
/// dB of the output. It counts its own quanta, so the cut into calls leaves no trace; all of it happens on the audio
/// thread. Silent for so long that nothing but zeros is left in it, it is idle and costs a look at its input.
///
/// Input that is not finite or beyond +96 dBFS is replaced by silence. Audio thread, but for `init`.
package struct Convolver: ~Copyable {
    /// One response from an input to an output.
    package struct Route: BitwiseCopyable, Equatable, Sendable {
        package let input: Int
        package let output: Int
        /// Of the response.
        package let channel: Int

        package init(from input: Int, to output: Int, channel: Int) {
            (self.input, self.output, self.channel) = (input, output, channel)
        }
    }

    private static let largestInput: Float = 65_536
    private static let head = ConvolutionResponse.headTaps

    package let inputCount: Int
    package let outputCount: Int
    private let response: ConvolutionResponse
    private let routes: OwnedMemory<Route>
    private let routeCount: Int
    private let taps: UnsafePointer<Float>
    private let tapCount: Int
    private let stages: UnsafeMutablePointer<ConvolutionStage>
    private let stageCount: Int
    /// By input: the quantum before, the present one, and what the direct form may read beyond.
    private let windows: SampleMemory
    private static let windowLength = 2 * Grid.quantum + HRTFConvolution.group
    private let direct = SampleMemory(count: Grid.quantum + HRTFConvolution.group)
    /// By input: four blocks of the largest partition.
    private let history: SampleMemory
    private let historyMask: Int
    private let patience: Int
    private var quantum = 0
    /// Frames of the present quantum so far.
    private var phase = 0
    private var isQuantumSilent = true
    private var silentQuanta = 0
    private(set) package var isIdle = true

    /// - Parameter routes: inputs and outputs within the counts, channels within the response.
    package init(_ response: ConvolutionResponse, routes: [Route], inputCount: Int, outputCount: Int) {
        (self.inputCount, self.outputCount) = (inputCount, outputCount)
        self.response = response
        let sorted = (0..<outputCount).flatMap { output in routes.filter { $0.output == output } }
        let table = OwnedMemory(count: sorted.count, Route(from: 0, to: 0, channel: 0))
        for (place, route) in sorted.enumerated() { table.pointer[place] = route }
        routeCount = sorted.count
        taps = UnsafePointer(response.heads.pointer)
        tapCount = max(min(response.length, Self.head), 1)
        stageCount = response.stages.count
        stages = .allocate(capacity: max(stageCount, 1))
        var patience = 2
        for (place, stage) in response.stages.enumerated() {
            let made = ConvolutionStage(
                stage, routes: table.pointer, routeCount: sorted.count, inputCount: inputCount, outputCount: outputCount
            )
            patience = max(patience, made.patience)
            (stages + place).initialize(to: made)
        }
        self.patience = patience
        self.routes = table
        windows = SampleMemory(count: inputCount * Self.windowLength)
        let length = 4 * (response.stages.last?.shape.size ?? Grid.quantum)
        history = SampleMemory(count: inputCount * length)
        historyMask = length - 1
    }

    deinit { stages.deinitialize(count: stageCount).deallocate() }

    /// Frames until the last sample of a sound has left.
    package var length: Int { patience * Grid.quantum }

    package mutating func reset() {
        windows.clear()
        history.clear()
        for stage in 0..<stageCount { stages[stage].reset() }
        (quantum, phase, silentQuanta, isQuantumSilent, isIdle) = (0, 0, 0, true, true)
    }

    /// The outputs are overwritten; they may not overlap the inputs. Any number of frames.
    package mutating func process(
        _ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ n: Int
    ) {
        var done = 0
        while done < n {
            let run = min(n - done, Grid.quantum - phase)
            receive(inputs, done, run)
            if isIdle {
                for output in 0..<outputCount { (outputs[output] + done).update(repeating: 0, count: run) }
            } else {
                convolve(outputs, done, run)
            }
            phase += run
            done += run
            if phase == Grid.quantum { finishQuantum() }
        }
    }

    private mutating func receive(_ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ offset: Int, _ n: Int) {
        for input in 0..<inputCount {
            let (from, to) = (
                inputs[input] + offset, windows.pointer + input * Self.windowLength + Grid.quantum + phase
            )
            for i in 0..<n { to[i] = from[i].magnitude <= Self.largestInput ? from[i] : 0 }
            if isQuantumSilent, SilenceCount().silentEnd(of: to, n) < n { isQuantumSilent = false }
        }
        if !isQuantumSilent { isIdle = false }
    }

    /// Routes stand in order of their outputs: the first of each overwrites.
    private func convolve(_ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ offset: Int, _ n: Int) {
        var next = 0
        for output in 0..<outputCount {
            let target = outputs[output] + offset
            if next == routeCount || routes.pointer[next].output != output { target.update(repeating: 0, count: n) }
            var isFirst = true
            while next < routeCount, routes.pointer[next].output == output {
                let route = routes.pointer[next]
                let newest = windows.pointer + route.input * Self.windowLength + Grid.quantum + phase
                HRTFConvolution.run(
                    newest - (tapCount - 1), taps + route.channel * Self.head, tapCount, into: direct.pointer, n)
                if isFirst {
                    target.update(from: direct.pointer, count: n)
                } else {
                    ossicle_add(direct.pointer, target, n)
                }
                isFirst = false
                next += 1
            }
        }
        for stage in 0..<stageCount {
            stages[stage].add(to: outputs, offset: offset, quantum: quantum, phase: phase, n)
        }
    }

    private mutating func finishQuantum() {
        if !isIdle {
            for input in 0..<inputCount {
                let window = windows.pointer + input * Self.windowLength
                let place = input * (historyMask + 1) + (quantum * Grid.quantum & historyMask)
                (history.pointer + place).update(from: window + Grid.quantum, count: Grid.quantum)
                window.update(from: window + Grid.quantum, count: Grid.quantum)
            }
            for stage in 0..<stageCount {
                stages[stage].work(behind: quantum, history: history.pointer, mask: historyMask)
            }
            silentQuanta = isQuantumSilent ? silentQuanta + 1 : 0
            if silentQuanta >= patience { isIdle = true }
        }
        quantum += 1
        phase = 0
        isQuantumSilent = true
    }
}
