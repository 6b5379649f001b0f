import ArgumentParser
import OssicleAcoustics
import OssicleCore
import OssicleResponses

/// Whether the low end is found as waves, and how.
struct LowFrequencyOptions: ParsableArguments {
    @Flag(
        help:
            "Below the crossover find the field as waves, by the modes of an empty box or on a grid; metrics and pictures stay those of paths and rays."
    )
    var waves = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Where waves and rays meet with --waves, 40 to 1000; 200 otherwise.", valueName: "hertz"))
    var crossover: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            With --waves, what all surfaces are to long waves, in place of what belongs to their absorption: a resistance in units of ρc, \
            with a comma a mass in kg/m² behind it, with another a stiffness in N/m³.
            """, valueName: "r,m,k"))
    var wallImpedance: String?

    func validate() throws {
        guard !waves, crossover != nil || wallImpedance != nil else { return }
        throw ValidationError("--crossover and --wall-impedance belong to waves: give --waves as well.")
    }

    /// Nil without waves.
    func options(_ medium: Medium) throws -> WaveOptions? {
        guard waves else { return nil }
        return try WaveOptions(crossover: crossover, impedance: try wallImpedance.map(numbers), in: medium)
    }

    private func numbers(_ text: String) throws -> [Double] {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
        guard (1...3).contains(numbers.count), numbers.allSatisfy({ $0 >= 0 }), numbers[0] > 0 else {
            throw ToolError(
                "--wall-impedance “\(text)” is not a resistance, mass and stiffness: give one to three numbers with commas between them, the first above 0 and none below."
            )
        }
        return numbers
    }
}
