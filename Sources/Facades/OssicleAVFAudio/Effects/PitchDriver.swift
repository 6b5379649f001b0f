import OssicleAudioToolbox
import OssicleCore
import OssicleDSP
import OssicleRender
import Synchronization

/// Drives the pitch effect: the time kernel at rate 1, frame by frame.
///
/// The kernel asks for input ahead of time, so the effect hears it late: what comes out at frame n is the kernel's frame n − latency.
final class PitchDriver: UnitDriver {
    private let exit: TimeDriver<TimeStretcher>
    private var box: RendererBox<BlockRenderer>?
    private var line: PitchLine?
    private var shape: (rate: Double, channels: Int) = (0, 0)

    init(_ value: ParameterReader) {
        exit = TimeDriver(fastest: 1, unity: TimeStretcher.Parameters(), ExitReference.stretch) {
            TimeStretcher.Parameters(rate: 1, cents: Double(value[kNewTimePitchParam_Pitch]), overlap: Double(value[kNewTimePitchParam_Smoothness]))
        }
    }

    func renderer(sampleRate: Double, channels: Int, bypass: Bool) -> (RendererReference, AnyObject) {
        if let box, shape == (sampleRate, channels) { return (.block(box.pointer), box) }
        let line = PitchLine(exit.makeExit(sampleRate: sampleRate, channels: channels, bypass: false), channels: channels, latency: latency(sampleRate: sampleRate))
        line.isBypassed.store(bypass, ordering: .relaxed)
        let made = RendererBox(BlockRenderer { ports, context in line.render(ports, context) })
        (box, self.line, shape) = (made, line, (sampleRate, channels))
        return (.block(made.pointer), made)
    }

    func update(bypass: Bool) {
        exit.update(bypass: false)
        line?.isBypassed.store(bypass, ordering: .relaxed)
    }

    var current: OwnedRenderer? { box.map { (.block($0.pointer), $0) } }

    func reset() { line?.isToBeReset.store(true, ordering: .releasing) }

    func forget() { (box, line) = (nil, nil) }

    /// Frames: what the kernel may ask for ahead of time.
    func latency(sampleRate: Double) -> Int { TimeStretcher.lookAhead(sampleRate: sampleRate) }

    func tailTime(sampleRate: Double) -> Double { exit.tailTime(sampleRate: sampleRate) + Double(latency(sampleRate: sampleRate)) / max(sampleRate, 1) }
}

/// What the pitch effect keeps while it sounds: the input that the kernel has not asked for yet. Render side, but for the flags.
private final class PitchLine: @unchecked Sendable {
    let isBypassed = Atomic(false)
    let isToBeReset = Atomic(false)
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

    init(_ exit: (ExitReference, AnyObject), channels: Int, latency: Int) {
        (self.exit, owner, self.channels, self.latency) = (exit.0, exit.1, channels, latency)
        capacity = latency + 2 * Grid.quantum
        samples = SampleMemory(count: max(channels, 1) * capacity)
        scratch = SampleMemory(count: max(channels, 1) * Grid.quantum)
        pieces = .allocate(capacity: max(channels, 1))
        for channel in 0..<max(channels, 1) { (pieces + channel).initialize(to: scratch.pointer + channel * Grid.quantum) }
    }

    deinit { pieces.deallocate() }

    func render(_ ports: Ports, _ context: RenderContext) {
        let frames = context.frames
        if isToBeReset.exchange(false, ordering: .acquiring) {
            exit.reset()
            (written, read) = (0, 0)
        }
        for channel in 0..<channels {
            let line = samples.pointer + channel * capacity
            for frame in 0..<frames { line[Int((written + Int64(frame)) % Int64(capacity))] = ports.input(channel)[frame] }
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
