// One client's look at parameters: collects changes and hands them over outside the thread that made them.

import OssicleProperties

/// A change on its way to observers.
struct ParameterChange {
    var address: AUParameterAddress
    var value: AUValue
    var hostTime: UInt64
    var eventType: AUParameterAutomationEventType
}

/// A callback with the changes it has yet to hear of.
///
/// All observers of the process share one serial queue. A call that removes an observer waits for its call in flight,
/// unless the call itself does the removing.
final class ParameterObserver: @unchecked Sendable {
    enum Callback {
        /// Hears the newest value of each parameter, at most 50 times a second.
        case value(AUParameterObserver)
        case recording(AUParameterRecordingObserver)
        case automation(AUParameterAutomationObserver)
    }

    let token: AUParameterObserverToken = Handle.next()
    private let callback: Callback
    private let condition = NSCondition()
    private var pending: [ParameterChange] = []
    private var isScheduled = false
    private var isRemoved = false
    private var caller: Thread?
    private var quietUntil = DispatchTime(uptimeNanoseconds: 1)

    private static let queue = DispatchQueue(label: "Ossicle parameter observers")
    private static let throttle = DispatchTimeInterval.milliseconds(20)

    init(_ callback: Callback) { self.callback = callback }

    /// Takes note of a change. Any thread; returns at once.
    func receive(_ change: ParameterChange) {
        condition.withLock {
            guard !isRemoved else { return }
            collect(change)
            guard !isScheduled else { return }
            isScheduled = true
            Self.queue.asyncAfter(deadline: max(.now(), quietUntil)) { self.deliver() }
        }
    }

    /// Ends the calls. When this returns, none runs or will, except one that called this.
    func remove() {
        condition.withLock {
            isRemoved = true
            pending = []
            while let caller, caller !== Thread.current { condition.wait() }
        }
    }

    private func collect(_ change: ParameterChange) {
        if case .value = callback, let index = pending.firstIndex(where: { $0.address == change.address }) {
            pending[index] = change
        } else {
            pending.append(change)
        }
    }

    private func deliver() {
        let changes = condition.withLock { () -> [ParameterChange] in
            defer { pending = [] }
            isScheduled = false
            caller = isRemoved ? nil : Thread.current
            return isRemoved ? [] : pending
        }
        call(with: changes)
        condition.withLock {
            caller = nil
            if case .value = callback { quietUntil = .now() + Self.throttle }
            condition.broadcast()
        }
    }

    private func call(with changes: [ParameterChange]) {
        switch callback {
        case .value(let observer):
            for change in changes where !condition.withLock({ isRemoved }) { observer(change.address, change.value) }
        case .recording(let observer):
            let events = changes.map {
                AURecordedParameterEvent(hostTime: $0.hostTime, address: $0.address, value: $0.value)
            }
            events.withUnsafeBufferPointer { if let first = $0.baseAddress, !$0.isEmpty { observer($0.count, first) } }
        case .automation(let observer):
            let events = changes.map {
                AUParameterAutomationEvent(
                    hostTime: $0.hostTime, address: $0.address, value: $0.value, eventType: $0.eventType, reserved: 0)
            }
            events.withUnsafeBufferPointer { if let first = $0.baseAddress, !$0.isEmpty { observer($0.count, first) } }
        }
    }
}
