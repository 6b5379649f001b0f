import OssicleCoreAudioTypes

/// What can be wrong with a mixing property.
enum MixingFault {
    static func notANumber(_ object: String) -> OssicleError {
        .avfaudio(kAudioUnitErr_InvalidParameterValue, object, value: "a value that is not a finite number", rule: "Mixing properties are numbers.",
                  cure: "Check the computation it comes from; the old value stays.")
    }
}
