import Foundation
import Stage

/// The second sample of WWDC21 session 10079: a volumetric source, a listener, and a cardboard box between them.
@main
enum CardboardBox {
    static func main() {
        perform { try play() }
    }

    private static func play() throws {
        let folder = try SoundFolder("CardboardBox")
        let loop = try folder.drumLoop()
        let shown = try AsShown.play(loop, behindBox: true)
        let shipped = try AsShipped.play(loop, behindBox: true)
        let open = try AsShipped.play(loop, behindBox: false)

        let verdict = Verdict(on: "Cardboard box", in: folder)
        try verdict.report(shown, as: "as shown")
        try verdict.report(shipped, as: "as shipped")
        try verdict.report(open, as: "without the box")
        try verdict.require(shown == shipped, "the two spellings sound different")
        // Cardboard is light: it takes 14 dB at 2 kHz and next to nothing from the drum at 55 Hz. The room's share
        // fills some of it up.
        let (high, low) = (
            loss(of: shown, against: open, from: 1500, to: 3000), loss(of: shown, against: open, from: 45, to: 65)
        )
        print("  the box takes \(String(format: "%.1f dB at 2 kHz, %.1f dB at 55 Hz", high, low))")
        try verdict.require((8...16).contains(high), "the box takes \(high) dB at 2 kHz instead of 8 to 16")
        try verdict.require(abs(low) < 2, "the box takes \(low) dB at 55 Hz, which it should let pass")
    }

    private static func loss(of behind: Take, against open: Take, from low: Double, to high: Double) -> Double {
        open.level(from: low, to: high) - behind.level(from: low, to: high)
    }
}
