// Nodes by name, in the spelling of key-value coding, which Foundation on Linux does not have.

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
