import OssicleCore
import OssicleDSP

/// Reads the sample of a zone at a pitch: a windowed sinc between frames, silence before the beginning and behind the
/// end, a loop that repeats.
struct ZoneReader: BitwiseCopyable {
    private var sample: InstrumentSample
    private var start = 0, end = 0, loopStart = 0, loopEnd = 0
    /// Whether the loop repeats for ever.
    private(set) var loops = false
    private var hasWrapped = false
    /// The frame that is read next, in Q32.32 from the sample's first.
    private var position: UInt64 = 0
    private var step: UInt64 = 0
    private var table: UnsafePointer<SincTable>

    /// Of a free voice; a pointer to anything.
    init(free nothing: UnsafeRawPointer, _ tables: InstrumentTables) {
        sample = InstrumentSample(data: nothing, form: .float, frameCount: 0, rate: 1)
        table = tables.table(ratio: 1)
    }

    /// Begins at the zone's first frame; its pitch is set before anything is read.
    init(_ zone: InstrumentZone, _ sample: InstrumentSample, _ tables: InstrumentTables) {
        self.sample = sample
        (start, end, loopStart, loopEnd) = (zone.start, zone.end, zone.loopStart, zone.loopEnd)
        loops = zone.loop != .none
        position = UInt64(zone.start) << 32
        table = tables.table(ratio: 1)
    }

    /// - Parameter cents: above the sample's own pitch.
    mutating func setPitch(_ cents: Float, _ bench: SampleVoice.Bench) {
        let ratio =
            DeterministicMath.exp2(Double(min(max(cents, -12_000), 12_000)) / 1200) * sample.rate / bench.sampleRate
        let held = min(max(ratio, 1.0 / 1024), 256)
        step = UInt64((held * 0x1p32).rounded())
        table = bench.tables.table(ratio: held)
    }

    /// What is behind the loop comes after this round.
    mutating func leaveLoop() { loops = false }

    /// Whether nothing more will come.
    var isOver: Bool { !loops && Int(position >> 32) > end + table.pointee.lookBehind }

    /// Writes so many frames to the bench's sound.
    mutating func read(_ count: Int, _ bench: SampleVoice.Bench) {
        var done = 0
        let reach = table.pointee.lookBehind + table.pointee.lookAhead + 2
        let most = max(1, (SampleVoice.Bench.stretchFrames - reach) / (Int(step >> 32) + 1))
        while done < count {
            let run = min(count - done, most)
            wrap()
            let first = Int(position >> 32), fraction = position & 0xFFFF_FFFF
            let span = Int((fraction + UInt64(run - 1) * step) >> 32) + reach
            gather(from: first - table.pointee.lookBehind, count: span, to: bench.stretch)
            SincInterpolator.process(
                source: bench.stretch + table.pointee.lookBehind, table: table.pointee, position: fraction, step: step,
                to: bench.sound + done, run)
            position &+= UInt64(run) &* step
            done += run
        }
        wrap()
    }

    /// Brings the position back into the loop.
    private mutating func wrap() {
        guard loops, Int(position >> 32) >= loopEnd else { return }
        let length = loopEnd - loopStart
        let beyond = (Int(position >> 32) - loopStart) % length
        position = UInt64(loopStart + beyond) << 32 | position & 0xFFFF_FFFF
        hasWrapped = true
    }

    /// The frames from `first` on as the voice plays them.
    private func gather(from first: Int, count: Int, to target: UnsafeMutablePointer<Float>) {
        let length = max(loopEnd - loopStart, 1), limit = loops ? loopEnd : end
        var index = first, done = 0
        while done < count {
            var place = index
            if loops {
                if place >= loopEnd {
                    place = loopStart + (place - loopStart) % length
                } else if hasWrapped, place < loopStart {
                    place = loopEnd - 1 - (loopStart - 1 - place) % length
                }
            }
            var run = count - done
            if place < start, !(loops && hasWrapped) {
                run = min(run, start - place)
                (target + done).update(repeating: 0, count: run)
            } else if place >= limit {
                (target + done).update(repeating: 0, count: run)
            } else {
                run = min(run, limit - place)
                sample.copy(from: place, count: run, to: target + done)
            }
            done += run
            index += run
        }
    }
}
