import ArgumentParser
import Foundation
import OssicleAcoustics
import OssicleCore
import OssicleReaders
import OssicleResponses
import OssicleScenes

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
    var sourceDirectivity: [SourcePattern] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            A place a source looks at, with up upwards; −z otherwise. Once for all sources, or once for each.
            """, valueName: "x,y,z"))
    var aim: [Place] = []

    func validate() throws {
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
        let shapes = try sourceDirectivity.map { try $0.shape() }
        return sources.indices.map { index in
            guard !shapes.isEmpty, let shape = shapes[shapes.count == 1 ? 0 : index] else { return nil }
            let facing = aim.isEmpty ? nil : aim[aim.count == 1 ? 0 : index].vector
            return SourceEmission(pose: Pose(listenerAt: sources[index].vector, facing: facing), shape: shape)
        }
    }
}

/// A source's directivity on the command line: a cardioid of the family, or a file.
struct SourcePattern: ExpressibleByArgument, Equatable {
    let argument: String
    /// nil for a file.
    private let family: Directivity?

    init?(argument: String) {
        self.argument = argument
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let named = MicrophonePattern.named.first(where: { $0.name == parts[0] }) else {
            family = nil
            if argument.isEmpty { return nil }
            return
        }
        let order = parts.count > 1 ? Double(parts[1]) ?? 0 : 1
        guard parts.count <= 3, (1...20).contains(order) else { return nil }
        if parts.count < 3 {
            family = Directivity(.cardioid(pattern: 1 - named.pressure, sharpness: order))
            return
        }
        let levels = parts[2].split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? -1 }
        guard levels.allSatisfy({ (0...200).contains($0) }), let bands = BandList(levels) else { return nil }
        family = Directivity(order: order, frontToBack: bands.bands)
    }

    /// nil for what is the same all around.
    func shape() throws -> SourceEmission.Shape? {
        if argument == "omni" { return nil }
        if let family { return .axial(family) }
        switch ReaderProcess.bytes(ofFile: argument) {
        case .success(let bytes):
            let name = URL(fileURLWithPath: argument).lastPathComponent
            return .balloon(
                name.lowercased().hasSuffix(".sofa")
                    ? try DirectivityFile(bytes, name: name).balloon : try LoudspeakerFile(bytes, name: name).balloon)
        case .failure:
            throw ToolError(
                "\(argument) is neither a pattern (\(MicrophonePattern.named.map(\.name).joined(separator: ", "))) nor a file that can be read: give --source-directivity one of the two."
            )
        }
    }
}
