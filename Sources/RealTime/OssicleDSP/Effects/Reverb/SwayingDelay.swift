import OssicleCore

/// A delay that swings as a sine: pitches a little up and down what passes, so that a reverb's resonances never stand still.
///
/// The sine is taken at the lines of a grid of the delay's own frames, straight lines between. In place; audio thread, but for `init`.
struct SwayingDelay: ~Copyable {
    /// At a depth of 1.
    private static let amplitude = 0.001
    private let sampleRate: Double
    private var line: FractionalDelayLine
    private var tap: DelayTap
    private var rate: Double
    private var depth: Double
    /// Turns, 0 … 1, at the next line of the grid.
    private var phase = 0.0
    private var position = 0

    init(sampleRate: Double, rate: Double, depth: Double) {
        self.sampleRate = sampleRate
        (self.rate, self.depth) = (rate, depth)
        let middle = Self.middle(sampleRate)
        line = FractionalDelayLine(maximumDelay: Int(2 * middle))
        tap = DelayTap(middle)
    }

    /// Frames around which it swings, and by which everything is late.
    private static func middle(_ sampleRate: Double) -> Double { (amplitude * sampleRate).rounded() + FractionalDelayLine.minimumDelay }

    mutating func set(rate: Double, depth: Double) { (self.rate, self.depth) = (rate, depth) }

    mutating func reset() {
        line.reset()
        tap = DelayTap(Self.middle(sampleRate))
        (phase, position) = (0, 0)
    }

    mutating func process(_ buffer: UnsafeMutablePointer<Float>, _ n: Int) {
        var done = 0
        while done < n {
            if position == 0 { aim() }
            let run = min(n - done, Grid.quantum - position)
            line.write(buffer + done, run)
            line.read(&tap, to: buffer + done, run)
            position = (position + run) % Grid.quantum
            done += run
        }
    }

    private mutating func aim() {
        phase += rate * Double(Grid.quantum) / sampleRate
        if phase >= 1 { phase -= 1 }
        let swing = DeterministicMath.sin(2 * DeterministicMath.pi * phase) * depth * Self.amplitude * sampleRate
        tap.setTarget(Self.middle(sampleRate) + swing, frames: Grid.quantum)
    }
}
