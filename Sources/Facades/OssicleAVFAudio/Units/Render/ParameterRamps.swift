import OssicleAudioToolbox
import OssicleCore
import OssicleRender

/// Takes a built-in unit through the parameter events of a cycle: cuts it where they fall, and moves parameters along
/// their ramps.
///
/// Without a lock and without memory: values are set in place, the renderer's cells are written, and observers hear of
/// it from elsewhere.
final class ParameterRamps: @unchecked Sendable {
    private struct Ramp {
        let address: AUParameterAddress
        let start: Int64
        let frames: Int64
        let from: Float
        let to: Float

        func value(at frame: Int64) -> Float {
            frame >= start + frames ? to : from + (to - from) * Float(Double(frame - start) / Double(frames))
        }
    }

    private static let capacity = 64
    private let tree: AUParameterTree
    private let partner: (AUParameter) -> (AUParameter, Float)?
    private let turn: UpdateTurn
    private var ramps: [Ramp] = []
    private var isChanged = false

    /// - Parameters:
    ///   - turn: takes the parameters to the renderer.
    ///   - partner: a parameter that changes with another, and its value.
    init(
        _ tree: AUParameterTree, _ turn: UpdateTurn,
        partner: @escaping (AUParameter) -> (AUParameter, Float)? = { _ in nil }
    ) {
        (self.tree, self.turn, self.partner) = (tree, turn, partner)
        ramps.reserveCapacity(Self.capacity)
    }

    /// Calls `body` with offset and length of each piece; parameters have the values of that piece.
    func cut(_ events: UnsafePointer<AURenderEvent>?, from start: Int64, frames: Int, _ body: (Int, Int) -> Void) {
        var (next, done) = (events, 0)
        while done < frames {
            while let event = next, event.pointee.head.eventSampleTime <= start + Int64(done) {
                begin(event.pointee, at: start + Int64(done))
                next = UnsafePointer(event.pointee.head.next)
            }
            var end = frames
            if let event = next { end = min(end, Int(event.pointee.head.eventSampleTime - start)) }
            if !ramps.isEmpty { end = min(end, done + Grid.quantum) }
            advance(to: start + Int64(end))
            apply()
            body(done, end - done)
            done = end
        }
    }

    private func begin(_ event: AURenderEvent, at frame: Int64) {
        guard event.head.eventType == .parameter || event.head.eventType == .parameterRamp else { return }
        let change = event.parameter
        guard let parameter = tree.parameter(withAddress: change.parameterAddress) else { return }
        ramps.removeAll { $0.address == change.parameterAddress }
        if change.rampDurationSampleFrames > 0, change.value.isFinite, ramps.count < Self.capacity {
            ramps.append(
                Ramp(
                    address: change.parameterAddress, start: frame, frames: Int64(change.rampDurationSampleFrames),
                    from: parameter.storedValue,
                    to: change.value))
        } else {
            set(parameter, change.value)
        }
    }

    /// Ramped parameters have at the start of a piece what they should have at its end: the units glide there.
    private func advance(to frame: Int64) {
        for ramp in ramps {
            if let parameter = tree.parameter(withAddress: ramp.address) { set(parameter, ramp.value(at: frame)) }
        }
        ramps.removeAll { $0.start + $0.frames <= frame }
    }

    private func set(_ parameter: AUParameter, _ value: Float) {
        parameter.render(value)
        if let (other, value) = partner(parameter) { other.render(value) }
        isChanged = true
    }

    private func apply() {
        guard isChanged else { return }
        isChanged = false
        turn.run()
        tree.noteRendered()
    }
}
