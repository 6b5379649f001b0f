/// One parameter of a built-in unit, or one for each band or bus.
package struct UnitParameter: Sendable {
    /// What a value measures. Numbers are AudioUnitParameterUnit's.
    package enum Unit: UInt32, Sendable {
        case generic = 0
        case indexed = 1
        case boolean = 2
        case percent = 3
        case seconds = 4
        case sampleFrames = 5
        case rate = 7
        case hertz = 8
        case cents = 9
        case decibels = 13
        case linearGain = 14
        case degrees = 15
        case equalPowerCrossfade = 16
        case pan = 18
        case meters = 19
        case octaves = 21
        case milliseconds = 24
    }

    /// An upper limit, which may follow the sample rate.
    package enum Bound: Sendable, Equatable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
        case value(Float)
        case halfSampleRate
        case sampleRate

        package init(floatLiteral value: Float) { self = .value(value) }
        package init(integerLiteral value: Int) { self = .value(Float(value)) }

        /// The limit at a sample rate in Hz.
        package func value(at sampleRate: Double) -> Float {
            switch self {
            case .value(let value): value
            case .halfSampleRate: Float(sampleRate / 2)
            case .sampleRate: Float(sampleRate)
            }
        }
    }

    package enum Kind: Sendable {
        /// Clients set and read it; it can be ramped.
        case gliding
        /// Clients set and read it; it steps.
        case stepping
        /// The unit sets it.
        case meter
    }

    /// What there is one parameter of this kind for.
    package enum Place: Sendable {
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
    package let id: UInt32
    /// Name for programs.
    package let identifier: String
    /// Name for people.
    package let name: String
    package let unit: Unit
    package let minimum: Float
    package let maximum: Bound
    package let defaultValue: Float
    package let kind: Kind
    package let place: Place
    /// Names of the values from the least on.
    package let valueStrings: [String]?

    package init(
        _ id: UInt32, _ identifier: String, _ name: String, _ unit: Unit, from minimum: Float, to maximum: Bound,
        default defaultValue: Float, kind: Kind = .gliding, place: Place = .unit, valueStrings: [String]? = nil
    ) {
        self.id = id
        self.identifier = identifier
        self.name = name
        self.unit = unit
        self.minimum = minimum
        self.maximum = maximum
        self.defaultValue = defaultValue
        self.kind = kind
        self.place = place
        self.valueStrings = valueStrings
    }
}

/// A parameter of an effect and the field of the kernel's parameters that it sets.
///
/// `@unchecked`: the function captures nothing that changes.
struct EffectField<Parameters>: @unchecked Sendable {
    let parameter: UnitParameter
    /// `nil` for a parameter that the kernel does not have.
    let set: ((inout Parameters, Float) -> Void)?

    init(
        _ id: UInt32, _ identifier: String, _ name: String, _ unit: UnitParameter.Unit, from minimum: Float,
        to maximum: UnitParameter.Bound, default defaultValue: Float, kind: UnitParameter.Kind = .gliding,
        valueStrings: [String]? = nil, _ set: ((inout Parameters, Float) -> Void)? = nil
    ) {
        parameter = UnitParameter(
            id, identifier, name, unit, from: minimum, to: maximum, default: defaultValue, kind: kind,
            valueStrings: valueStrings)
        self.set = set
    }
}

/// The present values of a unit's parameters. Any thread; takes no lock and no memory.
package struct UnitValues {
    package let bandCount: Int
    private let read: (UInt32) -> Float

    package init(bandCount: Int, read: @escaping (UInt32) -> Float) {
        self.bandCount = bandCount
        self.read = read
    }

    package subscript(id: UInt32) -> Float { read(id) }
    func isOn(_ id: UInt32) -> Bool { read(id) >= 0.5 }

    /// The kernel's parameters: `initial` with every field set.
    func apply<Parameters>(_ fields: [EffectField<Parameters>], to initial: Parameters) -> Parameters {
        var parameters = initial
        // By index: a copy of a field would retain its names on the render thread.
        for index in fields.indices { fields[index].set?(&parameters, self[fields[index].parameter.id]) }
        return parameters
    }
}
