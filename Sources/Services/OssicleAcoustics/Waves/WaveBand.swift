import OssicleCore

/// The frequencies at which a field is found: s = σ + 2πj n·step, n from 0 to `count` − 1.
///
/// The decay σ belongs to a response times e^(−σt), which is over by the end of a period 1/step: it is taken off again
/// in the time domain, and nothing of a long decay folds back to the start.
package struct WaveBand: Sendable, Hashable {
    /// Hz.
    package let step: Double
    package let count: Int
    /// Nepers per second.
    package let damping: Double

    package init(step: Double, count: Int, damping: Double) {
        (self.step, self.count, self.damping) = (step, count, damping)
    }

    package func s(_ index: Int) -> Complex {
        Complex(damping, 2 * DeterministicMath.pi * step * Double(index))
    }

    package var highest: Double { step * Double(count) }
}

/// A low-frequency field that cannot be computed: what is wrong, and what to do.
package struct WaveError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
