// The parameters of a unit.

import OssicleCore
import OssicleProperties

/// The root of a unit's parameters. Also the place where parameters, groups and trees are made.
open class AUParameterTree: AUParameterGroup, StoredParameters, @unchecked Sendable {
    /// Made with the tree, whose nodes never change.
    private var byAddress: [AUParameterAddress: AUParameter] = [:]
    package private(set) var values = ParameterTable([:])

    override init(identifier: String, name: String, children: [AUParameterNode]) {
        super.init(identifier: identifier, name: name, children: children)
        listAddresses()
    }

    /// Reads what `encode(with:)` wrote; `nil` without children.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        listAddresses()
    }

    private func listAddresses() {
        byAddress = Dictionary(allParameters.map { ($0.address, $0) }, uniquingKeysWith: { first, _ in first })
        values = ParameterTable(byAddress.mapValues(\.stored))
    }

    package func setOwner(_ body: @escaping (UInt64) -> Void) { callOwner(body) }

    package func limit(_ address: UInt64, to maximum: Float) { parameter(withAddress: address)?.limit(to: maximum) }

    package func reportRendered() {
        guard values.takeRendered() else { return }
        for parameter in allParameters { parameter.reportRendered() }
    }

    /// The parameter at `address`; of several, the first. Any thread, without a lock.
    @discardableResult
    public func parameter(withAddress address: AUParameterAddress) -> AUParameter? {
        byAddress[address]
    }

    /// The parameter that the C interface calls `paramID` of `element` in `scope`.
    ///
    /// Built-in units place it at the address that `AUParameterAddress(parameterID:scope:element:)` gives, which in the
    /// global scope is the number itself.
    @discardableResult
    public func parameter(
        withID paramID: AudioUnitParameterID, scope: AudioUnitScope, element: AudioUnitElement
    ) -> AUParameter? {
        AUParameterAddress(parameterID: paramID, scope: scope, element: element).flatMap { parameter(withAddress: $0) }
    }

    /// A parameter with a range from `min` to `max`; limits in the wrong order are swapped, NaN counts as 0. Its value
    /// starts at 0, or the limit next to it. `valueStrings` names the whole numbers from `min` on.
    @discardableResult
    public class func createParameter(
        withIdentifier identifier: String, name: String, address: AUParameterAddress, min: AUValue, max: AUValue,
        unit: AudioUnitParameterUnit, unitName: String?, flags: AudioUnitParameterOptions = [],
        valueStrings: [String]?, dependentParameters: [NSNumber]?
    ) -> AUParameter {
        AUParameter(
            identifier: identifier, name: name, address: address, min: min, max: max, unit: unit, unitName: unitName,
            flags: flags,
            valueStrings: valueStrings, dependentParameters: dependentParameters)
    }

    /// A group of nodes. A node belongs to the group it was last put in.
    @discardableResult
    public class func createGroup(
        withIdentifier identifier: String, name: String, children: [AUParameterNode]
    ) -> AUParameterGroup {
        let group = AUParameterGroup(identifier: identifier, name: name, children: children)
        group.adoptChildren()
        return group
    }

    /// A group to be copied by `createGroup(fromTemplate:identifier:name:addressOffset:)`; no part of a tree itself.
    @discardableResult
    public class func createGroupTemplate(_ children: [AUParameterNode]) -> AUParameterGroup {
        createGroup(withIdentifier: "", name: "", children: children)
    }

    /// A copy of a template, with `addressOffset` added to every address.
    @discardableResult
    public class func createGroup(
        fromTemplate templateGroup: AUParameterGroup, identifier: String, name: String,
        addressOffset: AUParameterAddress
    ) -> AUParameterGroup {
        createGroup(
            withIdentifier: identifier, name: name,
            children: templateGroup.copiesOfChildren(addressOffset: addressOffset))
    }

    /// A tree of nodes.
    @discardableResult
    public class func createTree(withChildren children: [AUParameterNode]) -> AUParameterTree {
        let tree = AUParameterTree(identifier: "", name: "", children: children)
        tree.adoptChildren()
        return tree
    }
}
