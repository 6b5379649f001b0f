import OssicleCore
import OssicleDSP

/// Channels into channels by a table of gains: a mixer's input, a mixer's volume, a change of layout. Port: inputs →
/// outputs.
///
///     output[o] = Σ over i in order of  entry[o, i] · gain · side[o] · input[i]
///
/// An entry of 1 at gain 1 copies bit for bit, and any single entry is one multiplication. New gains are ramped to over
/// a quantum while the input sounds, and taken at once when its last frame was zero: there is no step. A silent
/// input stays silent.
package struct MatrixRenderer: ControlledRenderer, ~Copyable {
    package struct Parameters: BitwiseCopyable {
        package var gain: Float
        /// Gain of the outputs on the left and on the right; those in the middle have neither.
        package var left: Float
        package var right: Float
        /// Changes whenever an entry does.
        package var revision: UInt32

        package init(gain: Float = 1, left: Float = 1, right: Float = 1, revision: UInt32 = 0) {
            (self.gain, self.left, self.right, self.revision) = (gain, left, right, revision)
        }
    }

    package enum Side: UInt8, BitwiseCopyable { case middle, left, right }

    package struct Control: BitwiseCopyable {
        package let cell: LatestValueCell<Parameters>
        fileprivate let entries: UnsafeMutablePointer<LatestValueCell<Float>>
        fileprivate let inputCount, outputCount: Int
        fileprivate let meters: ChannelMeters.Control

        /// Whether levels are measured; at first they are not. Any thread.
        package func setMetered(_ isMetered: Bool) { meters.setOn(isMetered) }
        /// Any thread.
        package func level(input: Int) -> ChannelLevel { input < inputCount ? meters.level(input) : ChannelLevel() }
        package func level(output: Int) -> ChannelLevel { meters.level(inputCount + output) }

        /// The gain from an input to an output. Write new parameters with another revision afterwards.
        package func setEntry(_ gain: Float, input: Int, output: Int) {
            guard input >= 0, input < inputCount, output >= 0, output < outputCount else { return }
            entries[output * inputCount + input].write(gain)
        }
    }

    package var control: Control {
        Control(
            cell: cell, entries: entries, inputCount: inputCount, outputCount: outputCount, meters: meters.control)
    }
    private let cell: LatestValueCell<Parameters>
    private let inputCount: Int
    private let outputCount: Int
    private let sides: UnsafeMutablePointer<Side>
    private let entries: UnsafeMutablePointer<LatestValueCell<Float>>
    /// Three tables of gains: the entries, where a ramp begins, where it ends.
    private let tables: SampleMemory
    private let scratch = SampleMemory(count: Grid.quantum)
    private var rampIndex = Grid.quantum
    private var endsInSound = false
    /// Inputs, then outputs.
    private var meters: ChannelMeters

    /// - Parameters:
    ///   - matrix: gain of each input in each output, output by output.
    ///   - sides: of the outputs.
    package init(matrix: [Float], inputCount: Int, outputCount: Int, sides: [Side], parameters: Parameters) {
        let count = inputCount * outputCount
        (self.inputCount, self.outputCount) = (inputCount, outputCount)
        cell = LatestValueCell(parameters)
        self.sides = .allocate(capacity: max(outputCount, 1))
        for output in 0..<outputCount {
            (self.sides + output).initialize(to: output < sides.count ? sides[output] : .middle)
        }
        entries = .allocate(capacity: max(count, 1))
        tables = SampleMemory(count: max(3 * count, 1))
        meters = ChannelMeters(channels: inputCount + outputCount)
        for index in 0..<count {
            let entry = index < matrix.count ? matrix[index] : 0
            (entries + index).initialize(to: LatestValueCell(entry))
            tables[index] = entry
        }
        aim(parameters)
        for index in 0..<count { tables[count + index] = tables[2 * count + index] }
    }

    deinit {
        cell.deallocate()
        for index in 0..<(inputCount * outputCount) { entries[index].deallocate() }
        entries.deallocate()
        sides.deallocate()
    }

    package mutating func render(_ ports: Ports, _ context: RenderContext) {
        if context.isControlPoint, let new = cell.takeIfNew() { take(new) }
        let frames = context.frames
        if ports.isInputSilent(0) {
            ports.silenceOutputs(frames)
            (endsInSound, rampIndex) = (false, Grid.quantum)
            meters.measure(frames) { _ in nil }
            return
        }
        let moving = min(Grid.quantum - rampIndex, frames)
        for output in 0..<outputCount { mix(ports, output, moving: moving, frames) }
        rampIndex += moving
        endsInSound = false
        for input in 0..<inputCount where ports.input(input)[frames - 1] != 0 { endsInSound = true }
        let inputs = inputCount
        meters.measure(frames) { $0 < inputs ? ports.input($0) : UnsafePointer(ports.output($0 - inputs)) }
    }

    private mutating func take(_ new: Parameters) {
        let count = inputCount * outputCount
        for index in 0..<count {
            tables[count + index] = gain(index)
            if let entry = entries[index].takeIfNew() { tables[index] = entry }
        }
        aim(new)
        rampIndex = endsInSound ? 0 : Grid.quantum
    }

    private func aim(_ parameters: Parameters) {
        let count = inputCount * outputCount
        for output in 0..<outputCount {
            let side =
                switch sides[output] {
                case .middle: Float(1);
                case .left: parameters.left;
                case .right: parameters.right
                }
            for input in 0..<inputCount {
                let index = output * inputCount + input
                tables[2 * count + index] = tables[index] * (parameters.gain * side)
            }
        }
    }

    /// An entry's gain at this moment.
    private func gain(_ index: Int) -> Float {
        let count = inputCount * outputCount
        return rampIndex >= Grid.quantum ? tables[2 * count + index] : gain(index, at: rampIndex)
    }

    @inline(__always)
    private func gain(_ index: Int, at frame: Int) -> Float {
        let count = inputCount * outputCount
        let (from, to) = (tables[count + index], tables[2 * count + index])
        return from + (to - from) * (Float(Int32(truncatingIfNeeded: frame)) * (1 / Float(Grid.quantum)))
    }

    private func mix(_ ports: Ports, _ output: Int, moving: Int, _ frames: Int) {
        let count = inputCount * outputCount
        let target = ports.output(output)
        var isEmpty = true
        for input in 0..<inputCount {
            let index = output * inputCount + input
            let rest = tables[2 * count + index]
            if rest == 0 && (moving == 0 || tables[count + index] == 0) { continue }
            let (into, from) = (isEmpty ? target : scratch.pointer, ports.input(input))
            for frame in 0..<moving { into[frame] = from[frame] * gain(index, at: rampIndex + frame) }
            if rest == 1 {
                (into + moving).update(from: from + moving, count: frames - moving)
            } else {
                for frame in moving..<frames { into[frame] = from[frame] * rest }
            }
            // The first one is copied, not added to silence: −0 stays −0.
            if !isEmpty { Mixing.add(scratch.pointer, into: target, frames) }
            isEmpty = false
        }
        if isEmpty { Mixing.clear(target, frames) }
    }
}
