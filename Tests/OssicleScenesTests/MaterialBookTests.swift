import OssicleAcoustics
import OssicleCore
@testable import OssicleScenes
import Testing

@Suite("Materials of one's own") struct MaterialBookTests {
    private static func book(_ texts: String...) throws -> MaterialBook {
        var book = MaterialBook()
        for text in texts { try book.add(text) }
        return book
    }

    @Test("one, six, seven, eight and ten values are those of the bands that the rule says")
    func bands() throws {
        #expect(try Self.book("a=0.3").material(for: "A")?.absorption == OctaveBands(repeating: 0.3))
        let six = try Self.book("felt=.1,.2,.3,.4,.5,.6/20/0.5").material(for: "Felt.001")
        #expect(six?.absorption.values == [0.1, 0.1, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.6, 0.6])
        #expect(six?.transmissionLoss == OctaveBands(repeating: 20) && six?.scattering == OctaveBands(repeating: 0.5))
        let eight = try #require(BandList((1...8).map { Double($0) / 10 })).bands.values
        #expect(eight == [0.1, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.8])
        #expect(BandList([1, 2]) == nil && BandList([]) == nil && BandList(Array(repeating: 0, count: 11)) == nil)
    }

    @Test("without loss nothing passes, and a name may stand for a known material or one given before")
    func defaults() throws {
        let book = try Self.book("a=0.3", "Wall_Paint=brick_painted", "b=a")
        #expect(book.material(for: "a")?.transmissionLoss == OctaveBands(repeating: 200))
        #expect(book.material(for: "wall paint")?.name == "brick_painted")
        #expect(book.material(for: "b") == book.material(for: "a"))
        #expect(book.material(for: "brick")?.name == "brick" && book.material(for: "marmalade") == nil)
    }

    @Test(
        "what is no material is refused with its rule",
        arguments: [
            ("felt", "has no “=”"), ("felt=marmalade", "is no number"), ("felt=0.1,0.2", "has 2 values of absorption"),
            ("felt=1.5", "has 1.5 as its absorption"), ("felt=/3", "has no absorption"), ("felt=0.1/2/3/4", "4 groups"),
            ("felt=nan", "has nan as its absorption"), ("-=0.1", "neither letter nor digit"),
            ("=0.1", "neither letter"),
            ("felt=0.1/-3", "has -3.0 as its transmission loss"),
        ])
    func refusals(text: String, words: String) {
        #expect { try Self.book(text) } throws: { "\($0)".contains(words) }
    }

    @Test("JSON has lists, numbers, values by frequency with straight lines between octaves, and names")
    func json() throws {
        var book = MaterialBook()
        try book.add(
            json: Array(
                #"{"felt": {"absorption": {"500": 0.1, "4000": 0.4}, "scattering": 0.2}, "Floor": "felt", "g": "glass"}"#
                    .utf8), file: "a.json")
        let felt = try #require(book.material(for: "felt"))
        for (band, value) in [0.1, 0.1, 0.1, 0.1, 0.1, 0.2, 0.3, 0.4, 0.4, 0.4].enumerated() {
            #expect(abs(felt.absorption[band] - Float(value)) < 1e-6)
        }
        #expect(felt.scattering == OctaveBands(repeating: 0.2))
        #expect(book.material(for: "g")?.name == "glass")
    }

    @Test(
        "a damaged JSON file is refused with the place",
        arguments: [
            (#"[]"#, "is an object"), (#"{"a": {"absorption": 2}}"#, "a.absorption"),
            (#"{"a": "marmalade"}"#, "known are"),
            (#"{"a": {"absorbtion": 0.1}}"#, "absorbtion"), (#"{"a": {"absorption": [0.1, 0.2]}}"#, "has 2 values"),
            (#"{"a": {"absorption": {"x": 0.1}}}"#, "frequencies"), (#"{"a": {"absorption": {}}}"#, "is empty"),
            (#"{"a": {"absorption": 0.1, "tau": 1}}"#, "tau"), (#"{"#, "a.json"),
        ])
    func damaged(text: String, words: String) {
        #expect {
            var book = MaterialBook()
            try book.add(json: Array(text.utf8), file: "a.json")
        } throws: { "\($0)".contains(words) }
    }
}
