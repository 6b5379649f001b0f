import OssicleCore
import OssicleDSP
import Synchronization

/// The memory of the pitch effect: the input that the kernel has not asked for yet. Render side, but for
/// the flags.
package final class PitchLine: @unchecked Sendable {
    package let isBypassed = Atomic(false)
    package let isToBeReset = Atomic(false)
    private let exit: ExitReference
    private let owner: AnyObject
    private let channels: Int
    private let latency: Int
    private let capacity: Int
    private let samples: SampleMemory
    private let scratch: SampleMemory
    private let pieces: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private var written: Int64 = 0
    private var read: Int64 = 0

    package init(_ exit: (ExitReference, AnyObject), channels: Int, latency: Int) {
        (self.exit, owner, self.channels, self.latency) = (exit.0, exit.1, channels, latency)
        capacity = latency + 2 * Grid.quantum
        samples = SampleMemory(count: max(channels, 1) * capacity)
        scratch = SampleMemory(count: max(channels, 1) * Grid.quantum)
        pieces = .allocate(capacity: max(channels, 1))
        for channel in 0..<max(channels, 1) {
            (pieces + channel).initialize(to: scratch.pointer + channel * Grid.quantum)
        }
    }

    deinit { pieces.deallocate() }

    package func render(_ ports: Ports, _ context: RenderContext) {
        let frames = context.frames
        if isToBeReset.exchange(false, ordering: .acquiring) {
            exit.reset()
            (written, read) = (0, 0)
        }
        for channel in 0..<channels {
            let line = samples.pointer + channel * capacity
            for frame in 0..<frames {
                line[Int((written + Int64(frame)) % Int64(capacity))] = ports.input(channel)[frame]
            }
        }
        let silent = Int(min(max(Int64(latency) - written, 0), Int64(frames)))
        written += Int64(frames)
        exit.update()
        if silent < frames { take(ports, from: silent, frames - silent) }
        if isBypassed.load(ordering: .relaxed) {
            for channel in 0..<channels { ports.output(channel).update(from: ports.input(channel), count: frames) }
        } else if silent == frames {
            ports.silenceOutputs(frames)
        } else {
            for channel in 0..<channels { Mixing.clear(ports.output(channel), silent) }
        }
    }

    private func take(_ ports: Ports, from start: Int, _ frames: Int) {
        var left = min(Int64(exit.framesNeeded(frames)), written - read)
        while left > 0 {
            let count = Int(min(left, Int64(Grid.quantum)))
            for channel in 0..<channels {
                let line = samples.pointer + channel * capacity
                for frame in 0..<count { pieces[channel][frame] = line[Int((read + Int64(frame)) % Int64(capacity))] }
            }
            exit.give(UnsafePointer(pieces), frames: count)
            read += Int64(count)
            left -= Int64(count)
        }
        exit.take(to: UnsafePointer(pieces), frames: frames)
        for channel in 0..<channels { (ports.output(channel) + start).update(from: pieces[channel], count: frames) }
    }
}
