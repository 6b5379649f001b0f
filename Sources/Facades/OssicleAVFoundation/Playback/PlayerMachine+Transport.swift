// Playing, pausing, waiting.

import Foundation
import OssicleAVFAudio
import OssicleCoreAudioTypes

/// What the player is doing and why. Under the lock.
extension PlayerMachine {
    /// Frames of the ring that a file needs ahead before it plays.
    private static let least = 8192

    /// Plays at a rate, backwards where it is negative, or pauses at 0.
    func set(rate new: Float, _ reason: AVPlayer.RateDidChangeReason, isImmediate: Bool = false) {
        let old = transport.rate
        transport.rate = new.isFinite ? new : 0
        transport.isImmediate = isImmediate && new != 0
        if transport.rate != 0 {
            graph.set(speed: graph.possibleSpeed(transport.rate))
            if let item = queue.first, let current = timeline.current, current.direction != transport.direction {
                jump(item, to: position ?? item.restTime)
            }
            rearmEnd()
        }
        if old != transport.rate {
            report(.rate(transport.rate))
            report { [weak self] in
                NotificationCenter.default.post(
                    name: AVPlayer.rateDidChangeNotification, object: self?.player,
                    userInfo: [AVPlayer.rateDidChangeReasonKey: reason.rawValue])
            }
        }
        update()
    }

    /// Brings what is done in line with what is wanted and what is there.
    func update() {
        if transport.rate != 0, let item = queue.first, item.status == .failed {
            return set(rate: 0, .setRateFailed)
        }
        let (status, reason) = wanted
        let isNew = status != transport.status || reason != transport.reason
        transport.status = status
        transport.reason = reason
        if device == nil {
            if status == .playing { start() } else { graph.halt() }
            setClock(isOn: transport.status == .playing)
        }
        guard isNew else { return }
        report(.timeControlStatus(status))
        callPeriodicObservers()
    }

    private var wanted: (AVPlayer.TimeControlStatus, AVPlayer.WaitingReason?) {
        guard transport.rate != 0 else { return (.paused, nil) }
        guard let item = queue.first else { return (.waitingToPlayAtSpecifiedRate, .noItemToPlay) }
        guard item.status == .readyToPlay, timeline.current?.item === item else {
            return (.waitingToPlayAtSpecifiedRate, .evaluatingBufferingRate)
        }
        guard seeking.target == nil, hasEnough(item) else { return (.waitingToPlayAtSpecifiedRate, .toMinimizeStalls) }
        return (.playing, nil)
    }

    /// Whether playing can begin, or go on.
    private func hasEnough(_ item: AVPlayerItem) -> Bool {
        if isFilled || (transport.status == .playing && (graph.ring.available > 0 || !reading.isStarved)) {
            return true
        }
        if item !== reading.item { return true }
        return graph.ring.available >= needed(item)
    }

    private func needed(_ item: AVPlayerItem) -> Int {
        if transport.isImmediate || !transport.waitsForData { return 1 }
        if item.asset.source.isComplete { return Self.least }
        let seconds = item.settings.buffer > 0 ? item.settings.buffer : 1
        return Int(min(seconds * rate * graph.speed, Double(graph.ring.capacity - 2 * ItemDecoder.chunk)))
    }

    /// How an item is provided for.
    func buffering(of item: AVPlayerItem) -> Buffering? {
        locked { _ in
            guard item === queue.first, item.facts != nil else { return nil }
            let isComplete = item.asset.source.isComplete
            return Buffering(
                isLikelyToKeepUp: isComplete || isFilled || graph.ring.available >= needed(item),
                isFull: isFilled, isEmpty: graph.ring.available == 0 && reading.isGoing)
        }
    }

    /// Sound did not come in time.
    func checkForStall() {
        guard transport.status == .playing, graph.ring.available == 0, reading.isGoing, let item = queue.first else {
            return
        }
        reading.isStarved = true
        post(AVPlayerItem.playbackStalledNotification, item)
        if transport.isImmediate || !transport.waitsForData { set(rate: 0, .setRateFailed) } else { update() }
    }

    // MARK: Jumps

    /// Where the current item stands, or will; `nil` without one.
    var position: CMTime? {
        guard let item = queue.first else { return nil }
        if let target = seeking.target { return target }
        guard let current = timeline.current, current.item === item else { return item.restTime }
        let frame = current.itemFrame(at: timeline.played)
        return CMTime(frame: max(0, Int64((frame + 1e-6).rounded(.down))), rate: rate)
    }

    /// Drops what has been read and reads from `time` on.
    func jump(_ item: AVPlayerItem, to time: CMTime) {
        reading.generation += 1
        reading.condition = .idle
        interruptReading()
        graph.clear()
        timeline = Timeline()
        item.restTime = time
        guard let facts = item.facts else { return }
        let channels = max(facts.channels, 2)
        graph.adopt(
            .items(rate: facts.rate, labels: channels == facts.channels ? facts.labels : nil, channels),
            item.settings.effectiveAlgorithm)
        if transport.rate != 0 { graph.set(speed: graph.possibleSpeed(transport.rate)) }
        seeking.target = time
        beginReading(item, from: time.frame(rate: rate) ?? 0)
    }

    /// Moves the current item to a time within it, or has it begin there once it is open.
    func move(to time: CMTime) {
        guard let item = queue.first, item.rest(at: time), item.facts != nil else { return }
        jump(item, to: item.restTime)
    }

    private func interruptReading() {
        guard let item = reading.item else { return }
        item.interruption.isSet = true
        item.asset.source.wakeReaders()
    }

    /// A jump is over once there is sound, or it is known that there is none.
    func settle() {
        if seeking.target != nil, graph.ring.available > 0 || reading.condition != .going {
            seeking.target = nil
            finishSeeks(true)
            if seeking.isJump, let item = queue.first {
                post(AVPlayerItem.timeJumpedNotification, item)
                callPeriodicObservers()
            }
            seeking.isJump = false
        }
        if isFilled { finishPrerolls(true) }
    }

    /// Calls the handlers of the seek under way with whether it was completed.
    func finishSeeks(_ isFinished: Bool) {
        for handler in seeking.handlers { report { handler.call(isFinished) } }
        seeking.handlers = []
    }

    /// Calls the handlers of prerolls with whether they were completed.
    func finishPrerolls(_ isFinished: Bool) {
        for handler in seeking.prerolls { report { handler.call(isFinished) } }
        seeking.prerolls = []
    }

    /// Drops what has been read ahead of other items than the current one, because what follows it has changed.
    func dropAhead() {
        guard let item = queue.first, let last = timeline.last, last.item !== item || !reading.isGoing else { return }
        if let position { jump(item, to: position) }
    }

    private func rearmEnd() {
        guard let current = timeline.current, !reading.isGoing, current.end.isOpen,
            timeline.played >= Double(current.ringEnd) - 1e-6
        else { return }
        timeline.rearm(.played)
    }
}

/// Seeks. Without the lock.
extension PlayerMachine {
    func time(of item: AVPlayerItem) -> CMTime? {
        locked { _ in item === queue.first ? position : nil }
    }

    /// Moves the current item, or has another begin elsewhere.
    func seek(_ item: AVPlayerItem, to time: CMTime, _ handler: SeekHandler) {
        locked { _ in
            guard time.isNumeric || time.isPositiveInfinity || time.isNegativeInfinity else {
                return report { handler.call(false) }
            }
            guard item === queue.first, item.facts != nil else {
                _ = item.rest(at: time)
                report { handler.call(true) }
                if timeline.last?.item === item { dropAhead() }
                return
            }
            finishSeeks(false)
            seeking.handlers = [handler]
            seeking.isJump = true
            move(to: time)
            settle()
            update()
        }
    }

    func cancelSeeks(of item: AVPlayerItem) {
        locked { _ in if item === queue.first { finishSeeks(false) } }
    }

    /// The client has changed something of an item.
    func settingsChanged(of item: AVPlayerItem) {
        locked { _ in
            guard timeline.stretches.contains(where: { $0.item === item }), let first = queue.first, let position
            else { return }
            jump(first, to: position)
            settle()
            update()
        }
    }
}

/// Output, volume, and starts at a host time. Under the lock.
extension PlayerMachine {
    func setOutput(_ name: String?) {
        guard name != transport.outputDevice else { return }
        transport.outputDevice = name
        guard device == nil else { return }
        graph.setOutput(name)
        update()
    }

    func setVolume() { graph.volume = transport.isMuted ? 0 : transport.volume }

    /// Has sound begin at a time of the host's clock; offline, so many seconds after the device's first frame.
    func setStart(_ time: CMTime) {
        guard time.isNumeric, time.seconds > 0 else { return }
        if let device {
            offline.start = time.frame(rate: device.format.sampleRate) ?? 0
        } else {
            graph.ring.begin(atHostTime: AVAudioTime.hostTime(forSeconds: time.seconds))
        }
    }
}
