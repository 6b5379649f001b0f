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
        return try WaveOptions(crossover: crossover ?? 200, wall: wallImpedance.map { try wall($0, medium) })
    }

    private func wall(_ text: String, _ medium: Medium) throws -> WallAdmittance {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        let numbers = parts.compactMap { $0 }.filter { $0.isFinite && $0 >= 0 }
        guard (1...3).contains(parts.count), numbers.count == parts.count, numbers[0] > 0 else {
            throw ToolError(
                "--wall-impedance “\(text)” is not a resistance, mass and stiffness: give one to three numbers with commas between them, the first above 0 and none below."
            )
        }
        let unit = medium.density * medium.speedOfSound
        return WallAdmittance([
            .init(
                resistance: numbers[0], mass: numbers.count > 1 ? numbers[1] / unit : 0,
                stiffness: numbers.count > 2 ? numbers[2] / unit : 0)
        ])
    }
}
