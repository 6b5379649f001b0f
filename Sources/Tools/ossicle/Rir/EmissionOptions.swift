import ArgumentParser
import OssicleAcoustics
import OssicleBatch
import OssicleCore
import OssicleResponses

/// How loud sources are in which direction, and where they look.
struct EmissionOptions: ParsableArguments {
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            What a source sends around its axis: omni, subcardioid, cardioid, supercardioid, hypercardioid or figure-eight; \
            NAME:N for its Nth power; NAME:N:DB for that many dB from front to back (comma-separated, by octave band); or a \
            file: a loudspeaker in CLF's text form, or SOFA (FreeFieldDirectivityTF). Once for all sources, or once for each.
            """, valueName: "pattern"))
    var sourceDirectivity: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            A place a source looks at, with up upwards; −z otherwise. Once for all sources, or once for each.
            """, valueName: "x,y,z"))
    var aim: [Place] = []

    func validate() throws {
        for text in sourceDirectivity where SourcePattern.isPattern(text) && SourcePattern(text) == nil {
            throw ValidationError("--source-directivity \(text) is none: \(SourcePattern.rule), or a file.")
        }
        if !aim.isEmpty, sourceDirectivity.isEmpty {
            throw ValidationError("A source that is the same all around looks nowhere: add --source-directivity.")
        }
    }

    /// One for each source; nil for those that are the same all around.
    func emissions(of sources: [Place]) throws -> [SourceEmission?] {
        for (name, count) in [("--source-directivity", sourceDirectivity.count), ("--aim", aim.count)]
        where count > 1 && count != sources.count {
            throw ToolError("\(name) is given \(count) times for \(sources.count) sources: give it once, or for each.")
        }
        let shapes = try sourceDirectivity.map(Self.shape)
        return sources.indices.map { index in
            guard !shapes.isEmpty, let shape = shapes[shapes.count == 1 ? 0 : index] else { return nil }
            let facing = aim.isEmpty ? nil : aim[aim.count == 1 ? 0 : index].vector
            return SourceEmission(pose: Pose(listenerAt: sources[index].vector, facing: facing), shape: shape)
        }
    }

    /// Nil for what is the same all around; a file where it is no pattern.
    private static func shape(_ text: String) throws -> SourceEmission.Shape? {
        if text == "omni" { return nil }
        if let pattern = SourcePattern(text) { return .axial(pattern.directivity) }
        return try SourceEmission.Shape(contentsOfFile: text)
    }
}
