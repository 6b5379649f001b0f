import OssicleCore

/// Planes of 32-bit floats that the client's sound is pulled into. Render side, except for `init`.
package final class PulledPlanes: @unchecked Sendable {
    package let channels: Int
    /// Frames of each plane.
    package let capacity: Int
    /// One per channel, `capacity` frames each.
    package let planes: UnsafePointer<UnsafeMutablePointer<Float>>
    private let table: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let samples: SampleMemory

    package init(channels: Int, capacity: Int) {
        (self.channels, self.capacity) = (channels, capacity)
        samples = SampleMemory(count: max(channels, 1) * capacity)
        table = .allocate(capacity: max(channels, 1))
        for channel in 0..<max(channels, 1) { (table + channel).initialize(to: samples.pointer + channel * capacity) }
        planes = UnsafePointer(table)
    }

    deinit { table.deallocate() }

    /// The first plane; the others follow `capacity` samples apart.
    package var memory: UnsafeMutablePointer<Float> { samples.pointer }

    /// Takes on the `held` frames that came in: what is not finite becomes 0, and so do the rest of `frames` frames.
    package func complete(_ held: Int, of frames: Int) {
        for channel in 0..<channels {
            let plane = planes[channel]
            for frame in 0..<held where !plane[frame].isFinite { plane[frame] = 0 }
            Mixing.clear(plane + held, frames - held)
        }
    }
}

/// Sound pulled at one rate and number of channels and handed on at another: rate, then channels. Render side, except
/// for `init`.
///
///     pull ──▶ planes at the input's rate ──▶ exit (rate, speed, pitch) ──▶ channel matrix ──▶ planes
package final class PullConverter: @unchecked Sendable {
    /// Has the client fill the input's planes with `frames` frames from `position` on; 0, or the status of its refusal.
    package typealias Pull = (_ frames: Int, _ position: Int64) -> Int32

    package let outputChannels: Int
    private let input: PulledPlanes
    private let exit: ExitReference?
    private let owner: AnyObject?
    private let matrix: PlaneMatrix
    private let converted: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let samples: SampleMemory
    private var position: Int64 = 0

    /// - Parameter exit: what changes the number of frames; `nil` for as many out as in.
    package init(_ input: PulledPlanes, _ exit: (ExitReference, AnyObject)?, _ matrix: PlaneMatrix, outputs: Int) {
        (self.input, self.exit, owner, self.matrix, outputChannels) = (input, exit?.0, exit?.1, matrix, outputs)
        let channels = max(input.channels, 1)
        samples = SampleMemory(count: channels * Grid.quantum)
        converted = .allocate(capacity: channels)
        for channel in 0..<channels { (converted + channel).initialize(to: samples.pointer + channel * Grid.quantum) }
    }

    deinit { converted.deallocate() }

    /// Only while nothing is rendered.
    package func reset() {
        exit?.reset()
        position = 0
    }

    /// Renders `frames` frames into one plane per output channel, from `offset` on. What could not be had is silent;
    /// gives the last status that was not 0.
    package func render(
        _ frames: Int, into planes: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, pulling pull: Pull
    ) -> Int32 {
        var (done, result) = (0, Int32(0))
        while done < frames {
            let count: Int
            let status: Int32
            if let exit {
                count = min(frames - done, Grid.quantum)
                exit.update()
                status = feed(exit, exit.framesNeeded(count), pull)
                exit.take(to: converted, frames: count)
                mix(UnsafePointer(converted), into: planes, offset + done, count)
            } else {
                count = min(frames - done, input.capacity)
                status = ask(count, pull)
                mix(input.planes, into: planes, offset + done, count)
            }
            if status != 0 { result = status }
            done += count
        }
        return result
    }

    private func feed(_ exit: ExitReference, _ needed: Int, _ pull: Pull) -> Int32 {
        var (left, result) = (needed, Int32(0))
        while left > 0 {
            let count = min(left, input.capacity)
            let status = ask(count, pull)
            if status != 0 { result = status }
            exit.give(input.planes, frames: count)
            left -= count
        }
        return result
    }

    private func ask(_ frames: Int, _ pull: Pull) -> Int32 {
        let start = position
        position += Int64(frames)
        return pull(frames, start)
    }

    private func mix(
        _ sources: UnsafePointer<UnsafeMutablePointer<Float>>, into planes: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ offset: Int, _ frames: Int
    ) {
        for output in 0..<outputChannels {
            matrix.mix(output, to: planes[output] + offset, frames) { UnsafePointer(sources[$0]) }
        }
    }
}
