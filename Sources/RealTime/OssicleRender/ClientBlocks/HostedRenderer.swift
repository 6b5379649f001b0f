import OssicleCore
import Synchronization

/// A unit of the client's within a graph: lets it be called while it is allocated, passes sound by while it is
/// bypassed, gives it its input, and stops what is not finite.
package final class HostedRenderer: @unchecked Sendable {
    /// Has the unit render `context.frames` frames into the outputs of `ports`. False for silence. It brackets the
    /// client's code with `ClientCode.run`.
    package typealias Body = (_ ports: Ports, _ context: RenderContext) -> Bool

    private let channels: Int
    private let hasInput: Bool
    private let isBypassed: Atomic<Bool>
    /// Closed once the unit must not be called any more, though a plan may still hold this.
    private let gate = RenderGate()
    private let memory: SampleMemory
    /// The block under way, for a unit that asks for its input.
    private var inputs: UnsafePointer<UnsafeMutablePointer<Float>>?
    private var frames = 0

    package init(channels: Int, hasInput: Bool, bypass: Bool) {
        (self.channels, self.hasInput) = (channels, hasInput)
        isBypassed = Atomic(bypass)
        memory = SampleMemory(count: max(channels, 1) * Grid.quantum)
        gate.openUp()
    }

    package func setBypass(_ bypass: Bool) { isBypassed.store(bypass, ordering: .relaxed) }

    /// The unit's memory may go: it is not called after this. Waits for a call under way, unless that is what calls.
    package func retire() {
        if !gate.isOnRenderThread { gate.close() }
    }

    /// Render side.
    package func render(_ ports: Ports, _ context: RenderContext, _ body: Body) {
        guard gate.enter() else { return ports.silenceOutputs(context.frames) }
        defer { gate.leave() }
        let frames = context.frames
        if isBypassed.load(ordering: .relaxed) { return pass(ports, frames) }
        (inputs, self.frames) = (ports.inputs, frames)
        guard body(ports, context) else { return ports.silenceOutputs(frames) }
        for channel in 0..<channels { _ = Mixing.clearNonFinite(ports.output(channel), frames) }
    }

    private func pass(_ ports: Ports, _ frames: Int) {
        guard hasInput else { return ports.silenceOutputs(frames) }
        for channel in 0..<channels { ports.output(channel).update(from: ports.input(channel), count: frames) }
    }

    /// Takes on what the unit has left in its buffers, one per channel: it may have put memory of its own in place of
    /// the outputs. While `body` runs.
    package func take(_ list: some SampleBufferList, to ports: Ports, _ frames: Int) {
        for channel in 0..<channels {
            let output = ports.output(channel)
            guard let data = list.samples(ofBuffer: channel)?.assumingMemoryBound(to: Float.self) else {
                Mixing.clear(output, frames)
                continue
            }
            if data != output { output.update(from: data, count: frames) }
        }
    }

    /// Why the unit does not get its input.
    package enum Refusal { case noInput, tooManyFrames, unfitBuffers }

    /// Gives the unit its input, one channel per buffer, in the memory that it brings or else in this object's. While
    /// `body` runs.
    /// - Parameter frames: at most those that are being rendered.
    package func give(_ frames: Int, bus: Int, to list: some SampleBufferList) -> Refusal? {
        guard bus == 0, let inputs else { return .noInput }
        guard frames <= self.frames else { return .tooManyFrames }
        let bytes = frames * MemoryLayout<Float>.stride
        guard list.bufferCount <= channels else { return .unfitBuffers }
        for index in 0..<list.bufferCount where list.samples(ofBuffer: index) != nil {
            if list.byteCount(ofBuffer: index) < bytes { return .unfitBuffers }
        }
        for channel in 0..<list.bufferCount {
            let own = UnsafeMutableRawPointer(memory.pointer + channel * Grid.quantum)
            let target = list.samples(ofBuffer: channel) ?? own
            target.assumingMemoryBound(to: Float.self).update(from: inputs[channel], count: frames)
            list.setBuffer(channel, channels: 1, samples: target, byteCount: bytes)
        }
        return nil
    }
}

/// Callbacks of the client's that are called before and after each cycle of a unit. Added and removed on the control
/// side, called on the render side.
package final class ObserverList<Observer>: @unchecked Sendable {
    private struct Entry {
        let token: Int
        let observer: Observer
    }

    private let entries = Published<[Entry]>([])
    private let count = Atomic(0)
    private let tokens = Atomic(0)

    package init() {}

    /// Gives a token that removes the observer.
    package func add(_ observer: Observer) -> Int {
        let token = tokens.wrappingAdd(1, ordering: .relaxed).newValue
        change { $0.append(Entry(token: token, observer: observer)) }
        return token
    }

    package func remove(_ token: Int) {
        change { $0.removeAll { $0.token == token } }
    }

    private func change(_ edit: (inout [Entry]) -> Void) {
        entries.change {
            edit(&$0)
            count.store($0.count, ordering: .releasing)
        }
    }

    /// Render side: calls `body` with each observer, as the client's code. Without observers it costs one load.
    package func forEach(_ body: (Observer) -> Void) {
        guard count.load(ordering: .acquiring) > 0 else { return }
        entries.read { entries in
            ClientCode.run {
                for index in 0..<entries.count { body(entries[index].observer) }
            }
        }
    }
}
