// Small types of the version 3 units that need no format.

/// Direction of a bus.
public enum AUAudioUnitBusType: Int, Sendable {
    /// Into the unit.
    case input = 1
    /// Out of the unit.
    case output = 2
}

/// A stored setting of a unit: a name and a number, 0 and up for the maker's, below 0 for the user's.
open class AUAudioUnitPreset: NSObject, NSSecureCoding {
    /// Identifies the preset.
    open var number = 0
    /// Name to show.
    open var name = ""

    /// Preset 0 without a name.
    public override init() {}

    public static var supportsSecureCoding: Bool { true }

    /// Writes number and name; needs a keyed archiver.
    open func encode(with coder: NSCoder) {
        coder.encode(Int64(number), forKey: "number")
        coder.encode(name as NSString, forKey: "name")
    }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        number = Int(coder.decodeInt64(forKey: "number"))
        name = (coder.decodeObject(of: NSString.self, forKey: "name") ?? "") as String
    }
}
