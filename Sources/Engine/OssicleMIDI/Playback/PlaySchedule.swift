// What one destination is to play: tracks, tempo, and where in time the player is.

/// Where a player is: sequence time as a function of the render clock.
///
///     sequence seconds = origin + (clock seconds − start) · rate
struct PlayTransport: Hashable, Sendable {
    var isPlaying = false
    /// Number of the start or jump since which music runs on without a gap.
    var run = 0
    /// Seconds of the engine's clock at `origin`.
    var start = 0.0
    /// Seconds of the sequence.
    var origin = 0.0
    /// Nothing before it is played, however frames are rounded.
    var earliest = -Double.infinity
    /// Sequence seconds in a second, above 0.
    var rate = 1.0

    func sequenceSeconds(at clock: Double) -> Double { origin + (clock - start) * rate }
    func clockSeconds(at sequence: Double) -> Double { start + (sequence - origin) / rate }
}

/// One destination's part of a sequence. Immutable but for the cursors, which belong to the reader.
final class PlaySchedule: @unchecked Sendable {
    /// A track and how it is repeated. In the last of `plays` rounds all that follows the loop is played as well.
    struct Lane {
        let track: PlayTrack
        /// Identity of the track from schedule to schedule.
        let id: ObjectIdentifier
        let offset: Double
        /// Beats; empty for no loop.
        let loop: Range<Double>
        /// `Int.max` for ever.
        let plays: Int
        let isHeard: Bool
    }

    let number: Int
    let lanes: [Lane]
    let tempo: TempoMap
    let transport: PlayTransport
    /// Frames by which the destination's clock is ahead of the engine's.
    let clockOffset: Int64
    let cursors: UnsafeMutableBufferPointer<PlayCursor>

    init(number: Int, lanes: [Lane], tempo: TempoMap, transport: PlayTransport, clockOffset: Int64 = 0) {
        self.number = number
        self.lanes = lanes
        self.tempo = tempo
        self.transport = transport
        self.clockOffset = clockOffset
        cursors = .allocate(capacity: lanes.count)
        cursors.initialize(repeating: PlayCursor())
    }

    deinit { cursors.deallocate() }

    /// Frame of a beat on a clock of `rate` Hz: the nearest to its time.
    func frame(of beat: Double, rate: Double) -> Int64 {
        let start = (transport.start * rate).rounded() + Double(clockOffset)
        let frames = (tempo.seconds(at: beat) - transport.origin) / transport.rate * rate
        let place = start + frames.rounded()
        return place.isNaN ? .max : Int64(min(max(place, -0x1p60), 0x1p60))
    }

    /// Beat of a frame, a frame early: events from there on may fall on the frame or later.
    func beat(before frame: Int64, rate: Double) -> Double {
        let start = (transport.start * rate).rounded() + Double(clockOffset)
        return tempo.beat(at: transport.origin + (Double(frame) - start - 1) / rate * transport.rate)
    }

    /// Whether an event of this beat is left out, because it lies before the place that was jumped to.
    func isTooEarly(_ beat: Double) -> Bool { tempo.seconds(at: beat) < transport.earliest }
}

/// The place of one track: which event of which round comes next, and its frame.
struct PlayCursor: BitwiseCopyable {
    /// Frame of the next event, `Int64.max` behind the last.
    private(set) var frame = Int64.max
    /// Beats of the sequence at the next event.
    private(set) var beat = 0.0
    private(set) var index = 0
    private var round = 0

    /// Moves to the first event that falls on `frame` or later.
    mutating func seek(_ frame: Int64, _ lane: PlaySchedule.Lane, in schedule: PlaySchedule, rate: Double) {
        let beat = schedule.beat(before: frame, rate: rate) - lane.offset
        round = 0
        if !lane.loop.isEmpty, beat >= lane.loop.upperBound {
            let length = lane.loop.upperBound - lane.loop.lowerBound
            let rounds = ((beat - lane.loop.lowerBound) / length).rounded(.down)
            round = Int(min(rounds, Double(min(lane.plays - 1, 1 << 50))))
        }
        index = lane.track.index(notBefore: beat - shift(lane))
        if round > 0 { index = max(index, lane.track.index(notBefore: lane.loop.lowerBound)) }
        settle(lane, schedule, rate)
        // At most some events lie in the frame by which the search was early; where there are more than are ever played
        // in a block, the rest is late.
        for _ in 0..<Self.patience {
            guard self.frame < frame || (self.frame < .max && schedule.isTooEarly(self.beat)) else { break }
            advance(lane, in: schedule, rate: rate)
        }
    }

    /// Events of a block that are looked at.
    static let patience = 8192

    /// Moves to the next event.
    mutating func advance(_ lane: PlaySchedule.Lane, in schedule: PlaySchedule, rate: Double) {
        index += 1
        settle(lane, schedule, rate)
    }

    private func shift(_ lane: PlaySchedule.Lane) -> Double {
        Double(round) * (lane.loop.upperBound - lane.loop.lowerBound)
    }

    /// Begins the next round behind the loop's last event, and finds the time of the event there is.
    private mutating func settle(_ lane: PlaySchedule.Lane, _ schedule: PlaySchedule, _ rate: Double) {
        if !lane.loop.isEmpty {
            while round < lane.plays - 1, isBehindLoop(lane) {
                let first = lane.track.index(notBefore: lane.loop.lowerBound)
                let isEmpty = first >= lane.track.events.count || lane.track.events[first].beat >= lane.loop.upperBound
                guard isEmpty else {
                    (round, index) = (round + 1, first)
                    break
                }
                // A loop of nothing: on to its end, if it has one.
                guard lane.plays < .max else {
                    frame = .max
                    return
                }
                round = lane.plays - 1
            }
        }
        guard index < lane.track.events.count else {
            frame = .max
            return
        }
        beat = lane.track.events[index].beat + shift(lane) + lane.offset
        frame = schedule.frame(of: beat, rate: rate)
    }

    private func isBehindLoop(_ lane: PlaySchedule.Lane) -> Bool {
        index >= lane.track.events.count || lane.track.events[index].beat >= lane.loop.upperBound
    }
}
