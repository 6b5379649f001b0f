import OssicleAcoustics
import OssicleCore

/// Materials by name: those of the caller first, then those of the library.
///
/// The caller's are found as `MaterialNames` finds the library's: by letters and digits, and without a number at the
/// end. So the name of a material in an MTL or glTF file is given values, or the name of a known material.
package struct MaterialBook: Sendable, Hashable {
    private var own: [String: AcousticMaterial] = [:]

    package init() {}

    package static let library = MaterialBook()

    /// nil where neither the caller nor the library has one of that name.
    package func material(for name: String) -> AcousticMaterial? {
        MaterialNames.keys(of: name).lazy.compactMap { own[$0] }.first ?? MaterialNames.material(for: name)
    }

    /// Adds a material; one of the same name, as far as letters and digits go, is replaced.
    /// - Throws: for a name without a letter or digit.
    package mutating func add(_ material: AcousticMaterial, named name: String) throws(MaterialError) {
        guard let key = MaterialNames.keys(of: name).first, !key.isEmpty else {
            throw MaterialError(
                name, "has neither letter nor digit", rule: "those tell names apart", cure: "give it a name")
        }
        own[key] = material
    }

    /// Names that `material(for:)` finds, for messages.
    package static var known: String { MaterialNames.known.joined(separator: ", ") }
}

extension MaterialBook {
    /// Adds what a text describes: `NAME=absorption/loss/scattering` or `NAME=known material`.
    ///
    /// The loss in dB and the scattering may be missing: nothing passes, and 0.1 scatters. Values of bands stand with
    /// commas between them, see `BandList`.
    package mutating func add(_ text: String) throws(MaterialError) {
        guard let sign = text.firstIndex(of: "=") else {
            throw MaterialError(
                text, "has no “=”", rule: "a material is NAME=absorption/loss/scattering, or NAME=known material",
                cure: "write it so")
        }
        let (name, words) = (String(text[..<sign]), String(text[text.index(after: sign)...]))
        if let known = material(for: words), words.contains(where: \.isLetter) {
            return try add(known, named: name)
        }
        let groups = words.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...3).contains(groups.count) else {
            throw MaterialError(
                name, "has \(groups.count) groups of values", rule: "there are absorption, loss and scattering",
                cure: "put commas between bands, and slashes between the three")
        }
        func bands(
            _ group: Int, _ what: String, _ range: ClosedRange<Double>, else value: Float
        ) throws(MaterialError)
            -> OctaveBands
        {
            guard group < groups.count, !groups[group].isEmpty else { return OctaveBands(repeating: value) }
            var numbers: [Double] = []
            for word in groups[group].split(separator: ",", omittingEmptySubsequences: false) {
                guard let number = Double(word.trimmingPrefix { $0 == " " }) else {
                    throw MaterialError(
                        name, "has “\(word.prefix(40))” as its \(what), which is no number",
                        rule: "known materials are \(Self.known)", cure: "give numbers, or one of these names")
                }
                numbers.append(number)
            }
            return try BandList(numbers, what: what, of: name, range).bands
        }
        guard !groups[0].isEmpty else {
            throw MaterialError(name, "has no absorption", rule: "it has to be given", cure: "give 0 … 1")
        }
        try add(
            AcousticMaterial(
                name: name, absorption: try bands(0, "absorption", 0...1, else: 0),
                scattering: try bands(2, "scattering", 0...1, else: Self.scattering),
                transmissionLoss: try bands(1, "transmission loss", 0...200, else: 200)), named: name)
    }

    /// Where nothing is said of it.
    private static var scattering: Float { 0.1 }
}

extension MaterialBook {
    /// Adds the members of a JSON object: by name either that of a known material, or an object of `absorption`,
    /// `transmissionLoss` (dB) and `scattering`, each a number, a list (see `BandList`) or an object of values by
    /// frequency in Hz, with straight lines over its logarithm between them; `locallyReacting` is true or false.
    ///
    /// - Parameters:
    ///   - bytes: of the file. - file: its name, for messages.
    /// - Throws: `SceneFileError`, which names the place in the document.
    package mutating func add(json bytes: [UInt8], file: String) throws {
        try add(JSONCursor(try JSONValue(bytes, file: file), file: file))
    }

    /// The same of an object in a document.
    package mutating func add(_ object: JSONCursor) throws {
        let document = try object.object()
        let members = document.members.keys.sorted().compactMap { name in document[name].map { (name, $0) } }
        // Names may stand for what the same file describes.
        for (name, cursor) in members.filter({ $0.1.isObject }) + members.filter({ !$0.1.isObject }) {
            do {
                try add(try material(cursor, named: name), named: name)
            } catch let error as MaterialError {
                throw cursor.fault(error.found, rule: error.rule, cure: error.cure)
            }
        }
    }

    /// What a name stands for, or the material that an object describes.
    /// - Parameter name: of what is described.
    package func material(_ cursor: JSONCursor, named name: String) throws -> AcousticMaterial {
        guard cursor.isObject else {
            guard let known = material(for: try cursor.name()) else {
                throw cursor.fault(rule: "known are \(Self.known)", cure: "give one of these names, or an object")
            }
            return known
        }
        let object = try cursor.object()
        try object.refuseMembers(besides: ["absorption", "transmissionLoss", "scattering", "locallyReacting"])
        return AcousticMaterial(
            name: name, absorption: try bands(try object.required("absorption"), 0...1),
            scattering: try object["scattering"].map { try bands($0, 0...1) }
                ?? OctaveBands(repeating: Self.scattering),
            transmissionLoss: try object["transmissionLoss"].map { try bands($0, 0...200) }
                ?? OctaveBands(repeating: 200),
            isLocallyReacting: try object["locallyReacting"]?.flag() ?? false)
    }

    private func bands(_ cursor: JSONCursor, _ range: ClosedRange<Double>) throws -> OctaveBands {
        switch cursor.value {
        case .array:
            let numbers = try cursor.list(atMost: OctaveBands.count).map { try $0.number(in: range) }
            guard let list = BandList(numbers) else {
                throw cursor.fault("has \(numbers.count) values", rule: BandList.rule, cure: "give as many")
            }
            return list.bands
        case .object:
            let object = try cursor.object()
            let points = try object.members.keys.map { name -> (frequency: Double, value: Double) in
                guard let frequency = Double(name), (1...100_000).contains(frequency), let value = object[name] else {
                    throw cursor.fault(
                        "has a member “\(name.prefix(40))”", rule: "its members are frequencies from 1 to 100000 Hz",
                        cure: "write “1000”: 0.3")
                }
                return (frequency, try value.number(in: range))
            }
            guard !points.isEmpty else { throw cursor.fault("is empty", rule: "it has values", cure: "give some") }
            return BandList.bands(through: points)
        default: return OctaveBands(repeating: Float(try cursor.number(in: range)))
        }
    }
}

extension JSONCursor {
    fileprivate var isObject: Bool { if case .object = value { true } else { false } }
}

/// A list of values of octave bands; how many there are says which bands they belong to.
package struct BandList: Sendable, Hashable {
    package let bands: OctaveBands

    /// In words.
    package static let rule =
        "1 value is for all bands, 6 are for 125 Hz to 4 kHz, 7 for 125 Hz to 8 kHz, 8 for 63 Hz to 8 kHz, 10 for 31.5 Hz to 16 kHz"
        + " (the ends hold outwards)"

    /// nil for any other number of values.
    package init?(_ values: [Double]) {
        let values = values.map(Float.init)
        switch values.count {
        case 1, 10: bands = OctaveBands(values)
        case 6, 7: bands = OctaveBands(from125HzTo8kHz: values)
        case 8: bands = OctaveBands([values[0]] + values)
        default: return nil
        }
    }

    init(_ values: [Double], what: String, of name: String, _ range: ClosedRange<Double>) throws(MaterialError) {
        guard let list = BandList(values) else {
            throw MaterialError(
                name, "has \(values.count) values of \(what)", rule: BandList.rule, cure: "give as many")
        }
        if let odd = values.first(where: { !range.contains($0) }) {
            throw MaterialError(
                name, "has \(odd) as its \(what)", rule: "it is \(range.words)", cure: "give a value in that range")
        }
        self = list
    }

    /// Straight lines over the logarithm of frequency, the ends held.
    static func bands(through points: [(frequency: Double, value: Double)]) -> OctaveBands {
        let points = points.sorted { $0.frequency < $1.frequency }
        return OctaveBands(
            (0..<OctaveBands.count).map { band in
                let centre = OctaveBands.centre(band)
                guard let next = points.firstIndex(where: { $0.frequency > centre }) else {
                    return Float(points.last?.value ?? 0)
                }
                guard next > 0 else { return Float(points[0].value) }
                let (low, high) = (points[next - 1], points[next])
                let share =
                    DeterministicMath.log2(centre / low.frequency)
                    / DeterministicMath.log2(high.frequency / low.frequency)
                return Float(low.value + (high.value - low.value) * share)
            })
    }
}

/// A description of a material that cannot be used.
package struct MaterialError: Error, Hashable, CustomStringConvertible {
    package let description: String
    /// The parts of the description.
    package let found, rule, cure: String

    init(_ name: String, _ found: String, rule: String, cure: String) {
        (self.found, self.rule, self.cure) = (found, rule, cure)
        description = "Material “\(name)” \(found); \(rule): \(cure)."
    }
}
