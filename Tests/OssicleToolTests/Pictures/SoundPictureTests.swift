import Foundation
#if canImport(FoundationXML)
import FoundationXML
#endif
import OssicleFiles
import Testing
@testable import ossicle

@Suite("The picture of a sound")
struct SoundPictureTests {
    /// Collects the elements of a document.
    private final class Elements: NSObject, XMLParserDelegate {
        var all: [(name: String, attributes: [String: String])] = []
        var texts: [String] = []
        private var text = ""

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String] = [:]
        ) {
            all.append((name, attributes))
            text = ""
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

        func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
            if name == "text" { texts.append(text) }
        }
    }

    private func elements(_ svg: String) throws -> Elements {
        let parser = XMLParser(data: Data(svg.utf8)), elements = Elements()
        parser.delegate = elements
        try #require(parser.parse(), "not well-formed: \(String(describing: parser.parserError))")
        return elements
    }

    @Test("is well-formed whatever the names hold, and says what the file is")
    func wellFormed() throws {
        let folder = try SoundFolder()
        var tags = AudioMetadata()
        tags.title = "a < b & \"c\"\u{1}"
        let sound = Tones.sine(1000, seconds: 1)
        let facts = try SoundFacts(
            of: try folder.write([sound, sound], to: "x & <y>.flac", .flac, .flac16, metadata: tags), draws: true)
        let texts = try elements(try #require(facts.svg)).texts
        for words in [
            "x & <y>.flac", "Waveform", "time / s", "frequency / Hz", "loudness / LUFS",
            "level / dB re full-scale sine", "L", "R", "1k", "0.5",
        ] {
            #expect(texts.contains(words), "\(words)")
        }
        #expect(texts.contains { $0.contains("a < b & \"c\"") })
        #expect(texts.contains { $0.contains("FLAC, 16 bits") && $0.contains("48000 Hz") && $0.contains("1.000 s") })
    }

    @Test("marks clipping at its time")
    func clipping() throws {
        let folder = try SoundFolder()
        var samples = Tones.sine(200, seconds: 2)
        for frame in 24_000..<24_100 { samples[frame] = 1 }
        let facts = try SoundFacts(of: try folder.write([samples], to: "a.wav"), draws: true)
        let marks = try elements(try #require(facts.svg)).all.filter {
            $0.name == "rect" && $0.attributes["fill"] == Ink.clipping && $0.attributes["width"] != "18"
        }
        let place = try #require(marks.first?.attributes["x"].flatMap(Double.init))
        #expect(marks.count == 1)
        // The panel is 1010 wide from 80 on: a quarter of it.
        #expect(abs(place - (80 + 1010 / 4.0)) < 2)
    }

    @Test(
        "long sounds have a clock on their axis, short ones thousandths",
        arguments: [
            (0.02, "0.002", "time / s"), (90, "10", "time / s"), (300, "2:30", "time / min:s"),
            (36_000, "2:00", "time / h:min"), (0, "0.000", "time / s"),
        ])
    func axis(seconds: Double, label: String, unit: String) throws {
        var canvas = SVGCanvas(width: 100, height: 100)
        TimeAxis(seconds: seconds, in: Frame(x: 0, y: 0, width: 100, height: 50)).drawLabels(
            on: &canvas, below: Frame(x: 0, y: 0, width: 100, height: 50))
        let texts = try elements(canvas.document).texts
        #expect(texts.contains(label) && texts.contains(unit), "\(texts)")
    }
}
