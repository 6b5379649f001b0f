import Testing
@testable import ossicle

@Suite("Keys")
struct KeyTests {
    @Test("letters, space and arrows of both kinds of terminal are read, whatever else comes is left out")
    func decode() {
        #expect(Key.decode(Array("q n".utf8)) == [.letter("q"), .space, .letter("n")])
        #expect(Key.decode(Array("\u{1B}[C\u{1B}[D\u{1B}OA\u{1B}[B ".utf8)) == [.right, .left, .up, .down, .space])
        #expect(Key.decode([0x1B]) == [] && Key.decode([0x1B, 0x5B]) == [.letter("[")])
        #expect(Key.decode([0x03, 0xC3, 0xA4, 0x0A]) == [])
    }
}
