import OssicleCore

/// One renderer with a sound at its inputs, or a sound of its own.
public protocol LawSubject {
    /// The next frames of every output channel, rendered in calls of the lengths `cuts`, again and again.
    func render(_ frames: Int, cuts: [Int]) -> [[Float]]

    /// Writes other parameters, which hold from the next render call on.
    func change()

    /// Has the renderer forget what it has received.
    /// - Returns: false for a kind that remembers nothing or that its owner commands in another way.
    func reset() -> Bool
}

/// The laws that every renderer keeps, whatever it does to sound:
///
/// 1. Any cut of render calls gives the same bytes, also with a change of parameters, at 8 to 192 kHz.
/// 2. Silence in gives silence out, exactly; and after a sound the output falls below −100 dBFS within the tail.
/// 3. A renderer that was reset renders like a new one.
/// 4. The output is finite; input that is not leaves no trace behind the tail.
public struct RendererLaws<Subject: LawSubject> {
    private let make: (_ sampleRate: Double, _ sound: (_ channel: Int) -> [Float]) throws -> Subject
    private let tail: Double

    /// - Parameters:
    ///   - tail: seconds in which the output falls below −100 dBFS.
    ///   - make: a new subject at a sample rate in Hz, which plays `sound` from frame 0 on.
    public init(
        tail: Double, make: @escaping (_ sampleRate: Double, _ sound: (_ channel: Int) -> [Float]) throws -> Subject
    ) {
        (self.tail, self.make) = (tail, make)
    }

    /// Which laws are broken, and how.
    public func violations() throws -> [String] {
        try cuts(48_000, [[1], [64], [127], [4096], [1, 63, 64, 500]]) + silence() + resetting() + notFinite()
            + [8000, 22_050, 44_100, 96_000, 192_000].flatMap { try cuts($0, [[31, 97, 640]]) }
    }

    private func noise(_ frames: Int, seed: Int = 0) -> (_ channel: Int) -> [Float] {
        { Signal.noise(count: frames, seed: UInt64(100 * seed + $0 + 1), amplitude: 0.5) }
    }

    private func cuts(_ sampleRate: Double, _ others: [[Int]]) throws -> [String] {
        func walk(_ cuts: [Int]) throws -> [[Float]] {
            let subject = try make(sampleRate, noise(3000))
            let before = subject.render(1577, cuts: cuts)
            subject.change()
            return zip(before, subject.render(2519, cuts: cuts)).map { $0 + $1 }
        }
        let whole = try walk([512])
        var violations: [String] = []
        if !whole.contains(where: { Measure.peak($0) > 1e-4 }) { violations.append("no sound at \(sampleRate) Hz") }
        if !whole.allSatisfy({ Measure.isFinite($0) }) { violations.append("not finite at \(sampleRate) Hz") }
        for cut in others where try !Self.same(walk(cut), whole) {
            violations.append("cuts of \(cut) at \(sampleRate) Hz")
        }
        return violations
    }

    private func silence() throws -> [String] {
        var violations: [String] = []
        let silent = try make(48_000) { _ in Signal.silence(count: 3000) }
        var out = silent.render(1500, cuts: [512])
        silent.change()
        out += silent.render(1500, cuts: [512])
        if out.contains(where: { Measure.peak($0) != 0 }) { violations.append("silence does not stay silence") }
        let rest = try rest(after: noise(3000))
        if rest.contains(where: { !(Measure.peak($0) < 1e-5) }) { violations.append("sounds on behind its tail") }
        return violations
    }

    /// What is left of a sound behind the tail.
    private func rest(after sound: (_ channel: Int) -> [Float]) throws -> [[Float]] {
        let subject = try make(48_000, sound)
        _ = subject.render(3000 + Int(tail * 48_000), cuts: [512])
        return subject.render(2400, cuts: [512])
    }

    private func resetting() throws -> [String] {
        let before = 40 * Grid.quantum
        let used = try make(48_000) { noise(before, seed: 1)($0) + noise(3000)($0) }
        _ = used.render(before, cuts: [512])
        guard used.reset() else { return [] }
        let new = try make(48_000, noise(3000))
        return Self.same(used.render(4800, cuts: [512]), new.render(4800, cuts: [512]))
            ? [] : ["a reset leaves a trace"]
    }

    private func notFinite() throws -> [String] {
        let rest = try rest { channel in
            var sound = noise(3000)(channel)
            (sound[700], sound[1200], sound[1201], sound[2000]) = (.nan, .infinity, -.infinity, 3e38)
            return sound
        }
        return rest.allSatisfy { Measure.isFinite($0) } ? [] : ["keeps what is not finite"]
    }

    private static func same(_ a: [[Float]], _ b: [[Float]]) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { Measure.sameBytes($0, $1) }
    }
}
