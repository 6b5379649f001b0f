import OssicleCore

/// Impulse responses of a room as a SOFA file (AES69-2022) of the conventions SingleRoomSRIR: one measurement for each
/// pair of source and listener.
package struct SofaDocument: Sendable {
    /// One source, one listener, and what the listener's receivers heard.
    package struct Measurement: Sendable {
        package var source: Vector
        package var listener: Pose
        package var response: ImpulseResponse

        package init(source: Vector, listener: Pose, response: ImpulseResponse) {
            (self.source, self.listener, self.response) = (source, listener, response)
        }
    }

    package enum Room: Sendable, Hashable {
        /// Opposite corners, in the world.
        case shoebox(Vector, Vector)
        /// Any other, in words.
        case described(String)
    }

    package var title: String
    package var room: Room
    package var receiver: Receiver
    /// Kelvin.
    package var temperature: Double
    package var measurements: [Measurement]
    /// Of making, as “yyyy-mm-dd hh:mm:ss”. Given and not looked up, so that the same responses are the same bytes.
    package var date: String
    /// Name and version of the program.
    package var application: (name: String, version: String)

    package init(
        title: String, room: Room, receiver: Receiver, temperature: Double, measurements: [Measurement], date: String,
        application: (name: String, version: String)
    ) {
        (self.title, self.room, self.receiver, self.temperature) = (title, room, receiver, temperature)
        (self.measurements, self.date, self.application) = (measurements, date, application)
    }

    /// Metres from the middle of the head to an ear.
    private static let earDistance = 0.09

    /// SOFA's axes: x front, y left, z up.
    private static func sofa(_ v: Vector) -> [Double] { [-v.z, -v.x, v.y] }

    /// Writes the file; nothing may be at `path` yet. Any thread, one at a time.
    package func write(to path: String) throws(ResponseError) {
        guard let first = measurements.first?.response, first.frameCount > 0, !first.channels.isEmpty else {
            throw ResponseError("SOFA file “\(path)”: there is no response to write; compute at least one.")
        }
        let frames = measurements.map(\.response.frameCount).max() ?? 0
        guard
            measurements.allSatisfy({
                $0.response.channels.count == first.channels.count && $0.response.sampleRate == first.sampleRate
            })
        else {
            throw ResponseError(
                "SOFA file “\(path)”: the responses differ in channels or sample rate; write one file for each kind.")
        }
        let dimensions = ["I": 1, "C": 3, "R": first.channels.count, "E": 1, "N": frames, "M": measurements.count]
        try NetcdfFile.write(
            to: path, dimensions: dimensions, attributes: attributes, variables: variables(first, frames))
    }

    private var attributes: [(String, String)] {
        let (roomType, roomWords) =
            switch room {
            case .shoebox: ("shoebox", "a box")
            case .described(let words): ("reverberant", words)
            }
        return [
            ("Conventions", "SOFA"), ("Version", "2.1"), ("SOFAConventions", "SingleRoomSRIR"),
            ("SOFAConventionsVersion", "1.0"),
            ("DataType", "FIR"), ("RoomType", roomType), ("RoomDescription", roomWords), ("Title", title),
            ("DateCreated", date), ("DateModified", date), ("APIName", "Ossicle"), ("APIVersion", application.version),
            ("ApplicationName", application.name), ("ApplicationVersion", application.version),
            ("AuthorContact", "none: computed"), ("Organization", "none: computed"),
            ("Origin", "computed from geometry"),
            ("License", "No license provided, ask the author for permission"), ("DatabaseName", "none"),
            ("ReceiverDescription", receiverWords),
            (
                "Comment",
                "1 is the amplitude of the direct sound at 1 m in the open; sample 0 is the moment of emission."
            ),
        ]
    }

    private var receiverWords: String {
        switch receiver {
        case .mono: "microphone"
        case .binaural: "left and right ear of a head"
        case .ambisonic(_, let isN3D): "sound field in ACN order, \(isN3D ? "N3D" : "SN3D") weights"
        case .array: "microphones"
        }
    }

    private func variables(_ first: ImpulseResponse, _ frames: Int) -> [NetcdfFile.Variable] {
        let cartesian = [("Type", "cartesian"), ("Units", "metre")]
        let (positions, positionAttributes) = receiverPositions(first.channels.count)
        var samples: [Double] = []
        samples.reserveCapacity(measurements.count * first.channels.count * frames)
        for measurement in measurements {
            for channel in measurement.response.channels {
                samples += channel.map(Double.init)
                samples += [Double](repeating: 0, count: frames - channel.count)
            }
        }
        var variables: [NetcdfFile.Variable] = [
            .init(
                "ListenerPosition", ["M", "C"], values: measurements.flatMap { Self.sofa($0.listener.position) },
                attributes: cartesian),
            .init(
                "ListenerView", ["M", "C"], values: measurements.flatMap { Self.sofa($0.listener.forward) },
                attributes: cartesian),
            .init(
                "ListenerUp", ["M", "C"], values: measurements.flatMap { Self.sofa($0.listener.up) }, attributes: []),
            .init("ReceiverPosition", ["R", "C", "I"], values: positions, attributes: positionAttributes),
            .init(
                "SourcePosition", ["M", "C"], values: measurements.flatMap { Self.sofa($0.source) },
                attributes: cartesian),
            .init("SourceView", ["I", "C"], values: [1, 0, 0], attributes: cartesian),
            .init("SourceUp", ["I", "C"], values: [0, 0, 1], attributes: []),
            .init("EmitterPosition", ["E", "C", "I"], values: [0, 0, 0], attributes: cartesian),
            .init("RoomTemperature", ["I"], values: [temperature], attributes: [("Units", "kelvin")]),
            .init("Data.IR", ["M", "R", "N"], values: samples, attributes: []),
            .init("Data.SamplingRate", ["I"], values: [first.sampleRate], attributes: [("Units", "hertz")]),
            .init(
                "Data.Delay", ["I", "R"], values: [Double](repeating: 0, count: first.channels.count), attributes: []),
        ]
        if case .shoebox(let a, let b) = room {
            variables += [
                .init("RoomCornerA", ["I", "C"], values: Self.sofa(a), attributes: []),
                .init("RoomCornerB", ["I", "C"], values: Self.sofa(b), attributes: []),
                .init("RoomCorners", ["I", "I"], values: [0], attributes: cartesian),
            ]
        }
        return variables
    }

    private func receiverPositions(_ count: Int) -> ([Double], [(String, String)]) {
        let cartesian = [("Type", "cartesian"), ("Units", "metre")]
        switch receiver {
        case .mono: return ([0, 0, 0], cartesian)
        case .binaural: return ([0, Self.earDistance, 0, 0, -Self.earDistance, 0], cartesian)
        case .array(let microphones): return (microphones.flatMap(Self.sofa), cartesian)
        case .ambisonic:
            return (
                [Double](repeating: 0, count: 3 * count),
                [("Type", "spherical harmonics"), ("Units", "degree, degree, metre")]
            )
        }
    }
}
