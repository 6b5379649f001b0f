import OssicleCoreAudioTypes

/// What can be wrong with an environment.
enum EnvironmentFault {
    static func noOrientation(_ object: String) -> OssicleError {
        .avfaudio(kAudioUnitErr_InvalidParameterValue, object, value: "an orientation that is none",
                  rule: "Angles are finite; forward and up are finite, not zero and not parallel.", cure: "Check the computation it comes from; the old orientation stays.")
    }

    static func noHead(_ object: String, _ error: any Error) -> OssicleError {
        .avfaudio(kAudioUnitErr_FormatNotSupported, object, value: "\(error)", rule: "Environments render at 8 to 384 kHz.",
                  cure: "Connect the output with a rate in that range; until then the node is silent.")
    }
}
