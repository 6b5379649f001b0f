import OssicleAcoustics
import OssicleCore
import OssicleScenes

/// How a source of a row radiates.
///
///     "talker", "loudspeaker"                              a mouth, a small box: wider at low frequencies
///     "cardioid", "cardioid:2", "cardioid:1:12"            see `SourcePattern`
///     {"file": "box.clf"}                                  a loudspeaker in CLF's text form, or SOFA
///     {"cardioid": 0.5, "sharpness": 1}                    |1 − p + p cos θ|^sharpness in all octaves
///     {"cone": [inner, outer], "outerGain": dB}            full apertures in degrees
package enum RowDirectivity {
    package static func read(_ cursor: JSONCursor, files: RowFiles) throws -> SourceEmission.Shape {
        guard case .object = cursor.value else { return .axial(try named(cursor)) }
        let members = try cursor.object()
        if let file = members["file"] {
            try members.refuseMembers(besides: ["file"])
            return try files.shape(files.texts.path(try file.name()))
        }
        return .axial(try pattern(members))
    }

    private static func named(_ cursor: JSONCursor) throws -> Directivity {
        switch try cursor.name() {
        case "talker": return talker
        case "loudspeaker": return loudspeaker
        case let name:
            guard let pattern = SourcePattern(name) else {
                throw cursor.fault(
                    rule: "it is talker, loudspeaker, or one of the \(SourcePattern.rule)", cure: "give one of these")
            }
            return pattern.directivity
        }
    }

    private static func pattern(_ members: JSONObject) throws -> Directivity {
        try members.refuseMembers(besides: ["cardioid", "sharpness", "cone", "outerGain"])
        if let cone = members["cone"] {
            for name in ["cardioid", "sharpness"] {
                if let other = members[name] {
                    throw other.fault(
                        "and cone are both there", rule: "a pattern is one of them", cure: "leave one out")
                }
            }
            let angles = try cone.numbers([2], in: 0...360)
            guard angles[0] <= angles[1] else {
                throw cone.fault(
                    "goes from \(angles[0]) to \(angles[1])", rule: "inner is first", cure: "change the two")
            }
            let gain = try members.required("outerGain").number(in: -120...0)
            return Directivity(
                .cone(innerAngle: angles[0], outerAngle: angles[1], outerGain: Decibels.amplitude(gain)))
        }
        if let gain = members["outerGain"] {
            throw gain.fault("is there without cone", rule: "it is a cone's", cure: "add cone, or leave it out")
        }
        return Directivity(
            .cardioid(
                pattern: try members.required("cardioid").number(in: 0...1),
                sharpness: try members["sharpness"]?.number(in: 1...10) ?? 1))
    }

    /// Behind the head −2 dB at 250 Hz, −8 at 1 kHz, −16 at 4 kHz.
    private static let talker = Directivity([
        .init(frequency: 250, pattern: .cardioid(pattern: 0.1, sharpness: 1)),
        .init(frequency: 1000, pattern: .cardioid(pattern: 0.3, sharpness: 1)),
        .init(frequency: 4000, pattern: .cardioid(pattern: 0.42, sharpness: 1)),
    ])

    /// Behind the box −1 dB at 125 Hz, −6 at 500 Hz, −20 at 2 kHz, and a beam above.
    private static let loudspeaker = Directivity([
        .init(frequency: 125, pattern: .cardioid(pattern: 0.05, sharpness: 1)),
        .init(frequency: 500, pattern: .cardioid(pattern: 0.25, sharpness: 1)),
        .init(frequency: 2000, pattern: .cardioid(pattern: 0.45, sharpness: 1)),
        .init(frequency: 8000, pattern: .cardioid(pattern: 0.48, sharpness: 2)),
    ])
}
