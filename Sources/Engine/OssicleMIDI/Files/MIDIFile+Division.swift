// What a tick is, as time and as the word of a header.

extension MIDIFile.Division {
    /// Beats of so many ticks; seconds in SMPTE time.
    package func beats(_ ticks: Int) -> Double { Double(ticks) / ticksPerBeat }

    /// Ticks of a beat, or of a second. 29 frames are those of NTSC: 30,000 in 1001 seconds.
    package var ticksPerBeat: Double {
        switch self {
        case .ticksPerQuarter(let ticks): Double(max(ticks, 1))
        case .timecode(29, let ticks): Double(max(ticks, 1)) * 30_000 / 1001
        case .timecode(let frames, let ticks): Double(max(frames, 1) * max(ticks, 1))
        }
    }

    /// From the word that a header has: ticks of a quarter note or, below 0, frames per second and ticks of a frame.
    /// `nil` for 0 and for what is neither.
    package init?(resolution: Int16) {
        if resolution > 0 {
            self = .ticksPerQuarter(Int(resolution))
        } else {
            let frames = -Int(resolution >> 8), ticks = Int(resolution & 0xFF)
            guard resolution < 0, [24, 25, 29, 30].contains(frames), ticks > 0 else { return nil }
            self = .timecode(framesPerSecond: frames, ticksPerFrame: ticks)
        }
    }

    /// The word that a header has.
    package var resolution: Int16 {
        switch self {
        case .ticksPerQuarter(let ticks): Int16(clamping: ticks)
        case .timecode(let frames, let ticks): Int16(truncatingIfNeeded: -frames << 8 | ticks & 0xFF)
        }
    }
}
