import Foundation
import OssicleSoundEvents
import OssicleSpatial

/// A control whose value nodes follow while they play. Any thread; takes effect at the next update.
open class PHASEMetaParameter: NSObject, @unchecked Sendable {
    /// The definition's identifier.
    public let identifier: String
    let control: EngineControl
    /// What the simulation works with. Under the engine's lock.
    let state: ParameterState
    /// Number of the event it belongs to; 0 of a shared one.
    var owner: UInt64 = 0

    init(identifier: String, control: EngineControl, _ value: ParameterState.Value) {
        self.identifier = identifier
        self.control = control
        state = ParameterState(value)
    }

    /// A number or a string, to match the kind. A value of the wrong type is recorded as the engine's `lastError` and
    /// not taken.
    open var value: Any {
        get { "" }
        set {}
    }

    func refuse(_ value: Any, expected: String) {
        control.record(
            PHASESoundEventError(
                .apiMisuse,
                "Meta-parameter “\(identifier)” was set to \(value), a \(type(of: value)); it takes \(expected). The old value stays."
            ))
    }
}

/// A number within limits, which can glide to a new value.
open class PHASENumberMetaParameter: PHASEMetaParameter, Posting, @unchecked Sendable {
    /// Lowest value; what is set below it is clamped.
    public let minimum: Double
    /// Highest value; what is set above it is clamped.
    public let maximum: Double
    private var requested: NumberFade
    var isPosted = false

    init(identifier: String, control: EngineControl, initial: Double, minimum: Double, maximum: Double) {
        self.minimum = minimum
        self.maximum = maximum
        requested = NumberFade(settledAt: initial.clamped(minimum, maximum))
        super.init(identifier: identifier, control: control, .number(requested))
    }

    /// A `Double`. Setting it ends a fade.
    open override var value: Any {
        get { control.requested { requested.value(at: control.now) } }
        set {
            guard let number = Double(metaParameterValue: newValue), !number.isNaN else {
                return refuse(newValue, expected: "a number")
            }
            control.post(self) {
                requested = NumberFade(settledAt: number.clamped(minimum, maximum))
                control.note(.number(owner, identifier, number))
            }
        }
    }

    /// Glides linearly to `value`, clamped to the limits, in `duration` (divided by the engine's `unitsPerSecond`; 0 or
    /// less jumps).
    open func fade(value: Double, duration: TimeInterval) {
        guard !value.isNaN, duration.isFinite else { return refuse(value, expected: "finite numbers") }
        control.post(self) {
            control.note(.fadeNumber(owner, identifier, to: value, seconds: duration))
            let (now, seconds) = (control.now, duration / control.settings.requested.unitsPerSecond)
            requested = NumberFade(
                from: requested.value(at: now), to: value.clamped(minimum, maximum), start: now,
                duration: max(seconds, 0))
        }
    }

    func applyRequested(_ control: EngineControl) {
        state.value = .number(requested)
        control.spatial.valuesChanged()
    }
}

/// A string, for switch nodes.
open class PHASEStringMetaParameter: PHASEMetaParameter, Posting, @unchecked Sendable {
    private var requested: String
    var isPosted = false

    init(identifier: String, control: EngineControl, initial: String) {
        requested = initial
        super.init(identifier: identifier, control: control, .text(initial))
    }

    /// A `String`.
    open override var value: Any {
        get { control.requested { requested } }
        set {
            guard let string = newValue as? String else { return refuse(newValue, expected: "a string") }
            control.post(self) {
                requested = string
                control.note(.text(owner, identifier, string))
            }
        }
    }

    func applyRequested(_ control: EngineControl) {
        state.value = .text(requested)
        control.spatial.valuesChanged()
    }
}

extension Double {
    /// Any of the number types a client may put into an `Any`.
    init?(metaParameterValue value: Any) {
        switch value {
        case let number as Double: self = number
        case let number as Float: self = Double(number)
        case let number as any BinaryInteger: self = Double(number)
        case let number as NSNumber: self = number.doubleValue
        default: return nil
        }
    }
}

extension NumberFade {
    /// A number that stays where it is.
    init(settledAt value: Double) { self.init(from: value, to: value, start: 0, duration: 0) }
}

extension PHASEMetaParameter {
    /// The running form of a captured parameter; nil for a mapped one, which follows its input.
    static func make(_ blueprint: ParameterBlueprint, control: EngineControl) -> PHASEMetaParameter? {
        switch blueprint.kind {
        case .number(let limits, let initial):
            PHASENumberMetaParameter(
                identifier: blueprint.identifier, control: control, initial: initial, minimum: limits.minimum,
                maximum: limits.maximum)
        case .text(let initial):
            PHASEStringMetaParameter(identifier: blueprint.identifier, control: control, initial: initial)
        case .mapped: nil
        }
    }
}
