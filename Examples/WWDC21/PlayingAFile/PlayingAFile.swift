import Stage

/// The first sample of WWDC21 session 10079, "Discover geometry-aware audio with PHASE": play an audio file.
@main
enum PlayingAFile {
    static func main() {
        perform { try play() }
    }

    private static func play() throws {
        let folder = try SoundFolder("PlayingAFile")
        let loop = try folder.drumLoop()
        let shown = try AsShown.play(loop)
        let shipped = try AsShipped.play(loop)

        let verdict = Verdict(on: "Playing a file", in: folder)
        try verdict.report(shown, as: "as shown")
        try verdict.report(shipped, as: "as shipped")
        try verdict.require(shown == shipped, "the two spellings sound different")
        let levels = shown.levelPerSecond
        try verdict.require(abs(levels[0] - levels[2]) < 1, "the loop does not go on at the same level (\(levels))")
        try verdict.require(
            shown.left == shown.right, "a mono file through a mono channel mixer is not the same on both sides")
    }
}
