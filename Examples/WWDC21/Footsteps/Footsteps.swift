import Stage

/// The third sample of WWDC21 session 10079, its five steps in one tree: footsteps drawn at random, on a terrain that
/// switches, wetter or drier, with the rustle of a jacket on top.
///
/// Each clip is a tone of its own, so that what was chosen can be read from the spectrum.
@main
enum Footsteps {
    /// One step of the walk: what it treads on, and how wet that is.
    static let walk = [("creaky_wood", 0.0), ("soft_gravel", 0.0), ("soft_gravel", 1.0), ("creaky_wood", 0.5)]

    static func main() {
        perform { try play() }
    }

    private static func play() throws {
        let folder = try SoundFolder("Footsteps")
        let clips = try Clips(in: folder)
        let shown = try AsShown.walk(Footsteps.walk, on: clips)
        let shipped = try AsShipped.walk(Footsteps.walk, on: clips)

        let verdict = Verdict(on: "Footsteps", in: folder)
        try verdict.report(shown, as: "as shown")
        try verdict.report(shipped, as: "as shipped")
        try verdict.require(shown == shipped, "the two spellings sound different")
        for (step, (terrain, wetness)) in Footsteps.walk.enumerated() {
            func heard(_ family: String) -> Bool {
                clips.frequencies(of: family).contains {
                    shown.level(at: $0, from: Double(step), to: Double(step) + 0.3) > -50
                }
            }
            let step = "step \(step) on \(terrain), wetness \(wetness)"
            try verdict.require(heard("wood") == (terrain == "creaky_wood" && wetness < 1), "\(step): wood")
            try verdict.require(heard("gravel") == (terrain == "soft_gravel" && wetness < 1), "\(step): gravel")
            try verdict.require(heard("splash") == (wetness > 0), "\(step): splash")
            try verdict.require(heard("gortex"), "\(step): jacket")
        }
    }
}
