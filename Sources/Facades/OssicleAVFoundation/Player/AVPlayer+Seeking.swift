// Moving in time.

import Foundation
import OssicleAVFAudio

/// Seeks are exact to the frame, whatever the tolerances allow.
extension AVPlayer {
    /// Where the item stands; 0 without one.
    @discardableResult
    public func currentTime() -> CMTime { machine.locked { $0.position } ?? .zero }

    /// Moves to a time.
    public func seek(to time: CMTime) { currentItem?.seek(to: time, completionHandler: nil) }

    /// Moves to a time.
    public func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) {
        currentItem?.seek(
            to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter, completionHandler: nil)
    }

    /// Moves to a time. The handler gets false when another seek overtakes this one, and where there is nothing to
    /// seek.
    public func seek(to time: CMTime, completionHandler: @escaping (Bool) -> Void) {
        seek(
            to: time, toleranceBefore: .positiveInfinity, toleranceAfter: .positiveInfinity,
            completionHandler: completionHandler)
    }

    /// Moves to a time. The handler gets false when another seek overtakes this one, and where there is nothing to
    /// seek.
    public func seek(
        to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime, completionHandler: @escaping (Bool) -> Void
    ) {
        guard let item = currentItem else { return completionHandler(false) }
        item.seek(
            to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter,
            completionHandler: completionHandler)
    }

    /// Moves to a time, and returns whether it got there.
    @discardableResult
    public func seek(to time: CMTime) async -> Bool { await currentItem?.seek(to: time) ?? false }

    /// Moves to a time, and returns whether it got there.
    @discardableResult
    public func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) async -> Bool {
        await currentItem?.seek(to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter) ?? false
    }

    /// Does nothing: sound files have no dates.
    public func seek(to date: Date) {}

    /// Calls the handler with false: sound files have no dates.
    public func seek(to date: Date, completionHandler: @escaping (Bool) -> Void) { completionHandler(false) }

    /// Plays from `itemTime` on (`.invalid` for where it stands) so that its frame sounds at a time of the host's clock
    /// (`.invalid` for at once); offline, so many seconds after the device's first frame. While
    /// `automaticallyWaitsToMinimizeStalling` is true the call is refused and recorded.
    public func setRate(_ rate: Float, time itemTime: CMTime, atHostTime hostClockTime: CMTime) {
        guard !automaticallyWaitsToMinimizeStalling else {
            return errors.record(
                PlayerFault.error(
                    "a start at a host time while automaticallyWaitsToMinimizeStalling",
                    "A player that waits for sound cannot start at a given time.",
                    "Set automaticallyWaitsToMinimizeStalling to false, and preroll first."))
        }
        machine.locked { machine in
            if itemTime.isNumeric, itemTime != machine.position { machine.move(to: itemTime) }
            machine.setStart(hostClockTime)
            machine.set(rate: rate, .setRateCalled)
        }
    }

    /// Reads ahead, so that playing can begin at once. The handler gets whether it could. Refused and recorded unless
    /// `status` is `.readyToPlay`.
    public func preroll(atRate rate: Float, completionHandler: ((Bool) -> Void)? = nil) {
        let handler = SeekHandler(completionHandler)
        guard status == .readyToPlay else {
            errors.record(
                PlayerFault.error(
                    "a preroll while its status is \(status)", "Only a player that is ready can preroll.",
                    "Wait until its item's status is readyToPlay."))
            return handler.call(false)
        }
        machine.locked { machine in
            machine.seeking.prerolls.append(handler)
            machine.settle()
        }
    }

    /// Reads ahead, and returns whether it could.
    @discardableResult
    public func preroll(atRate rate: Float) async -> Bool {
        await withCheckedContinuation { continuation in
            preroll(atRate: rate) { continuation.resume(returning: $0) }
        }
    }

    /// Ends prerolls that are under way; their handlers get false.
    public func cancelPendingPrerolls() {
        machine.locked { $0.finishPrerolls(false) }
    }
}
