import OssicleCore

/// An event of a unit's cycle: a change of a parameter, or something of another kind that only has a time.
package struct ParameterEvent: BitwiseCopyable {
    /// A parameter gets a value, at once or along a ramp.
    package struct Change: BitwiseCopyable {
        let address: UInt64
        let value: Float
        /// Length of the ramp in frames; 0 for a step.
        let frames: Int64

        package init(address: UInt64, value: Float, frames: Int64) {
            (self.address, self.value, self.frames) = (address, value, frames)
        }
    }

    /// Frame at which it takes effect.
    let frame: Int64
    let change: Change?

    package init(frame: Int64, change: Change?) { (self.frame, self.change) = (frame, change) }
}

/// The events of a cycle in order of time, a list that the facade reads.
package struct ParameterEvents {
    /// Reads the event at an address, and gives the address of the next.
    package typealias Reader = (UnsafeRawPointer) -> (ParameterEvent, UnsafeRawPointer?)
    private let reader: Reader
    private(set) var first: ParameterEvent?
    private var behind: UnsafeRawPointer?

    /// - Parameter reader: on the audio thread; captures nothing.
    package init(_ list: UnsafeRawPointer?, _ reader: @escaping Reader) {
        self.reader = reader
        behind = list
        removeFirst()
    }

    fileprivate mutating func removeFirst() {
        guard let next = behind else { return first = nil }
        (first, behind) = reader(next)
    }
}

/// Takes a built-in unit through the parameter events of a cycle: cuts it where they fall, and moves parameters along
/// their ramps.
///
/// Without a lock and without memory: values are set in place, the renderer's cells are written, and observers are
/// notified from elsewhere.
package final class ParameterRamps: @unchecked Sendable {
    private struct Ramp {
        let address: UInt64
        let start: Int64
        let frames: Int64
        let from: Float
        let to: Float

        func value(at frame: Int64) -> Float {
            frame >= start + frames ? to : from + (to - from) * Float(Double(frame - start) / Double(frames))
        }
    }

    private static let capacity = 64
    private let values: ParameterTable
    private let partner: (UInt64) -> (UInt64, Float)?
    private let turn: UpdateTurn
    private var ramps: [Ramp] = []
    private var isChanged = false

    /// - Parameters:
    ///   - turn: takes the parameters to the renderer.
    ///   - partner: the address of a parameter that changes with another, and its value.
    package init(
        _ values: ParameterTable, _ turn: UpdateTurn, partner: @escaping (UInt64) -> (UInt64, Float)? = { _ in nil }
    ) {
        (self.values, self.turn, self.partner) = (values, turn, partner)
        ramps.reserveCapacity(Self.capacity)
    }

    /// Calls `body` with offset and length of each piece; parameters have the values of that piece. Render side.
    package func cut(_ list: ParameterEvents, from start: Int64, frames: Int, _ body: (Int, Int) -> Void) {
        var (events, done) = (list, 0)
        while done < frames {
            while let event = events.first, event.frame <= start + Int64(done) {
                if let change = event.change { begin(change, at: start + Int64(done)) }
                events.removeFirst()
            }
            var end = frames
            if let event = events.first { end = min(end, Int(event.frame - start)) }
            if !ramps.isEmpty { end = min(end, done + Grid.quantum) }
            advance(to: start + Int64(end))
            apply()
            body(done, end - done)
            done = end
        }
    }

    private func begin(_ change: ParameterEvent.Change, at frame: Int64) {
        guard let parameter = values[change.address] else { return }
        ramps.removeAll { $0.address == change.address }
        if change.frames > 0, change.value.isFinite, ramps.count < Self.capacity {
            ramps.append(
                Ramp(
                    address: change.address, start: frame, frames: change.frames, from: parameter.current,
                    to: change.value))
        } else {
            set(parameter, change.address, change.value)
        }
    }

    /// Ramped parameters have at the start of a piece what they should have at its end: the units glide there.
    private func advance(to frame: Int64) {
        for ramp in ramps {
            if let parameter = values[ramp.address] { set(parameter, ramp.address, ramp.value(at: frame)) }
        }
        ramps.removeAll { $0.start + $0.frames <= frame }
    }

    private func set(_ parameter: ParameterValue, _ address: UInt64, _ value: Float) {
        parameter.render(value)
        if let (other, value) = partner(address) { values[other]?.render(value) }
        isChanged = true
    }

    private func apply() {
        guard isChanged else { return }
        isChanged = false
        turn.run()
        values.noteRendered()
    }
}
