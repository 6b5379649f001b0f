// Parameters that belong together.

/// A node that holds others. Made by `AUParameterTree`; its children never change.
open class AUParameterGroup: AUParameterNode, NSSecureCoding, @unchecked Sendable {
    /// The nodes directly below, in order.
    public let children: [AUParameterNode]

    init(identifier: String, name: String, children: [AUParameterNode]) {
        self.children = children
        super.init(identifier: identifier, displayName: name)
    }

    /// Every parameter below, in order, at any depth.
    public var allParameters: [AUParameter] {
        children.flatMap { node in
            (node as? AUParameterGroup)?.allParameters ?? [node as? AUParameter].compactMap { $0 }
        }
    }

    /// Makes this group the parent of its children.
    func adoptChildren() {
        for child in children { child.parent = self }
    }

    /// The same nodes once more, with `offset` added to every address.
    func copiesOfChildren(addressOffset offset: AUParameterAddress) -> [AUParameterNode] {
        children.compactMap { node in
            switch node {
            case let parameter as AUParameter: return parameter.copy(addressOffset: offset)
            case let group as AUParameterGroup:
                return AUParameterTree.createGroup(
                    fromTemplate: group, identifier: group.identifier, name: group.displayName, addressOffset: offset)
            default: return nil
            }
        }
    }

    // MARK: Archives

    /// True: keyed archives of it may be read securely.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the group with everything below it, but no callbacks and observers; needs a keyed archiver.
    public func encode(with coder: NSCoder) {
        coder.encode(identifier as NSString, forKey: "identifier")
        coder.encode(displayName as NSString, forKey: "name")
        coder.encode(children as NSArray, forKey: "children")
    }

    /// Reads what `encode(with:)` wrote; `nil` without children.
    public required init?(coder: NSCoder) {
        let classes: [AnyClass] = [NSArray.self, AUParameter.self, AUParameterGroup.self]
        guard let nodes = coder.decodeObject(of: classes, forKey: "children") as? [AUParameterNode] else { return nil }
        children = nodes
        let identifier = coder.decodeObject(of: NSString.self, forKey: "identifier") ?? ""
        super.init(
            identifier: identifier as String,
            displayName: (coder.decodeObject(of: NSString.self, forKey: "name") ?? identifier) as String)
        adoptChildren()
    }
}

extension AUParameter {
    /// The same parameter with the same value at another address.
    fileprivate func copy(addressOffset offset: AUParameterAddress) -> AUParameter {
        let copy = AUParameter(
            identifier: identifier, name: displayName, address: address &+ offset, min: minValue, max: maxValue,
            unit: unit,
            unitName: unitName, flags: flags, valueStrings: valueStrings,
            dependentParameters: dependentParameters?.map { NSNumber(value: $0.uint64Value &+ offset) })
        copy.value = storedValue
        return copy
    }
}

extension AUParameterGroup {
    /// The child with this identifier, an `AUParameterNode`.
    @discardableResult
    public func value(forKey key: String) -> Any? {
        children.first { $0.identifier == key }
    }

    /// The node whose key path below this group is `keyPath`, an `AUParameterNode`.
    @discardableResult
    public func value(forKeyPath keyPath: String) -> Any? {
        let parts = keyPath.split(separator: ".", maxSplits: 1).map(String.init)
        guard let first = parts.first, let node = value(forKey: first) else { return nil }
        return parts.count == 1 ? node : (node as? AUParameterGroup)?.value(forKeyPath: parts[1])
    }
}
