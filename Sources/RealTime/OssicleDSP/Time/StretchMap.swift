import OssicleCore

/// Which input belongs to which stretched frame: the plan of a `TimeStretcher`, in numbers only.
///
///     input
///       │              ╱   verbatim: one for one, from an onset on, until its window has passed
///       │           .╱´
///       │        .·´ ╱
///       │     .·´  ╱  nominal line, slope = rate / pitch
///       │  .·´
///       └───────────────── stretched frames
///
/// Onsets lie on the line; behind one the map runs at the original speed and then leads back to the line, so that
/// attacks keep their shape and the whole keeps its length. All positions are frame counts.
struct StretchMap: BitwiseCopyable {
    /// A stretch of sound with one beginning: nothing of it sounds earlier, nothing before it later.
    struct Segment: BitwiseCopyable {
        var output: Int64
        var input: Int64
        /// Frames over which it takes over from the one before.
        var fade: Int
    }

    /// One window to be laid down.
    struct Window: BitwiseCopyable {
        /// The window's middle, in stretched and in input frames.
        var output: Int64
        var input: Int64
        /// Stretched frames since the one before.
        var hop: Int
        var isVerbatim: Bool
        /// An onset that this window must not reach, if any is near.
        var end: Int64?
        /// Begun by this window.
        var begins: Segment?
    }

    /// Input frames per stretched frame beyond which onsets come too close to be separated.
    static let steepestWithOnsets = 4.0

    let window: Int
    private(set) var segment = Segment(output: 0, input: 0, fade: 0)
    private(set) var slope = 1.0
    private(set) var hop: Int
    private var lineOutput: Int64 = 0
    private var lineInput = 0.0
    /// How far the map still is off the line because the pitch changed, and because of the last onset.
    private var glide = 0.0
    private var lead = 0.0
    /// Stretched frames from the window before the newest to it.
    private(set) var plannedHop = 0
    /// The newest window's middle.
    private(set) var output: Int64 = 0
    private(set) var input: Int64 = 0
    private var verbatimEnd: Int64 = 0
    /// Input before this has been given up.
    private var floor = Int64.min
    /// Whether the newest segment is exact copying without end.
    private(set) var endsInCopying = true

    init(window: Int) {
        self.window = window
        hop = window / 8
    }

    /// Where the line is at a stretched frame, in input frames. Before the point it is drawn from, it runs one for one.
    private func line(_ frame: Int64) -> Double {
        let distance = Double(frame - lineOutput)
        return lineInput + (distance < 0 ? distance : distance * slope)
    }

    /// The frame that copying puts at a stretched frame.
    func copied(_ frame: Int64) -> Int64 { segment.input + (frame - segment.output) }

    /// Leaves exact copying at a stretched frame: the first window to be laid down is centred there.
    ///
    /// The line starts at that frame. At a slope where no onsets are kept it starts behind what the first windows
    /// reach, or these would need tens of thousands of input frames at once.
    mutating func leaveCopying(at frame: Int64, slope: Double, hop: Int) {
        segment = Segment(output: frame, input: copied(frame), fade: 0)
        (self.slope, self.hop) = (slope, hop)
        verbatimEnd = frame + Int64(window / 2 + hop)
        lineOutput = wantsOnsets ? frame : verbatimEnd
        lineInput = Double(copied(lineOutput))
        (glide, lead) = (0, 0)
        (output, input) = (frame - Int64(hop), segment.input - Int64(hop))
        endsInCopying = false
    }

    /// Changes speed while windows are being laid down. The newest window stays where it is. What a new pitch shifts
    /// until the stretched frame that is read now has caught up with it, is led back to the line.
    mutating func turn(slope: Double, afterPitch sloped: Double, reading frame: Double, hop: Int, floor: Int64) {
        let ahead = Double(output) - frame
        let shift = min(max(ahead * (self.slope - sloped), -Double(window)), Double(window))
        self.floor = max(self.floor, floor)
        (lineInput, lineOutput) = (max(line(output) - shift, Double(self.floor)), output)
        glide = min(max(glide + shift, -Double(window)), Double(window))
        lead = Double(input) - (line(output) + glide)
        (self.slope, self.hop) = (slope, hop)
        endsInCopying = endsInCopying && slope == 1
        if output < verbatimEnd { verbatimEnd = max(verbatimEnd, segment.output + Int64(window / 2 + hop)) }
    }

    /// Index behind the last input frame that windows may need before the stretched frames up to `frame` are complete,
    /// onsets not yet found included: asked again further on, it is never more.
    func inputEnd(for frame: Int64, lookAhead: Int) -> Int64 {
        let gain = max(1 - slope, 0)
        let nowAhead = lead + gain * Double(max(verbatimEnd - output, 0))
        let ahead = max(nowAhead, gain * Double(window / 2 + 2 * hop), 0) + max(glide, 0)
        return Int64((line(frame + Int64(window / 2 + hop)) + ahead).rounded(.up)) + Int64(window / 2 + lookAhead + 4)
    }

    /// What lies before this place in the input has had its turn.
    var passed: Int64 { max(segment.input, Int64(line(output) + glide)) }

    /// The farthest place in the input that the next window may be centred on.
    var farthest: Int64 { max(Int64(line(output + Int64(hop)) + glide), input + Int64(hop), floor) }

    /// Whether onsets are worth looking for.
    var wantsOnsets: Bool { slope != 1 && slope <= StretchMap.steepestWithOnsets }

    /// Plans the next window, given the next two onsets behind the newest segment's beginning.
    mutating func advance(onsets: (Int64?, Int64?)) -> Window {
        let next = output + Int64(hop)
        let part = Double(hop) / Double(2 * window)
        let from = line(output) + glide
        let least = 0.5 * (line(next) - line(output))
        let to = max(line(next) + glide * (1 - part), from + least)
        glide = to - line(next)
        let begins = beginning(next, from, to, onsets.0)
        if let begins { begin(begins) }
        let coming = wantsOnsets ? (begins == nil ? onsets.0 : onsets.1) : nil
        let isVerbatim =
            endsInCopying
            || (next < verbatimEnd && copied(next) + Int64(hop) <= coming ?? .max && copied(next) >= earliest(to))
        input = isVerbatim ? copied(next) : led(to, least, part, before: coming)
        lead = Double(input) - (line(next) + glide)
        output = next
        plannedHop = hop
        return Window(output: next, input: input, hop: hop, isVerbatim: isVerbatim, end: coming, begins: begins)
    }

    /// The segment that begins between the newest window and the next, if one does.
    private func beginning(_ next: Int64, _ from: Double, _ to: Double, _ onset: Int64?) -> Segment? {
        if slope == 1 {
            return endsInCopying
                ? nil : Segment(output: next, input: max(Int64(line(next).rounded()), floor), fade: window / 8)
        }
        guard let onset, wantsOnsets, Double(onset) <= to else { return nil }
        let share = max(Double(onset) - from, 0) / max(to - from, 1e-9)
        let place = output + max(Int64((share * Double(hop)).rounded()), 1)
        return Segment(output: place, input: onset, fade: window / 64)
    }

    private mutating func begin(_ new: Segment) {
        segment = new
        verbatimEnd = new.output + Int64(window / 2 + hop)
        guard slope == 1 else { return }
        endsInCopying = true
        (lineOutput, lineInput, glide) = (new.output, Double(new.input), 0)
    }

    /// The way back to the line: never backwards, and not into an onset that is still to come.
    private func led(_ line: Double, _ least: Double, _ part: Double, before onset: Int64?) -> Int64 {
        var place = line + lead * (1 - part)
        place = max(place, Double(input) + least)
        if let onset {
            let left = (Double(onset) - line) / slope
            place = min(place, Double(onset) - min(max(left, 0), Double(hop)))
        }
        return max(Int64(place.rounded()), earliest(line))
    }

    /// The earliest place that is sure to be at hand still.
    private func earliest(_ line: Double) -> Int64 { max(Int64(line) - Int64(2 * window), floor) }
}
