// What the C interface says of parameters, and how it schedules them.

import OssicleCoreAudioTypes

/// 52 characters, the short name of an `AudioUnitParameterInfo`.
public typealias AudioUnitParameterName = (
    CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
    CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
    CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
    CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar
)

/// What a parameter is; data of `kAudioUnitProperty_ParameterInfo`.
public struct AudioUnitParameterInfo: @unchecked Sendable {
    /// The name, in UTF-8, ended by 0.
    public var name: AudioUnitParameterName = (
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    )
    /// Name of a custom unit, else `nil`.
    public var unitName: Unmanaged<CFString>?
    /// The clump it belongs to, with `flag_HasClump`.
    public var clumpID: UInt32 = 0
    /// The name, with `flag_HasCFNameString`; the reader releases it with `flag_CFNameRelease`.
    public var cfNameString: Unmanaged<CFString>?
    /// What the value measures.
    public var unit = AudioUnitParameterUnit.generic
    /// Least value.
    public var minValue: AudioUnitParameterValue = 0
    /// Greatest value.
    public var maxValue: AudioUnitParameterValue = 0
    /// Value of a fresh unit.
    public var defaultValue: AudioUnitParameterValue = 0
    /// What it can do.
    public var flags: AudioUnitParameterOptions = []

    /// Nothing.
    public init() {}
}

/// A name of a number of characters; data of `kAudioUnitProperty_ParameterIDName`.
public struct AudioUnitParameterNameInfo: @unchecked Sendable {
    /// Number of the parameter.
    public var inID: AudioUnitParameterID
    /// Characters wanted; −1 for the whole name.
    public var inDesiredLength: Int32
    /// The name, which the reader releases.
    public var outName: Unmanaged<CFString>?

    /// Parameter 0.
    public init() { self.init(inID: 0, inDesiredLength: 0, outName: nil) }

    /// A question.
    public init(inID: AudioUnitParameterID, inDesiredLength: Int32, outName: Unmanaged<CFString>?) {
        self.inID = inID
        self.inDesiredLength = inDesiredLength
        self.outName = outName
    }
}

/// The same.
public typealias AudioUnitParameterIDName = AudioUnitParameterNameInfo
/// The whole name.
public let kAudioUnitParameterName_Full = -1
/// The clump of the system's parameters.
public let kAudioUnitClumpID_System = 0

/// A value in words; data of `kAudioUnitProperty_ParameterStringFromValue`.
public struct AudioUnitParameterStringFromValue: @unchecked Sendable {
    /// Number of the parameter.
    public var inParamID: AudioUnitParameterID
    /// The value.
    public var inValue: UnsafePointer<AudioUnitParameterValue>
    /// The words, which the reader releases.
    public var outString: Unmanaged<CFString>?

    /// A question.
    public init(
        inParamID: AudioUnitParameterID, inValue: UnsafePointer<AudioUnitParameterValue>,
        outString: Unmanaged<CFString>?
    ) {
        self.inParamID = inParamID
        self.inValue = inValue
        self.outString = outString
    }
}

/// A value from words; data of `kAudioUnitProperty_ParameterValueFromString`.
public struct AudioUnitParameterValueFromString: @unchecked Sendable {
    /// Number of the parameter.
    public var inParamID: AudioUnitParameterID
    /// The words.
    public var inString: Unmanaged<CFString>
    /// The value.
    public var outValue: AudioUnitParameterValue

    /// A question.
    public init(inParamID: AudioUnitParameterID, inString: Unmanaged<CFString>, outValue: AudioUnitParameterValue) {
        self.inParamID = inParamID
        self.inString = inString
        self.outValue = outValue
    }
}

/// How a scheduled parameter changes.
public enum AUParameterEventType: UInt32, Sendable {
    /// It steps.
    case parameterEvent_Immediate = 1
    /// It moves in a straight line.
    case parameterEvent_Ramped = 2
}

/// A scheduled change of a parameter; argument of `AudioUnitScheduleParameters`.
public struct AudioUnitParameterEvent: Sendable {
    /// Scope of the parameter.
    public var scope: AudioUnitScope = 0
    /// Element of the parameter.
    public var element: AudioUnitElement = 0
    /// Number of the parameter.
    public var parameter: AudioUnitParameterID = 0
    /// Which of the two values holds.
    public var eventType = AUParameterEventType.parameterEvent_Immediate
    /// The change.
    public var eventValues = __Unnamed_union_eventValues()

    /// A step of parameter 0 to 0.
    public init() {}

    /// A ramp or a step, in the same bytes.
    public struct __Unnamed_union_eventValues: Sendable {
        /// A straight line.
        public var ramp = __Unnamed_struct_ramp()

        /// A step.
        public var immediate: __Unnamed_struct_immediate {
            get {
                __Unnamed_struct_immediate(
                    bufferOffset: UInt32(bitPattern: ramp.startBufferOffset),
                    value: AudioUnitParameterValue(bitPattern: ramp.durationInFrames))
            }
            set {
                (ramp.startBufferOffset, ramp.durationInFrames) = (
                    Int32(bitPattern: newValue.bufferOffset), newValue.value.bitPattern
                )
            }
        }

        /// Zeros.
        public init() {}

        /// A straight line.
        public init(ramp: __Unnamed_struct_ramp) { self.ramp = ramp }

        /// A step.
        public init(immediate: __Unnamed_struct_immediate) { self.immediate = immediate }

        /// A straight line.
        public struct __Unnamed_struct_ramp: Sendable {
            /// Frame of the next render call at which it begins; below 0 where it began before.
            public var startBufferOffset: Int32
            /// Its length.
            public var durationInFrames: UInt32
            /// Where it begins.
            public var startValue: AudioUnitParameterValue
            /// Where it ends.
            public var endValue: AudioUnitParameterValue

            /// A ramp; zeros where nothing is given.
            public init(
                startBufferOffset: Int32 = 0, durationInFrames: UInt32 = 0, startValue: AudioUnitParameterValue = 0,
                endValue: AudioUnitParameterValue = 0
            ) {
                self.startBufferOffset = startBufferOffset
                self.durationInFrames = durationInFrames
                self.startValue = startValue
                self.endValue = endValue
            }
        }

        /// A step.
        public struct __Unnamed_struct_immediate: Sendable {
            /// Frame of the next render call at which it happens.
            public var bufferOffset: UInt32
            /// The value.
            public var value: AudioUnitParameterValue

            /// A step; zeros where nothing is given.
            public init(bufferOffset: UInt32 = 0, value: AudioUnitParameterValue = 0) {
                (self.bufferOffset, self.value) = (bufferOffset, value)
            }
        }
    }
}
