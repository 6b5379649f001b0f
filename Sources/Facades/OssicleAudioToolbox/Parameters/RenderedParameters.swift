// Changes of parameters by render threads, reported to observers from another thread.

import Synchronization

/// Looks 50 times a second whether a render thread has set parameters of a tree that is watched, and reports to their observers.
package enum RenderedParameters {
    private struct Watch {
        var trees: [ObjectIdentifier: (tree: AUParameterTree, count: Int)] = [:]
        var timer: (any DispatchSourceTimer)?
    }

    private static let queue = DispatchQueue(label: "Ossicle rendered parameters")
    private static let watch = Mutex(Watch())

    /// Begins to watch a tree; as many calls end it.
    package static func begin(_ tree: AUParameterTree) {
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

    /// Ends it, and reports what is left.
    package static func end(_ tree: AUParameterTree) {
        watch.withLock { watch in
            guard let entry = watch.trees[ObjectIdentifier(tree)] else { return }
            watch.trees[ObjectIdentifier(tree)] = entry.count > 1 ? (tree, entry.count - 1) : nil
            guard watch.trees.isEmpty else { return }
            watch.timer?.cancel()
            watch.timer = nil
        }
        tree.reportRendered()
    }

    private static var watched: [AUParameterTree] { watch.withLock { $0.trees.values.map(\.tree) } }
}
