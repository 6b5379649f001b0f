import OssicleCore

/// What the made-up speaker says and how: syllables in phrases, with a melody that falls towards each phrase's end.
struct BabblePlan {
    /// The state of the mouth at one moment.
    struct Mouth {
        var formants: [(frequency: Double, bandwidth: Double)]
        /// Hz.
        var pitch: Double
        /// Strength of the glottal pulse, of breath noise through the vocal tract, and of hiss at the teeth.
        var voicing, breath, hiss: Double
    }

    private enum Onset: CaseIterable { case nasal, stop, fricative, glide }

    private struct Syllable {
        var start, length: Double
        var vowel: Int
        var onset: Onset
        var pitch: Double
        var end: Double { start + length }
    }

    /// Mean formants of 33 men (Peterson and Barney 1952, table II): heed, hid, head, had, hod, hawed, hood, who'd,
    /// hud.
    private static let vowels: [(Double, Double, Double)] = [
        (270, 2290, 3010), (390, 1990, 2550), (530, 1840, 2480), (660, 1720, 2410), (730, 1090, 2440),
        (570, 840, 2410), (440, 1020, 2240), (300, 870, 2240), (640, 1190, 2390),
    ]

    /// The resonances of the vocal tract above the vowels' own: about one per kilohertz, ever wider.
    private static let upperFormants: [(frequency: Double, bandwidth: Double)] = [
        (3400, 220), (4300, 320), (5300, 450), (6300, 600), (7400, 800), (8500, 1000), (9700, 1300),
    ]
    static let formantCount = 3 + upperFormants.count

    private var syllables: [Syllable] = []

    init(seed: UInt64, seconds: Double) {
        let random = CounterRandom(seed: seed, object: CounterRandom.number(of: "babble"))
        var draw: UInt64 = 0
        func unit() -> Double { draw += 1; return random.unit(draw) }
        func pick(_ count: Int) -> Int { min(Int(unit() * Double(count)), count - 1) }

        var time = 0.08
        while time < seconds {
            let count = 4 + pick(4)
            for place in 0..<count {
                let isLast = place == count - 1
                let length = (isLast ? 0.26 : 0.15) + 0.07 * unit()
                let accent = place % 2 == 0 ? 1.08 : 0.97
                let pitch = (132 - 34 * Double(place) / Double(count)) * accent * (0.97 + 0.06 * unit())
                syllables.append(
                    Syllable(
                        start: time, length: length, vowel: pick(BabblePlan.vowels.count),
                        onset: Onset.allCases[pick(Onset.allCases.count)], pitch: pitch))
                time += length + 0.01
            }
            time += 0.12 + 0.12 * unit()
        }
    }

    /// The mouth at `time` seconds: the current syllable, its formants gliding in from the one before.
    func mouth(at time: Double) -> Mouth {
        guard let i = syllables.lastIndex(where: { $0.start <= time }) else { return BabblePlan.closed }
        let syllable = syllables[i]
        let before = i > 0 ? syllables[i - 1] : syllable
        let age = time - syllable.start
        let glide = BabblePlan.ease(age / 0.09)
        let drift = BabblePlan.ease(age / syllable.length)
        let next = i + 1 < syllables.count ? syllables[i + 1].pitch : syllable.pitch

        var mouth = Mouth(
            formants: BabblePlan.formants(from: before.vowel, to: syllable.vowel, at: glide),
            pitch: syllable.pitch + (next - syllable.pitch) * 0.4 * drift, voicing: 0, breath: 0, hiss: 0)
        let release = BabblePlan.ease((syllable.end - time) / 0.05)
        BabblePlan.apply(syllable.onset, age: age, to: &mouth)
        mouth.voicing *= release
        mouth.breath = (mouth.breath + 0.02 * mouth.voicing) * release
        return mouth
    }

    private static func apply(_ onset: Onset, age: Double, to mouth: inout Mouth) {
        switch onset {
        case .nasal:
            // A murmur through the nose: voiced, but damped and low, until the lips open.
            let open = ease((age - 0.05) / 0.03)
            mouth.formants[0].frequency += (250 - mouth.formants[0].frequency) * (1 - open)
            mouth.formants[1].bandwidth += 250 * (1 - open)
            mouth.voicing = ease(age / 0.02) * (0.35 + 0.65 * open)
        case .stop:
            let burst = age > 0.035 ? ease(1 - (age - 0.035) / 0.02) : 0
            mouth.breath = 0.5 * burst
            mouth.hiss = 0.06 * burst
            mouth.voicing = ease((age - 0.045) / 0.02)
        case .fricative:
            mouth.hiss = 0.1 * ease(age / 0.025) * ease((0.1 - age) / 0.03)
            mouth.voicing = ease((age - 0.08) / 0.03)
        case .glide:
            mouth.voicing = ease(age / 0.04)
        }
    }

    private static let closed = Mouth(
        formants: formants(from: 8, to: 8, at: 1), pitch: 110, voicing: 0, breath: 0, hiss: 0)

    private static func formants(from a: Int, to b: Int, at share: Double) -> [(frequency: Double, bandwidth: Double)] {
        func between(_ x: Double, _ y: Double) -> Double { x + (y - x) * share }
        let (p, q) = (vowels[a], vowels[b])
        return [(between(p.0, q.0), 70), (between(p.1, q.1), 90), (between(p.2, q.2), 140)] + upperFormants
    }

    /// A smooth step: 0 below 0, 1 above 1.
    private static func ease(_ x: Double) -> Double {
        let t = min(max(x, 0), 1)
        return t * t * (3 - 2 * t)
    }
}
