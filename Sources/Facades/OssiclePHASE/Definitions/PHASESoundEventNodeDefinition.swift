import Foundation
import OssicleSoundEvents
import Synchronization

/// The base of everything that is described first and brought to life with a sound event.
///
/// Definitions are captured when a sound event asset is registered; later edits are not seen. Edit one from one thread
/// at a time.
open class PHASEDefinition: NSObject {
    /// Given by the caller or generated; key of what comes of this definition in a running sound event.
    open internal(set) var identifier: String

    init(identifier: String? = nil) {
        self.identifier = identifier ?? GeneratedIdentifier.next()
        super.init()
    }
}

/// Names for what the client leaves unnamed: unique in this process, and in the order of asking.
enum GeneratedIdentifier {
    private static let count = Atomic<UInt64>(0)

    static func next() -> String {
        "ossicle.generated.\(count.wrappingAdd(1, ordering: .relaxed).newValue)"
    }
}

/// A node of the tree that says what a sound event plays.
open class PHASESoundEventNodeDefinition: PHASEDefinition {
    /// In the order they were added.
    open internal(set) var children: [PHASESoundEventNodeDefinition] = []

    /// What is particular to this kind of node.
    func capturedKind(in capture: inout DefinitionCapture) throws -> EventTree.Kind { .container }
}

extension PHASESoundEventNodeDefinition {
    /// The tree below this node as it is now.
    ///
    /// - Throws: `PHASEAssetError.badParameters`, naming the node, for a node below itself, more than 1,000 levels or
    ///   65,536 places, a blend threshold that is not a number, or one identifier for two kinds of meta-parameter.
    func snapshot() throws -> EventTree { try DefinitionCapture.event(from: self).tree }
}

/// Plays all its children together.
open class PHASEContainerNodeDefinition: PHASESoundEventNodeDefinition {
    /// Without children, with an identifier that is made for it.
    public required init() { super.init() }

    /// Without children.
    public init(identifier: String) { super.init(identifier: identifier) }

    /// As `init()`.
    @discardableResult
    open class func new() -> Self { self.init() }

    /// Adds a child.
    open func addSubtree(_ subtree: PHASESoundEventNodeDefinition) { children.append(subtree) }
}

/// Plays one of its children, drawn anew at each trigger.
open class PHASERandomNodeDefinition: PHASESoundEventNodeDefinition {
    private var weights: [Double] = []

    /// For how many further triggers a child that was drawn is left out. Default 0; clamped to 0 and up.
    ///
    /// With as many as there are children, or more, every child comes once and then the one that waited longest.
    open var uniqueSelectionQueueLength = 0 {
        didSet { uniqueSelectionQueueLength = max(uniqueSelectionQueueLength, 0) }
    }

    /// Without children, with an identifier that is made for it.
    public init() { super.init() }

    /// Without children.
    public convenience init(identifier: String) {
        self.init()
        self.identifier = identifier
    }

    /// Adds a child.
    ///
    /// - Parameters:
    ///   - subtree: the child.
    ///   - weight: how often it comes, relative to the others; clamped to 1 and up.
    open func addSubtree(_ subtree: PHASESoundEventNodeDefinition, weight: NSNumber) {
        children.append(subtree)
        weights.append(weight.doubleValue >= 1 ? weight.doubleValue : 1)
    }

    override func capturedKind(in capture: inout DefinitionCapture) throws -> EventTree.Kind {
        .random(weights: weights, uniqueQueue: uniqueSelectionQueueLength)
    }
}

/// Plays the child that belongs to the current text of a meta-parameter. Chosen at the trigger, not while playing.
open class PHASESwitchNodeDefinition: PHASESoundEventNodeDefinition {
    /// What chooses the child.
    open private(set) var switchMetaParameterDefinition: PHASEStringMetaParameterDefinition
    private var texts: [String] = []

    /// A switch by a text that the program sets.
    public init(switchMetaParameterDefinition: PHASEStringMetaParameterDefinition) {
        self.switchMetaParameterDefinition = switchMetaParameterDefinition
        super.init()
    }

    /// With an identifier of your own, by which explanations name it.
    public convenience init(switchMetaParameterDefinition: PHASEStringMetaParameterDefinition, identifier: String) {
        self.init(switchMetaParameterDefinition: switchMetaParameterDefinition)
        self.identifier = identifier
    }

    /// Of several children with the same text the first one counts.
    open func addSubtree(_ subtree: PHASESoundEventNodeDefinition, switchValue: String) {
        children.append(subtree)
        texts.append(switchValue)
    }

    override func capturedKind(in capture: inout DefinitionCapture) throws -> EventTree.Kind {
        .selection(parameter: try capture.parameter(switchMetaParameterDefinition), texts: texts)
    }
}

/// Plays its children in turn (an addition of Ossicle).
///
///     first  ─────────────────┤
///     second           ├──────────────┤     `overlap` before the longest leaf of the first ends
///
/// Seams are exact to the frame while rates stand still. A child that never ends (a loop, a stream) keeps the rest
/// waiting until it is culled for good; one that makes no sound (a switch without a match) is passed over. Random and
/// switch nodes choose when the event is triggered. In manual update mode updates have to go on coming for the turns to
/// be taken.
open class PHASESequenceNodeDefinition: PHASESoundEventNodeDefinition {
    /// How long before the end of a child the next one begins, in seconds (divided by `unitsPerSecond`). Default 0;
    /// clamped to 0 and up. No child begins before the one ahead of it.
    @Clamped(0...Double.greatestFiniteMagnitude) open var overlap = 0

    /// A sequence without children, with an identifier that is made for it.
    public required init() { super.init() }

    /// A sequence without children.
    public init(identifier: String) { super.init(identifier: identifier) }

    /// Behind the children that are there.
    open func addSubtree(_ subtree: PHASESoundEventNodeDefinition) { children.append(subtree) }

    override func capturedKind(in capture: inout DefinitionCapture) throws -> EventTree.Kind {
        .sequence(overlap: overlap)
    }
}
