// Items in a row.

import Foundation
import OssicleCoreAudioTypes

/// Which items there are, and what follows when one is over. Under the lock.
extension PlayerMachine {
    /// Takes an item in at a place of the queue. An item of another player is refused.
    func insert(_ item: AVPlayerItem, at index: Int) {
        guard item.machine == nil else { return }
        item.machine = self
        if index == 0, let first = queue.first { first.restTime = position ?? first.restTime }
        queue.insert(item, at: index)
        if index == 0 { becomeCurrent() } else { follow() }
    }

    /// Takes an item out.
    func remove(_ item: AVPlayerItem) {
        guard let index = queue.firstIndex(of: item) else { return }
        if index == 0 { item.restTime = position ?? item.restTime }
        queue.remove(at: index)
        item.machine = nil
        if index == 0 { becomeCurrent() } else { follow() }
    }

    /// Takes all items out and plays `item` instead.
    func replaceAll(with item: AVPlayerItem?) {
        guard item?.machine == nil || item?.machine === self else { return }
        if let first = queue.first, first === item { return }
        if let first = queue.first { first.restTime = position ?? first.restTime }
        for old in queue { old.machine = nil }
        queue = item.map { [$0] } ?? []
        item?.machine = self
        becomeCurrent()
    }

    /// What comes behind the current item has changed.
    func follow() {
        let read = timeline.stretches.map(\.item)
        if transport.actionAtEnd != .advance || !zip(read, queue).allSatisfy({ $0 === $1 }) || read.count > queue.count
        {
            if read.count > 1 { dropAhead() }
        }
        readNext()
        update()
    }

    /// The first of the queue is another item than before.
    private func becomeCurrent() {
        finishSeeks(false)
        seeking.isJump = false
        report(.currentItem(queue.first))
        guard let item = queue.first else {
            reading.generation += 1
            reading.condition = .idle
            reading.item?.interruption.isSet = true
            reading.item?.asset.source.wakeReaders()
            reading.item = nil
            seeking.target = nil
            graph.clear()
            timeline = Timeline()
            return update()
        }
        if item.facts == nil { open(item) }
        jump(item, to: item.restTime)
        settle()
        update()
    }

    /// Opens an item; what waits for it goes on then.
    func open(_ item: AVPlayerItem) {
        item.open { [weak item] in
            guard let item else { return }
            item.machine?.locked { $0.didOpen(item) }
        }
    }

    private func didOpen(_ item: AVPlayerItem) {
        item.loop?.didOpen(item, self)
        guard item === queue.first else { return readNext() }
        if item.status == .failed { return fail(item) }
        if !transport.isReady {
            transport.isReady = true
            report(.status(.readyToPlay))
        }
        if timeline.current?.item !== item { jump(item, to: min(item.restTime, item.duration)) }
        settle()
        update()
    }

    /// The current item is over.
    func end(_ stretch: Stretch) {
        let item = stretch.item
        switch stretch.end {
        case .open: return
        case .played where stretch.direction < 0:
            timeline.rearm(.open)
            return set(rate: 0, .reversePlaybackReachedStartOfSeekableRange)
        case .played: post(AVPlayerItem.didPlayToEndTimeNotification, item)
        case .failed(let error):
            report { item.fail(error) }
            post(
                AVPlayerItem.failedToPlayToEndTimeNotification, item,
                [AVPlayerItemFailedToPlayToEndTimeErrorKey: error])
            return fail(item)
        }
        switch transport.actionAtEnd {
        case .advance: goOn(from: item)
        case .pause:
            timeline.rearm(.open)
            set(rate: 0, .setRateCalled)
        case .none: timeline.rearm(.open)
        }
    }

    /// The current item cannot be played: the next one is, where the player goes on by itself.
    private func fail(_ item: AVPlayerItem) {
        finishPrerolls(false)
        finishSeeks(false)
        seeking.target = nil
        timeline.rearm(.open)
        if transport.actionAtEnd == .advance, queue.count > 1 { goOn(from: item) } else { set(rate: 0, .setRateFailed) }
    }

    /// The next item of the queue becomes the current one, without a gap where it has been read already.
    private func goOn(from item: AVPlayerItem) {
        item.restTime = position ?? item.restTime
        queue.removeAll { $0 === item }
        item.machine = nil
        timeline.dropFirst()
        item.loop?.requeue(item, self)
        guard let next = queue.first, timeline.current?.item === next else { return becomeCurrent() }
        report(.currentItem(next))
        readNext()
    }
}
