// Plays items one after the other.

import Foundation

/// Plays a queue of items. While it advances by itself, an item follows the one before it without a gap, sample for
/// sample where both have one rate.
open class AVQueuePlayer: AVPlayer, @unchecked Sendable {
    /// A player without items.
    public override init() {
        super.init()
        actionAtItemEnd = .advance
    }

    /// A player of items; those of another player, and second ones of the same item, are left out.
    public convenience init(items: [AVPlayerItem]) {
        self.init()
        for item in items { insert(item, after: nil) }
    }

    public override convenience init(playerItem item: AVPlayerItem?) {
        self.init()
        replaceCurrentItem(with: item)
    }

    /// The items that are to be played; the first is the current one.
    @discardableResult
    open func items() -> [AVPlayerItem] { machine.locked { $0.queue } }

    /// Ends the current item and begins with the next; the rate stays.
    open func advanceToNextItem() {
        machine.locked { machine in
            if let item = machine.queue.first { machine.remove(item) }
        }
    }

    /// Whether an item may be inserted: it is in no queue, and `afterItem` is in this one, or `nil` for the end.
    @discardableResult
    open func canInsert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) -> Bool {
        item.machine == nil && (afterItem.map { items().contains($0) } ?? true)
    }

    /// Inserts an item behind another, or at the end. What cannot be inserted is refused and recorded.
    open func insert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) {
        guard canInsert(item, after: afterItem) else {
            return errors.record(
                PlayerFault.error(
                    "an item that is in a queue already, or a place that is not in this one",
                    "An item is in one queue once.", "Check canInsert(_:after:), or make a new item of the asset."))
        }
        machine.locked { machine in
            let place = afterItem.flatMap { machine.queue.firstIndex(of: $0) }
            machine.insert(item, at: place.map { $0 + 1 } ?? machine.queue.count)
        }
    }

    /// Takes an item out; behind the current one the next begins.
    open func remove(_ item: AVPlayerItem) { machine.locked { $0.remove(item) } }

    /// Takes all items out.
    open func removeAllItems() { machine.locked { $0.replaceAll(with: nil) } }
}
