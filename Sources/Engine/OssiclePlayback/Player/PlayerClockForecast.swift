import OssicleRender

/// Where player time runs, or will: the render side's clock, and what it will make of commands that it has not carried
/// out yet.
struct PlayerClockForecast {
    private typealias Command = (number: Int64, content: QueueEntry.Content)

    /// In the order they were sent; the first may have been carried out.
    private var sent: [Command] = []
    private var count: Int64 = 0
    /// The last play that was carried out and may still wait for its gate.
    private var armed: Play?

    private struct Play { let at: Int64? }

    /// A command to the clock, in the order in which they are sent.
    mutating func note(_ content: QueueEntry.Content, _ clock: PlayerMail.Clock) {
        forget(carriedOut: clock.carriedOut)
        count += 1
        // Whatever came before, a stopped player stands still at 0.
        if case .stop = content { sent = [] }
        sent.append((count, content))
    }

    /// Node time of player time 0, if the next block begins at node time `next`; `nil` for a player that stands still.
    mutating func zero(_ clock: PlayerMail.Clock, next: Int64?) -> Int64? {
        forget(carriedOut: clock.carriedOut)
        if sent.isEmpty, clock.isRunning { return clock.zero }
        guard let next else { return nil }
        var (isRunning, halt, play) = (clock.isRunning, clock.halt, clock.isRunning ? nil : armed)
        for command in sent {
            if isRunning { halt = max(next - clock.zero, clock.halt) }
            switch command.content {
            case .play(let at, _):
                // A running player keeps its clock.
                if isRunning, next - clock.zero >= clock.halt { continue }
                play = Play(at: at)
            case .stop: (halt, play) = (0, nil)
            case .pause, .sound: play = nil
            }
            isRunning = false
        }
        if isRunning { return clock.zero }
        return play.map { max(min($0.at ?? next, 1 << 61), next) - halt }
    }

    private mutating func forget(carriedOut: Int64) {
        while let first = sent.first, first.number <= carriedOut {
            if case .play(let at, _) = first.content { armed = Play(at: at) } else { armed = nil }
            sent.removeFirst()
        }
    }
}

/// Arithmetic of times that a client may have made up.
package enum PlayerTimes {
    /// A frame of a clock at `rate` as a frame of one at `other`, to the nearest. Rates in Hz, above 0.
    package static func frame(_ frame: Int64, from rate: Double, at other: Double) -> Int64 {
        if rate == other { return limited(frame) }
        let moved = (Double(frame) * other / rate).rounded()
        return Int64(min(max(moved, -0x1p60), 0x1p60))
    }

    package static func sum(_ a: Int64, _ b: Int64) -> Int64 { limited(a) + limited(b) }

    private static func limited(_ frame: Int64) -> Int64 { min(max(frame, -(1 << 60)), 1 << 60) }
}
