import ArgumentParser
import Foundation
import OssicleAcoustics
import OssicleBatch
import OssicleChannels
import OssicleCore
import OssicleDSP
import OssicleHRTF
import OssicleResponses
import OssicleScenes

/// Who listens, and which way the listener looks.
struct ListenerOptions: ParsableArguments {
    @Option(
        help:
            "Who listens: mono, binaural (the built-in KEMAR), ambisonic:N of order 0 to 7 (ACN, SN3D; ambisonic:N:n3d for N3D), or an array of microphones."
    )
    var receiver = ReceiverName.mono

    @Option(help: ArgumentHelp("The head of --receiver binaural from a SOFA file (AES69).", valueName: "sofa"))
    var head: String?

    @Option(
        help: ArgumentHelp(
            """
            What microphones hear around the listener's view: omni, subcardioid, cardioid, supercardioid, hypercardioid, \
            figure-eight, or p of p + (1 − p) cos θ, one or octave bands with commas between them.
            """, valueName: "pattern"))
    var pattern = MicrophonePattern.omnidirectional

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            A microphone of the array, in metres to the listener's right, up and back. May be repeated.
            """, valueName: "x,y,z"))
    var microphone: [Place] = []

    @Option(help: ArgumentHelp("Microphones of the array from a file with x,y,z in each line.", valueName: "csv"))
    var microphones: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Degrees by which the listener is turned to the left, from looking along −z.
            """, valueName: "degrees"))
    var yaw = 0.0

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Degrees by which the listener looks up.", valueName: "degrees"))
    var pitch = 0.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("A place the listener looks at, in place of --yaw and --pitch.", valueName: "x,y,z"))
    var facing: Place?

    func validate() throws {
        guard yaw.isFinite, pitch.isFinite, (-90...90).contains(pitch) else {
            throw ValidationError("--yaw \(yaw) --pitch \(pitch): give degrees, and a pitch of −90 to 90.")
        }
        if facing != nil, yaw != 0 || pitch != 0 {
            throw ValidationError("--facing and --yaw or --pitch exclude each other: give one of them.")
        }
        if receiver != .array, !microphone.isEmpty || microphones != nil {
            throw ValidationError("Microphones are those of an array: add --receiver array.")
        }
        if head != nil, receiver != .binaural {
            throw ValidationError("A head has two ears: add --receiver binaural.")
        }
        if !pattern.isOmnidirectional, !receiver.isMicrophone {
            throw ValidationError("--pattern is that of microphones: add --receiver mono or array.")
        }
        if receiver == .array, microphone.isEmpty, microphones == nil {
            throw ValidationError(
                "The array has no microphones: give --microphone x,y,z for each, or a file with --microphones.")
        }
    }

    func pose(at place: Vector) -> Pose {
        Pose(listenerAt: place, yaw: yaw, pitch: pitch, facing: facing?.vector)
    }

    func made(sampleRate: Double) throws -> Receiver {
        switch receiver {
        case .mono: return .mono
        case .binaural:
            return .binaural(
                try head.map { try HRTFSet(contentsOfFile: $0).filters(sampleRate: sampleRate) }
                    ?? HRTFFilters.shared(sampleRate: sampleRate))
        case .ambisonic(let field): return .ambisonic(order: field.order, isN3D: field.isN3D)
        case .array: return .array(microphone.map(\.vector) + (try microphones.map(Self.places) ?? []))
        }
    }

    /// Lines without three numbers are an error, but for the first (a header), empty ones and those that begin with
    /// “#”.
    private static func places(inFile path: String) throws -> [Vector] {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw ToolError("\(path) cannot be read: give --microphones a text file with x,y,z in each line.")
        }
        var places: [Vector] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.trimmingCharacters(in: .whitespacesAndNewlines)
            if line.isEmpty || line.hasPrefix("#") { continue }
            if let place = Place(argument: line) {
                places.append(place.vector)
            } else if number > 0 {
                throw ToolError(
                    "\(path), line \(number + 1): “\(Text.oneLine(String(line.prefix(40))))” is no place: write x,y,z in metres."
                )
            }
        }
        guard (1...1024).contains(places.count) else {
            throw ToolError(
                "\(path) has \(places.count) microphones: give --microphones a file with 1 to 1024 lines of x,y,z.")
        }
        return places
    }
}

/// A place in the world on the command line: x,y,z in metres.
struct Place: ExpressibleByArgument, Equatable {
    let vector: Vector

    init?(argument: String) {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map {
            Double($0.trimmingPrefix { $0 == " " })
        }
        guard numbers.count == 3, let x = numbers[0], let y = numbers[1], let z = numbers[2] else { return nil }
        let vector = Vector(x, y, z)
        guard vector.isFinite, max(x.magnitude, y.magnitude, z.magnitude) <= 1e6 else { return nil }
        self.vector = vector
    }
}

/// The size of a room on the command line: 6x3x5, metres along x, y (up) and z.
struct BoxSize: ExpressibleByArgument, Equatable {
    let vector: Vector

    init?(argument: String) {
        let numbers = argument.lowercased().split(whereSeparator: { "x×".contains($0) }).compactMap { Double($0) }
        guard numbers.count == 3 else { return nil }
        vector = Vector(numbers[0], numbers[1], numbers[2])
    }
}

extension ReceiverName: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }

    package static var allValueStrings: [String] {
        ["mono", "binaural"] + AmbisonicLayout.all.filter { !$0.isN3D }.map(\.name) + ["array"]
    }

    var words: String {
        switch self {
        case .mono: "mono"
        case .binaural: "binaural"
        case .array: "array"
        case .ambisonic(let field): "ambisonic of order \(field.order) (ACN, \(field.isN3D ? "N3D" : "SN3D"))"
        }
    }
}

extension MicrophonePattern: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }

    package var defaultValueDescription: String { "omni" }
    package static var allValueStrings: [String] { named.map(\.name) }
}
