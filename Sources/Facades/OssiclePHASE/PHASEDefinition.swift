import Foundation
import Synchronization

/// The base of everything that is described first and brought to life with a sound event.
///
/// Definitions are captured when a sound event asset is registered; later edits are not seen. Edit one from one thread at a time.
open class PHASEDefinition: NSObject {
    /// Given by the caller or generated; key of what comes of this definition in a running sound event.
    open internal(set) var identifier: String

    package init(identifier: String? = nil) {
        self.identifier = identifier ?? GeneratedIdentifier.next()
        super.init()
    }
}

/// Names for what the client leaves unnamed: unique in this process, and in the order of asking.
package enum GeneratedIdentifier {
    private static let count = Atomic<UInt64>(0)

    package static func next() -> String {
        "ossicle.generated.\(count.wrappingAdd(1, ordering: .relaxed).newValue)"
    }
}
