import OssicleCore
import OssicleDSP
import OssicleRender
import Synchronization

/// Drives the pitch effect: the time kernel at rate 1, frame by frame.
///
/// The kernel asks for input ahead of time, so the effect is late: what comes out at frame n is the kernel's
/// frame n − latency.
final class PitchDriver: UnitDriver {
    private let exit: TimeDriver<TimeStretcher>
    private var box: RendererBox<BlockRenderer>?
    private var line: PitchLine?
    private var shape: (rate: Double, channels: Int) = (0, 0)

    init(_ values: UnitValues) {
        exit = TimeDriver(fastest: 1, unity: TimeStretcher.Parameters(), ExitReference.stretch) {
            TimeStretcher.Parameters(
                rate: 1, cents: Double(values[1]),
                overlap: Double(values[4]), keepsOnsets: values[7] >= 0.5, isCoherent: values[6] >= 0.5)
        }
    }

    func renderer(sampleRate: Double, channels: Int, bypass: Bool) -> OwnedRenderer {
        if let box, shape == (sampleRate, channels) { return (.block(box.pointer), box) }
        let line = PitchLine(
            exit.makeExit(sampleRate: sampleRate, channels: channels, bypass: false), channels: channels,
            latency: latency(sampleRate: sampleRate))
        line.isBypassed.store(bypass, ordering: .relaxed)
        let made = RendererBox(BlockRenderer(cost: 14) { ports, context in line.render(ports, context) })
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

    func tailTime(sampleRate: Double) -> Double {
        exit.tailTime(sampleRate: sampleRate) + Double(latency(sampleRate: sampleRate)) / max(sampleRate, 1)
    }
}
