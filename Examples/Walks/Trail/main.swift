// Footsteps on grass, gravel and boards, drier and wetter, with a jacket that rustles now and then, in a wind that
// gives way to each step; a gate on the way, and somebody who speaks at the end. Rendered for two loudspeakers, where
// levels can be told, and for headphones.
import Foundation
import Kit

perform("Trail") {
    let folder = try SoundFolder("Trail")
    let trail = try Trail(in: folder, .alwaysUseChannelBased)
    let (heard, wind) = (trail.heard, trail.wind)
    print(
        "Trail: \(try folder.write(try Trail(in: folder, .alwaysUseBinaural).heard, as: "headphones").path), "
            + "\(try folder.write(heard, as: "loudspeakers").path)")

    /// The loudest clip of some families while a step sounds.
    func loudest(_ families: [String], at time: Double) -> (family: String, tone: Double, level: Double) {
        let all = families.flatMap { family in
            Clips.tones(family).map { (family, $0, heard.level(at: $0, from: time, to: time + 0.25)) }
        }
        return all.max { $0.2 < $1.2 } ?? ("", 0, -200)
    }

    var last: [String: Double] = [:]
    var (rustles, worstBlend, worstDuck) = (0, 0.0, 0.0)
    for step in Trail.steps {
        let name = "step \(step.number) on \(step.terrain), \(step.water) mm"
        let (dry, wet) = (loudest(["boards", "grass", "gravel"], at: step.time), loudest(["splash"], at: step.time))
        try require(dry.family == step.terrain, "\(name) sounds of \(dry.family)")
        try require(last[dry.family] != dry.tone, "\(name): the clip of \(dry.tone) Hz comes twice in a row")
        last[dry.family] = dry.tone

        // The clips are equally loud by themselves: what is between them is the blend, its share read off the envelope
        // by hand.
        let share = [0, 0.3, 0.6, 0.7, 0.8, 0.9][step.number % 6]
        if share == 0 {
            try require(wet.level < -80, "\(name) splashes at \(wet.level.short) dB")
            // One was drawn, unheard.
            last["splash"] = nil
        } else {
            let error = wet.level - dry.level - 20 * log10(share / (1 - share))
            worstBlend = max(worstBlend, abs(error))
            try require(abs(error) < 1, "\(name): the splash is \(error.short) dB off its envelope")
            try require(last["splash"] != wet.tone, "\(name): the splash of \(wet.tone) Hz comes twice in a row")
            last["splash"] = wet.tone
        }

        // The wind: down while the step sounds, back before the next.
        let ducked =
            wind.level(from: step.time + 0.1, to: step.time + 0.2)
            - wind.level(from: step.time + 0.45, to: step.time + 0.55)
        worstDuck = max(worstDuck, abs(ducked - 20 * log10(Surroundings.duckedGain)))
        try require(worstDuck < 0.5, "\(name): the wind is ducked by \((-ducked).short) dB")
        if loudest(["jacket"], at: step.time).level > -60 { rustles += 1 }
    }
    print(
        "  \(Trail.steps.count) steps on the right ground, no clip twice in a row, the jacket with \(rustles) of them")
    print(
        "  splashes within \(worstBlend.short) dB of their envelope, the wind within \(worstDuck.short) dB of the ducker's gain"
    )
    try require((1..<Trail.steps.count).contains(rustles), "the jacket rustles with \(rustles) steps")

    // The gate: each part in its turn, a quarter of a second each.
    let gate = Double(Trail.gateStep) * Trail.pace
    for (turn, part) in ["latch", "hinge", "thud"].enumerated() {
        let levels = (0..<3).map { loudest([part], at: gate + 0.25 * Double($0) + 0.01).level }
        try require(
            levels[turn] > -60 && levels.max() == levels[turn],
            "the gate's \(part) sounds out of turn: \(levels.map(\.short)) dB")
    }
    let overtone = 3 * Greeting.pitch
    let before = heard.level(at: overtone, from: Trail.end - 0.2, to: Trail.end)
    let voice = heard.level(at: overtone, from: Trail.end + 0.1, to: Trail.end + 0.7)
    print("  the gate opens at \(gate.short) s: latch, hinge, thud; at the end somebody speaks, at \(voice.short) dB")
    try require(
        voice > -50 && voice > before + 12, "nobody speaks at the end: \(voice.short) dB after \(before.short) dB")
}
