import OssicleCore
import OssicleDSP

/// The measurements of a file, checked one by one.
struct MeasuredSet {
    private static let longestResponse = 8192
    private static let most = 16_384
    /// Between the ears and directions of one head. A metre of way is 2.9 ms.
    private static let longestDelay = 0.002

    let file: SofaFile
    private(set) var sampleRate = 0.0
    private(set) var measurements: [HRTFSet.Measurement] = []

    init(_ file: SofaFile) throws(HRTFSetError) {
        self.file = file
        try checkConventions()
        try checkDimensions()
        sampleRate = try rate()
        try checkResponses()
        try takeDirections()
    }

    private func wrong(
        _ what: String, _ value: some CustomStringConvertible, _ rule: String, _ cure: String
    ) -> HRTFSetError {
        HRTFSetError(file.name, what, value, rule: rule, cure: cure)
    }

    // MARK: Checks

    private func checkConventions() throws(HRTFSetError) {
        func check(_ name: String, _ allowed: [String], _ cure: String) throws(HRTFSetError) {
            let value = file.attributes[name]
            guard let value, allowed.contains(value) else {
                throw wrong(
                    name, value.map { "“\($0)”" } ?? "missing", allowed.map { "“\($0)”" }.joined(separator: " or "),
                    cure)
            }
        }
        let cure = "export the set as SimpleFreeFieldHRIR"
        try check("Conventions", ["SOFA"], cure)
        try check("SOFAConventions", ["SimpleFreeFieldHRIR", "FreeFieldHRIR"], cure)
        try check("DataType", ["FIR"], "export impulse responses, not transfer functions or filter sections")
        try check("RoomType", ["free field"], "use a set measured without a room: the engine makes its own")
    }

    private func checkDimensions() throws(HRTFSetError) {
        guard file.receivers == 2 else {
            throw wrong("dimension R (receivers)", file.receivers, "2, the ears", "export one head with two ears")
        }
        guard file.emitters == 1 else {
            throw wrong("dimension E (emitters)", file.emitters, "1", "export each measurement with one loudspeaker")
        }
        guard (16...Self.longestResponse).contains(file.samples) else {
            throw wrong(
                "dimension N (samples)", file.samples, "16 … \(Self.longestResponse)",
                "export shorter responses: a head rings for 10 ms")
        }
        guard (4...Self.most).contains(file.measurements) else {
            throw wrong(
                "dimension M (measurements)", file.measurements, "4 … \(Self.most)",
                "export a set of directions all around the head")
        }
    }

    private func rate() throws(HRTFSetError) -> Double {
        let values = file.samplingRate.values
        if let units = file.samplingRate.attributes["Units"], !units.lowercased().hasPrefix("hertz") {
            throw wrong("Data.SamplingRate:Units", "“\(units)”", "“hertz”", "write the sample rate in hertz")
        }
        guard let first = values.first, values.allSatisfy({ $0 == first }) else {
            throw wrong(
                "Data.SamplingRate", values.isEmpty ? "missing" : "different from measurement to measurement",
                "one number", "resample to one rate")
        }
        guard (8000...384_000).contains(first) else {
            throw wrong("Data.SamplingRate", "\(first) Hz", "8000 … 384000 Hz", "resample the set")
        }
        return Double(first)
    }

    private func checkResponses() throws(HRTFSetError) {
        let expected = file.measurements * 2 * file.samples
        guard file.responses.values.count == expected else {
            throw wrong(
                "number of values in Data.IR", file.responses.values.count, "M × R × N = \(expected)",
                "write every response of every ear, 64-bit numbers")
        }
        for index in 0..<file.measurements * 2 {
            let response = file.responses.values[index * file.samples..<(index + 1) * file.samples]
            let place = "Data.IR of measurement \(index / 2), receiver \(index % 2)"
            var energy = 0.0
            for sample in response { energy += Double(sample) * Double(sample) }
            guard energy.isFinite else {
                throw wrong(place, "not finite", "made of finite numbers", "measure or export it again")
            }
            guard energy > 1e-20 else {
                throw wrong(
                    place, "silent", "a response with energy", "leave that measurement out, or measure it again")
            }
        }
        let delays = file.delay.values
        guard delays.isEmpty || delays.count == 2 || delays.count == 2 * file.measurements else {
            throw wrong(
                "number of values in Data.Delay", delays.count, "R = 2 or M × R = \(2 * file.measurements)",
                "write one delay per ear, or per measurement and ear")
        }
        guard delays.allSatisfy({ $0.isFinite && $0.magnitude <= 1e6 }) else {
            throw wrong(
                "Data.Delay", "\(delays.first { !($0.isFinite && $0.magnitude <= 1e6) } ?? 0)",
                "finite numbers of samples", "write the delays again")
        }
    }

    // MARK: Directions

    private mutating func takeDirections() throws(HRTFSetError) {
        let view = try ListenerView(file)
        let sources = try Coordinates(file.sourcePosition, "SourcePosition", file.name)
        guard sources.count == file.measurements else {
            throw wrong(
                "number of positions in SourcePosition", sources.count, "M = \(file.measurements)",
                "write where the source was in every measurement")
        }
        // A direction measured at several distances counts once, from the greatest: the engine does distance by itself.
        var best: [SIMD3<Int32>: (index: Int, distance: Double)] = [:]
        var order: [(place: SIMD3<Int32>, vector: Vector)] = []
        for index in 0..<sources.count {
            let way = view.inHead(try sources.position(index))
            guard way.isFinite, way.magnitude > 1e-6 else {
                throw wrong(
                    "SourcePosition of measurement \(index)", "at the head's centre or not finite",
                    "a place around the head", "correct or leave out that measurement")
            }
            let vector = (way / way.magnitude).cleaned
            let place = SIMD3<Int32>((vector * 20_000).rounded(.toNearestOrAwayFromZero))
            if let known = best[place] {
                if way.magnitude > known.distance * 1.001 { best[place] = (index, way.magnitude) }
            } else {
                best[place] = (index, way.magnitude)
                order.append((place, vector))
            }
        }
        guard order.count >= 4 else {
            throw wrong(
                "number of different directions", order.count, "4 or more",
                "export a set of directions all around the head")
        }
        measurements = order.compactMap { entry in best[entry.place].map { measurement($0.index, entry.vector) } }
    }

    private func measurement(_ index: Int, _ vector: Vector) -> HRTFSet.Measurement {
        func response(_ ear: Int) -> [Float] {
            Array(file.responses.values[(2 * index + ear) * file.samples..<(2 * index + ear + 1) * file.samples])
        }
        func delay(_ ear: Int) -> Double {
            let delays = file.delay.values
            return delays.isEmpty ? 0 : Double(delays[delays.count == 2 ? ear : 2 * index + ear]) / sampleRate
        }
        return HRTFSet.Measurement(
            vector: vector, delays: SIMD2(delay(0), delay(1)), left: response(0), right: response(1))
    }

    // MARK: Delays

    /// Those in the responses come on top of those the file states.
    mutating func findDelays(_ analyser: ResponseAnalyser) {
        let step = sampleRate / Double(analyser.size)
        for index in measurements.indices {
            measurements[index].delays +=
                SIMD2(
                    analyser.delay(of: measurements[index].left, step: step),
                    analyser.delay(of: measurements[index].right, step: step))
                / sampleRate
        }
    }

    /// Counts them from the earliest, and checks that they fit a head.
    mutating func checkDelays() throws(HRTFSetError) {
        let all = measurements.flatMap { [$0.delays.x, $0.delays.y] }
        let (least, most) = (all.min() ?? 0, all.max() ?? 0)
        guard most - least <= Self.longestDelay else {
            let milliseconds = ((most - least) * 100_000).rounded() / 100
            throw wrong(
                "the difference between the earliest and the latest response", "\(milliseconds) ms",
                "at most 2 ms, as far as sound goes around a head",
                "align the measurements to the head's centre, and check Data.Delay and for responses that are only noise"
            )
        }
        for index in measurements.indices { measurements[index].delays -= SIMD2(repeating: least) }
    }

    /// The ear that hears sounds from the left first is the left one: of what files say in ReceiverPosition, not all is
    /// true. It decides where hearing does not.
    mutating func orderEars() {
        var (sum, lateral, delays) = (0.0, 0.0, 0.0)
        for measurement in measurements {
            let (left, difference) = (-measurement.vector.x, measurement.delays.y - measurement.delays.x)
            sum += left * difference
            lateral += left * left
            delays += difference * difference
        }
        let agreement = sum / max((lateral * delays).squareRoot(), 1e-30)
        let receivers = file.receiverPosition.values
        let saysSwapped = receivers.count >= 6 && receivers[receivers.count / 6] < receivers[receivers.count / 6 * 4]
        guard agreement.magnitude > 0.3 ? agreement < 0 : saysSwapped else { return }
        for index in measurements.indices {
            let old = measurements[index]
            measurements[index] = HRTFSet.Measurement(
                vector: old.vector, delays: SIMD2(old.delays.y, old.delays.x), left: old.right, right: old.left)
        }
    }
}

private extension Vector {
    /// Exactly in the planes of the axes where it is as good as there: what is in front should have no side.
    var cleaned: Vector { replacing(with: 0, where: (self .< 1e-7) .& (self .> -1e-7)) }
}
