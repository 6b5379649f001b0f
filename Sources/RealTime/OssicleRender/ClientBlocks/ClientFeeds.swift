// Sound that client blocks give: the facade fills in their buffer lists, what comes back is taken on here.

import OssicleCore

/// Samples of a client's that were NaN or infinite and became 0: counted on the render side, read on the control side.
package final class NonFiniteCount: Sendable {
    private let samples = PublishedPosition()

    package init() {}

    /// Samples cleared by now.
    package var total: Int64 { samples.load() }

    /// Render side: clears a block that has come in.
    package func clear(_ block: UnsafeMutablePointer<Float>, _ frames: Int) {
        let found = Mixing.clearNonFinite(block, frames)
        if found > 0 { samples.store(samples.load() + Int64(found)) }
    }
}

/// Gains from input planes to output planes.
package struct PlaneMatrix: Sendable {
    private let gains: [Float]
    private let inputs: Int

    /// - Parameter gains: output by output, the gain of each input.
    package init(_ gains: [Float], inputs: Int) { (self.gains, self.inputs) = (gains, inputs) }

    /// The input of each output by number, another number for silence.
    package init(_ map: [Int], inputs: Int, outputs: Int) {
        gains = (0..<outputs).flatMap { output in
            (0..<inputs).map { output < map.count && map[output] == $0 ? 1 : 0 }
        }
        self.inputs = inputs
    }

    /// Render side: one output, from as many input planes as there are, input `i` at `sources(i)`.
    @inline(__always)
    func mix(
        _ output: Int, to target: UnsafeMutablePointer<Float>, _ frames: Int,
        from source: (Int) -> UnsafePointer<Float>
    ) {
        var isEmpty = true
        for input in 0..<inputs {
            let gain = gains[output * inputs + input]
            if gain == 0 { continue }
            let plane = source(input)
            for frame in 0..<frames {
                target[frame] = isEmpty ? plane[frame] * gain : target[frame] + plane[frame] * gain
            }
            isEmpty = false
        }
        if isEmpty { Mixing.clear(target, frames) }
    }
}

/// A source whose block is asked block by block and gives the very frames that are rendered.
package final class ClientSource: @unchecked Sendable {
    /// Asks the client for `frames` frames from `position` on and writes them to one plane per channel, `Grid.quantum`
    /// apart. Gives the frames it wrote, `nil` for silence. It brackets the client's code with `ClientCode.run`.
    package typealias Fill = (_ frames: Int, _ position: Int64, _ planes: UnsafeMutablePointer<Float>) -> Int?

    private let channels: Int
    private let matrix: PlaneMatrix
    private let nonFinite: NonFiniteCount
    private let planes: SampleMemory
    private let fill: Fill

    package init(
        channels: Int, _ matrix: PlaneMatrix, nonFinite: NonFiniteCount, filling fill: @escaping Fill
    ) {
        (self.channels, self.matrix, self.nonFinite, self.fill) = (channels, matrix, nonFinite, fill)
        planes = SampleMemory(count: max(channels, 1) * Grid.quantum)
    }

    package func render(_ ports: Ports, _ context: RenderContext) {
        let frames = context.frames
        guard let held = fill(frames, context.position, planes.pointer) else { return ports.silenceOutputs(frames) }
        for channel in 0..<channels {
            let plane = planes.pointer + channel * Grid.quantum
            if held < frames { Mixing.clear(plane + held, frames - held) }
            nonFinite.clear(plane, held)
        }
        for output in 0..<ports.outputCount {
            matrix.mix(output, to: ports.output(output), frames) { UnsafePointer(planes.pointer + $0 * Grid.quantum) }
        }
    }
}

/// Input that is fetched from the client's block a render call's worth at a time, and handed out block by block.
package final class InputFeed: @unchecked Sendable {
    /// Asks the client for `frames` frames and writes them to one plane per channel, `stride` samples apart. Gives the
    /// frames it wrote, `nil` where the client has none. It brackets the client's code with `ClientCode.run`.
    package typealias Fetch = (_ frames: Int, _ planes: UnsafeMutablePointer<Float>, _ stride: Int) -> Int?

    package let nonFinite = NonFiniteCount()
    private let fetching: Fetch
    private let store: SampleMemory
    private let capacity: Int
    private let channels: Int
    private let ranDry = PublishedPosition()
    // Render side.
    private var held = 0
    private var read = 0

    /// - Parameter longest: frames that may have to be fetched at once.
    package init(channels: Int, longest: Int, fetching: @escaping Fetch) {
        (self.channels, self.fetching) = (channels, fetching)
        capacity = max(longest, 4096)
        store = SampleMemory(count: capacity * channels)
    }

    /// Whether the block had too little since this was last called.
    package func takeRanDry() -> Bool { ranDry.exchange(0) != 0 }

    package func render(_ ports: Ports, _ context: RenderContext) {
        var done = 0
        while done < context.frames {
            if read == held, !fetch(min(max(context.framesLeftInCall - done, context.frames - done), capacity)) {
                for channel in 0..<ports.outputCount {
                    Mixing.clear(ports.output(channel) + done, context.frames - done)
                }
                if done == 0 { ports.markSilent(0) }
                return
            }
            let run = min(context.frames - done, held - read)
            for channel in 0..<ports.outputCount {
                if channel < channels {
                    (ports.output(channel) + done).update(from: store.pointer + channel * capacity + read, count: run)
                } else {
                    Mixing.clear(ports.output(channel) + done, run)
                }
            }
            read += run
            done += run
        }
    }

    private func fetch(_ frames: Int) -> Bool {
        (held, read) = (0, 0)
        guard let found = fetching(frames, store.pointer, capacity) else {
            ranDry.store(1)
            return false
        }
        held = found
        for channel in 0..<channels { nonFinite.clear(store.pointer + channel * capacity, held) }
        if held < frames { ranDry.store(1) }
        return held > 0
    }
}
