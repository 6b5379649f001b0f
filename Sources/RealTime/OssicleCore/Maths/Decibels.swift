/// Level conversions. Amplitude throughout (20·log₁₀), energies where the name says so (10·log₁₀).
package enum Decibels {
    package static func amplitude(_ decibels: Double) -> Double { DeterministicMath.exp(decibels * (DeterministicMath.ln10 / 20)) }
    package static func energy(_ decibels: Double) -> Double { DeterministicMath.exp(decibels * (DeterministicMath.ln10 / 10)) }
    package static func of(amplitude: Double) -> Double { 20 * DeterministicMath.log10(amplitude) }
    package static func of(energy: Double) -> Double { 10 * DeterministicMath.log10(energy) }
}
