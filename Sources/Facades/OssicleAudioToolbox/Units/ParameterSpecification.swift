// A parameter of a built-in unit, before a unit exists.

/// Number, name, unit, range and default of one parameter, or of one for each band or bus.
package struct ParameterSpecification: Sendable {
    /// An upper limit, which may follow the sample rate.
    package enum Bound: Sendable, Equatable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
        case value(AUValue)
        case halfSampleRate
        case sampleRate

        package init(floatLiteral value: Float) { self = .value(value) }
        package init(integerLiteral value: Int) { self = .value(AUValue(value)) }

        /// The limit at a sample rate in Hz.
        package func value(at sampleRate: Double) -> AUValue {
            switch self {
            case .value(let value): value
            case .halfSampleRate: AUValue(sampleRate / 2)
            case .sampleRate: AUValue(sampleRate)
            }
        }
    }

    /// What there is one parameter of this kind for.
    package enum Place: Sendable {
        /// The unit.
        case unit
        /// Each band; the number counts up with the band.
        case band
        /// Each input bus.
        case input
        /// The output bus.
        case output
        /// Each input bus, and the output bus.
        case inputAndOutput
    }

    /// Number in the C interface; of the first band.
    package let id: AudioUnitParameterID
    /// Name for programs.
    package let identifier: String
    /// Name for people.
    package let name: String
    /// What the value measures.
    package let unit: AudioUnitParameterUnit
    /// Least value.
    package let minimum: AUValue
    /// Greatest value.
    package let maximum: Bound
    /// Value of a fresh unit.
    package let defaultValue: AUValue
    /// What it can do.
    package let flags: AudioUnitParameterOptions
    /// What there is one for.
    package let place: Place
    /// Names of the values from the least on.
    package let valueStrings: [String]?

    package init(_ id: AudioUnitParameterID, _ identifier: String, _ name: String, _ unit: AudioUnitParameterUnit, from minimum: AUValue,
                 to maximum: Bound, default defaultValue: AUValue, flags: AudioUnitParameterOptions = .settable, place: Place = .unit,
                 valueStrings: [String]? = nil) {
        self.id = id
        self.identifier = identifier
        self.name = name
        self.unit = unit
        self.minimum = minimum
        self.maximum = maximum
        self.defaultValue = defaultValue
        self.flags = valueStrings == nil ? flags : flags.union(.flag_ValuesHaveStrings)
        self.place = place
        self.valueStrings = valueStrings
    }
}

extension AudioUnitParameterOptions {
    /// Clients set and read it, and the unit ramps to it.
    package static let settable: Self = [.flag_IsReadable, .flag_IsWritable, .flag_CanRamp]
    /// Clients set and read it; it steps.
    static let stepping: Self = [.flag_IsReadable, .flag_IsWritable]
    /// The unit sets it.
    static let meter: Self = [.flag_IsReadable, .flag_MeterReadOnly]
}
