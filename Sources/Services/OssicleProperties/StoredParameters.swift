// A tree of parameters as the unit sees it that made the tree.

import Dispatch
import OssicleCore
import Synchronization

/// The parameters of a unit: observers and callbacks belong to clients, the values to the unit.
package protocol StoredParameters: AnyObject, Sendable {
    /// The values by address. A render thread may set them; see `RenderedParameters`.
    var values: ParameterTable { get }

    /// Calls `body` with the address after each change, on the thread that makes it, whatever callbacks clients set.
    func setOwner(_ body: @escaping (_ address: UInt64) -> Void)

    /// A new greatest value, for limits that follow the sample rate. A value above it comes down to it, of which
    /// observers are notified; the owner and the clients' callbacks are not, because it is the unit that does this.
    func limit(_ address: UInt64, to maximum: Float)

    /// Notifies observers of what a render thread has set since this was last called.
    func reportRendered()
}

/// Looks 50 times a second whether a render thread has set parameters of a tree that is watched, and notifies their
/// observers.
package enum RenderedParameters {
    private struct Watch {
        var trees: [ObjectIdentifier: (tree: any StoredParameters, count: Int)] = [:]
        var timer: (any DispatchSourceTimer)?
    }

    private static let queue = DispatchQueue(label: "Ossicle rendered parameters")
    private static let watch = Mutex(Watch())

    /// Begins to watch a tree; as many calls end it.
    package static func begin(_ tree: any StoredParameters) {
        watch.withLock { watch in
            watch.trees[ObjectIdentifier(tree), default: (tree, 0)].count += 1
            guard watch.timer == nil else { return }
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now() + .milliseconds(20), repeating: .milliseconds(20))
            timer.setEventHandler { for tree in watched { tree.reportRendered() } }
            timer.resume()
            watch.timer = timer
        }
    }

    /// Ends it, and notifies observers of what is left.
    package static func end(_ tree: any StoredParameters) {
        watch.withLock { watch in
            guard let entry = watch.trees[ObjectIdentifier(tree)] else { return }
            watch.trees[ObjectIdentifier(tree)] = entry.count > 1 ? (tree, entry.count - 1) : nil
            guard watch.trees.isEmpty else { return }
            watch.timer?.cancel()
            watch.timer = nil
        }
        tree.reportRendered()
    }

    private static var watched: [any StoredParameters] { watch.withLock { $0.trees.values.map(\.tree) } }
}

extension UInt64 {
    /// The address at which built-in units place a parameter: its number in the low 32 bits, above them 24 bits of
    /// element and 8 of scope. The greatest element there is, which the matrix mixer means its master by, becomes the
    /// greatest of 24 bits. `nil` where one of them is too large.
    package init?(parameterID: UInt32, scope: UInt32, element: UInt32) {
        let place = element == .max ? 0xFF_FFFF : element
        guard scope < 1 << 8, place < 1 << 24 else { return nil }
        self = UInt64(scope) << 56 | UInt64(place) << 32 | UInt64(parameterID)
    }
}
