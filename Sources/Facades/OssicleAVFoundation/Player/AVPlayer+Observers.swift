// Time observers.

import Foundation

extension AVPlayer {
    /// Calls `block` with the item's time at each multiple of `interval`, and when time jumps, begins or ceases to
    /// move. On `queue`, `nil` for the main queue; offline on the thread that renders, exactly at that frame. Returns a
    /// token to be kept for `removeTimeObserver`. An interval that is not positive is refused and recorded.
    @discardableResult
    public func addPeriodicTimeObserver(
        forInterval interval: CMTime, queue: DispatchQueue?, using block: @escaping @Sendable (CMTime) -> Void
    ) -> Any {
        guard interval.isNumeric, interval.seconds > 0 else {
            errors.record(
                PlayerFault.error(
                    "an interval of \(interval.seconds) s", "An interval is a positive number of seconds.",
                    "Use CMTime(value: 1, timescale: 10)."))
            return TimeObserverToken(machine)
        }
        return add(.periodic(max(interval.seconds, 1e-4), block), queue)
    }

    /// Calls `block` when the item's time passes one of `times`, values that hold a `CMTime`, in playing. On `queue` as
    /// with periodic observers.
    @discardableResult
    public func addBoundaryTimeObserver(
        forTimes times: [NSValue], queue: DispatchQueue?, using block: @escaping @Sendable () -> Void
    ) -> Any {
        add(.boundary(times.map(\.timeValue).filter(\.isNumeric).map(\.seconds), block), queue)
    }

    /// Ends the calls of an observer. A token of another player is refused and recorded.
    public func removeTimeObserver(_ observer: Any) {
        guard let token = observer as? TimeObserverToken, token.machine === machine else {
            return errors.record(
                PlayerFault.error(
                    "a token that is not of this player", "An observer is removed where it was added.",
                    "Keep player and token together."))
        }
        machine.locked { $0.observers.removeAll { $0.token === token } }
    }

    private func add(_ kind: TimeObserver.Kind, _ queue: DispatchQueue?) -> TimeObserverToken {
        let token = TimeObserverToken(machine)
        machine.locked { $0.observers.append(TimeObserver(token: token, queue: queue, kind: kind)) }
        return token
    }
}
