import Foundation
import OssicleCore
@testable import OssicleHRTF
import OssicleTestSupport
import Testing

@Suite("What is wrong with a head set") struct HRTFSetErrorTests {
    private static let wrongs: [(what: String, spoil: @Sendable (inout SofaFile) -> Void, words: [String])] = [
        (
            "conventions", { $0.attributes["SOFAConventions"] = "MultiSpeakerBRIR" },
            ["SOFAConventions", "MultiSpeakerBRIR", "SimpleFreeFieldHRIR"]
        ),
        ("data type", { $0.attributes["DataType"] = "TF" }, ["DataType", "“TF”", "“FIR”"]),
        ("room", { $0.attributes["RoomType"] = "reverberant" }, ["RoomType", "reverberant", "free field"]),
        ("no room", { $0.attributes["RoomType"] = nil }, ["RoomType", "missing"]),
        ("receivers", { $0.receivers = 1 }, ["R (receivers)", "1", "2"]),
        ("emitters", { $0.emitters = 4 }, ["E (emitters)", "4"]),
        ("short", { $0.samples = 4 }, ["N (samples)", "4"]),
        ("few", { $0.measurements = 3 }, ["M (measurements)", "3"]),
        (
            "units", { $0.samplingRate.attributes["Units"] = "kilohertz" },
            ["Data.SamplingRate:Units", "kilohertz", "hertz"]
        ),
        ("no rate", { $0.samplingRate.values = [] }, ["Data.SamplingRate", "missing"]),
        ("rates", { $0.samplingRate.values = [44_100, 48_000] }, ["Data.SamplingRate", "different"]),
        ("rate", { $0.samplingRate.values = [.nan] }, ["Data.SamplingRate"]),
        ("slow", { $0.samplingRate.values = [44.1] }, ["Data.SamplingRate", "44.1", "8000"]),
        ("responses missing", { $0.responses.values.removeLast() }, ["Data.IR", "M × R × N"]),
        (
            "not a number", { $0.responses.values[3 * $0.samples + 5] = .nan },
            ["Data.IR of measurement 1, receiver 1", "not finite"]
        ),
        (
            "silence", { file in for index in 0..<file.samples { file.responses.values[index] = 0 } },
            ["Data.IR of measurement 0, receiver 0", "silent"]
        ),
        ("delays", { $0.delay.values = [1, 2, 3] }, ["Data.Delay", "3", "R = 2"]),
        ("delay", { $0.delay.values = [0, .infinity] }, ["Data.Delay", "inf"]),
        ("too far apart", { $0.delay.values = [0, 500] }, ["earliest and the latest", "ms", "2 ms"]),
        (
            "type", { $0.sourcePosition.attributes["Type"] = "spherical harmonics" },
            ["SourcePosition:Type", "spherical harmonics"]
        ),
        ("no type", { $0.sourcePosition.attributes["Type"] = nil }, ["SourcePosition:Type", "missing"]),
        (
            "angles", { $0.sourcePosition.attributes = ["Type": "spherical", "Units": "radian, radian, metre"] },
            ["SourcePosition:Units", "radian"]
        ),
        ("positions", { $0.sourcePosition.values.removeLast(3) }, ["SourcePosition", "M ="]),
        (
            "centre", { file in for index in 6..<9 { file.sourcePosition.values[index] = 0 } },
            ["SourcePosition of measurement 2"]
        ),
        ("position", { $0.sourcePosition.values[4] = .nan }, ["SourcePosition", "not finite"]),
        ("listener moves", { $0.listenerPosition.values = [0, 0, 0, 0, 0, 1] }, ["ListenerPosition", "different"]),
        ("looks up", { $0.listenerUp.values = [2, 0, 0] }, ["ListenerUp", "along"]),
        (
            "one direction",
            { file in
                for index in file.sourcePosition.values.indices {
                    file.sourcePosition.values[index] = index % 3 == 0 ? 1 : 0
                }
            }, ["different directions", "1"]
        ),
    ]

    @Test("is said by name, with the value, the rule and the file", arguments: wrongs.indices)
    func wrong(index: Int) {
        let (what, spoil, words) = Self.wrongs[index]
        var file = ModelHead().file()
        spoil(&file)
        let error = #expect(throws: HRTFSetError.self, "\(what)") { try HRTFSet(file) }
        let text = error?.description ?? ""
        for word in words + ["model.sofa", "must be"] { #expect(text.contains(word), "\(what): \(text)") }
    }
}

@Suite("A SOFA file") struct SofaFileTests {
    private static let small = ModelHead(length: 32, directions: ModelHead.sphere(step: 60), start: 4)

    @Test("is read as it was written")
    func roundTrip() throws {
        let file = try SofaReader.read(Self.small.writer().bytes(), name: "model.sofa")
        let expected = Self.small.file()
        #expect(
            file.attributes == expected.attributes && file.measurements == expected.measurements && file.samples == 32)
        #expect(file.receivers == 2 && file.emitters == 1)
        #expect(
            file.responses.values == expected.responses.values
                && file.sourcePosition.values == expected.sourcePosition.values)
        #expect(
            file.sourcePosition.attributes == expected.sourcePosition.attributes && file.samplingRate.values == [48_000]
        )
        #expect(
            file.listenerView.values == [1, 0, 0] && file.delay.values == [0, 0]
                && file.receiverPosition.values == expected.receiverPosition.values)
    }

    @Test("from a folder, or none, is an error that names it")
    func missing() throws {
        let folder = try TemporaryFolder()
        for path in [folder.path("nothing.sofa"), folder.url.path] {
            let error = #expect(throws: HRTFSetError.self) { try HRTFSet(contentsOfFile: path) }
            #expect(error?.description.contains(URL(fileURLWithPath: path).lastPathComponent) == true)
        }
    }

    @Test("that is none, or is cut off anywhere, is refused")
    func cut() throws {
        let whole = Self.small.writer().bytes()
        for bytes in [[], Array("RIFF".utf8), Array(repeating: 0x89, count: 100)]
            + [8, 12, 47, 48, 200, 900, whole.count / 2, whole.count - 1].map({ Array(whole.prefix($0)) })
        {
            #expect(throws: HRTFSetError.self, "\(bytes.count) bytes") { try SofaReader.read(bytes, name: "cut.sofa") }
        }
    }

    @Test("without the attribute Conventions, or of one dimension less, is refused")
    func incomplete() {
        var writer = Self.small.writer()
        writer.attributes.removeFirst()
        #expect(throws: HRTFSetError.self) { try SofaReader.read(writer.bytes(), name: "a.sofa") }
        writer = Self.small.writer()
        writer.dimensions.removeLast()
        #expect(throws: HRTFSetError.self) { try SofaReader.read(writer.bytes(), name: "b.sofa") }
    }

    @Test("spoilt in a thousand ways gives a head or an error, never a trap")
    func mutations() throws {
        let whole = Self.small.writer().bytes()
        var mutator = Mutator(seed: 5)
        var (heads, read) = (0, 0)
        for round in 0..<1000 {
            guard let file = try? SofaReader.read(mutator.mutate(whole), name: "spoilt.sofa") else { continue }
            read += 1
            // What was read is checked every time; the sums behind it, which are the same for all that passes, now and
            // then.
            if round % 8 == 0 { if (try? HRTFSet(file)) != nil { heads += 1 } } else { _ = try? MeasuredSet(file) }
        }
        #expect(read > 0 && read < 1000 && heads > 0)
    }
}
