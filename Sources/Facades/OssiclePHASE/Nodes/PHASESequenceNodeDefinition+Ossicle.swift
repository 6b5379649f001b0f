import OssicleSoundEvents

/// Plays its children in turn (an addition of Ossicle).
///
///     first  ─────────────────┤
///     second           ├──────────────┤     `overlap` before the longest leaf of the first ends
///
/// Seams are exact to the frame while rates stand still. A child that never ends (a loop, a stream) keeps the rest waiting until it is culled for good;
/// one that makes no sound (a switch without a match) is passed over. Random and switch nodes choose when the event is triggered. In manual
/// update mode updates have to go on coming for the turns to be taken.
open class PHASESequenceNodeDefinition: PHASESoundEventNodeDefinition {
    /// How long before the end of a child the next one begins, in seconds (divided by `unitsPerSecond`). Default 0; clamped to 0 and up. No child begins before
    /// the one ahead of it.
    @Clamped(0...Double.greatestFiniteMagnitude) open var overlap = 0

    public required init() { super.init() }

    public init(identifier: String) { super.init(identifier: identifier) }

    /// Behind the children that are there.
    open func addSubtree(_ subtree: PHASESoundEventNodeDefinition) { children.append(subtree) }

    override func capturedKind(in capture: inout DefinitionCapture) throws -> EventTree.Kind { .sequence(overlap: overlap) }
}
