// One parameter of a unit: a number in a range.

import OssicleCore

/// A parameter. Its value stays between `minValue` and `maxValue`; NaN is refused. Any thread but the render thread.
open class AUParameter: AUParameterNode, NSSecureCoding, @unchecked Sendable {
    /// Value and range.
    let stored: ParameterValue
    /// What the value measures.
    public let unit: AudioUnitParameterUnit
    /// Name of a `.customUnit`.
    public let unitName: String?
    /// What the parameter can do.
    public let flags: AudioUnitParameterOptions
    /// Identifies the parameter in its tree.
    public let address: AUParameterAddress
    /// Names of the values from `minValue` on, one for each whole number.
    public let valueStrings: [String]?
    /// Addresses of parameters whose values this one changes.
    public let dependentParameters: [NSNumber]?

    /// Limits in the wrong order are swapped, NaN counts as 0; the value starts at 0, or the limit next to it.
    init(
        identifier: String, name: String, address: AUParameterAddress, min: AUValue, max: AUValue,
        unit: AudioUnitParameterUnit,
        unitName: String?, flags: AudioUnitParameterOptions, valueStrings: [String]?, dependentParameters: [NSNumber]?
    ) {
        stored = ParameterValue(minimum: min, maximum: max)
        self.unit = unit
        self.unitName = unitName
        self.flags = flags
        self.address = address
        self.valueStrings = valueStrings
        self.dependentParameters = dependentParameters
        super.init(identifier: identifier, displayName: name)
    }

    /// Least value.
    public var minValue: AUValue { stored.minimum }

    /// Greatest value.
    public var maxValue: AUValue { stored.maximum }

    /// The value. Setting it clamps to the range and tells every observer; NaN changes nothing.
    public var value: AUValue {
        get {
            guard let provided = nearest(\.valueProvider)?(self), !provided.isNaN else { return storedValue }
            return provided
        }
        set { setValue(newValue, originator: nil) }
    }

    /// Sets the value as `value` does, now, and tells every observer but the one whose token is `originator`.
    public func setValue(_ value: AUValue, originator: AUParameterObserverToken?) {
        setValue(value, originator: originator, atHostTime: mach_absolute_time())
    }

    /// Sets the value as `value` does; recordings show `hostTime`.
    public func setValue(_ value: AUValue, originator: AUParameterObserverToken?, atHostTime hostTime: UInt64) {
        setValue(value, originator: originator, atHostTime: hostTime, eventType: .value)
    }

    /// Sets the value as `value` does; automations show `hostTime` and whether a control was touched or released.
    open func setValue(
        _ value: AUValue, originator: AUParameterObserverToken?, atHostTime hostTime: UInt64,
        eventType: AUParameterAutomationEventType
    ) {
        guard !value.isNaN else { return }
        let accepted = stored.set(value)
        nearest(\.owner)?(address)
        nearest(\.valueObserver)?(self, accepted)
        report(
            ParameterChange(address: address, value: accepted, hostTime: hostTime, eventType: eventType),
            except: originator)
    }

    /// The value last set, whatever a value provider says. Any thread, without a lock.
    var storedValue: AUValue { stored.current }

    /// Reports to the observers what a render thread has set since this was last called.
    func reportRendered() {
        guard stored.takeRendered() else { return }
        let value = storedValue
        nearest(\.valueObserver)?(self, value)
        report(
            ParameterChange(address: address, value: value, hostTime: mach_absolute_time(), eventType: .value),
            except: nil)
    }

    /// A new greatest value. A value above it comes down to it, of which only observers are notified.
    func limit(to maximum: AUValue) {
        guard let value = stored.limit(to: maximum) else { return }
        report(
            ParameterChange(address: address, value: value, hostTime: mach_absolute_time(), eventType: .value),
            except: nil)
    }

    // MARK: Archives

    /// True: keyed archives of it may be read securely.
    public static var supportsSecureCoding: Bool { true }

    /// Writes everything but callbacks and observers; needs a keyed archiver.
    public func encode(with coder: NSCoder) {
        coder.encode(identifier as NSString, forKey: "identifier")
        coder.encode(displayName as NSString, forKey: "name")
        coder.encode(Int64(bitPattern: address), forKey: "address")
        coder.encode(minValue, forKey: "min")
        coder.encode(maxValue, forKey: "max")
        coder.encode(storedValue, forKey: "value")
        coder.encode(Int64(unit.rawValue), forKey: "unit")
        coder.encode(Int64(flags.rawValue), forKey: "flags")
        coder.encode(unitName.map { $0 as NSString }, forKey: "unitName")
        coder.encode(valueStrings.map { $0.map { $0 as NSString } as NSArray }, forKey: "valueStrings")
        coder.encode(dependentParameters.map { $0 as NSArray }, forKey: "dependentParameters")
    }

    /// Reads what `encode(with:)` wrote; `nil` without an identifier.
    public required convenience init?(coder: NSCoder) {
        guard let identifier = coder.decodeObject(of: NSString.self, forKey: "identifier") else { return nil }
        let name = coder.decodeObject(of: NSString.self, forKey: "name") ?? identifier
        let strings = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: "valueStrings") as? [NSString]
        let dependents =
            coder.decodeObject(of: [NSArray.self, NSNumber.self], forKey: "dependentParameters") as? [NSNumber]
        self.init(
            identifier: identifier as String, name: name as String,
            address: AUParameterAddress(bitPattern: coder.decodeInt64(forKey: "address")),
            min: coder.decodeFloat(forKey: "min"), max: coder.decodeFloat(forKey: "max"),
            unit: AudioUnitParameterUnit(rawValue: UInt32(truncatingIfNeeded: coder.decodeInt64(forKey: "unit")))
                ?? .generic,
            unitName: coder.decodeObject(of: NSString.self, forKey: "unitName").map { $0 as String },
            flags: AudioUnitParameterOptions(rawValue: UInt32(truncatingIfNeeded: coder.decodeInt64(forKey: "flags"))),
            valueStrings: strings?.map { $0 as String }, dependentParameters: dependents)
        value = coder.decodeFloat(forKey: "value")
    }
}

extension AUParameter {
    /// The value at `value`, or the current one, in words.
    @discardableResult
    public func string(fromValue value: UnsafePointer<AUValue>?) -> String {
        implementorStringFromValueCallback(self, value)
    }

    /// The value that `string` means, within the range; the current one where it means none.
    @discardableResult
    public func value(from string: String) -> AUValue {
        let value = implementorValueFromStringCallback(self, string)
        return value.isNaN ? self.value : min(max(value, minValue), maxValue)
    }

    /// The value's own string, or the number rounded to three decimals.
    func plainString(of value: AUValue) -> String {
        if let valueStrings, let index = Int(exactly: (value - minValue).rounded()),
            valueStrings.indices.contains(index)
        {
            return valueStrings[index]
        }
        guard value.magnitude < 1e6 else { return "\(value)" }
        let text = "\((Double(value) * 1000).rounded() / 1000)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// The value that has this string, or the number the text begins with; NaN where there is neither.
    func plainValue(of text: String) -> AUValue {
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        if let index = valueStrings?.firstIndex(where: { $0.caseInsensitiveCompare(trimmed) == .orderedSame }) {
            return minValue + AUValue(index)
        }
        let number = trimmed.prefix { $0.isNumber || "+-.eE".contains($0) }
        return (0...number.count).lazy.compactMap { AUValue(number.dropLast($0)) }.first ?? .nan
    }
}
