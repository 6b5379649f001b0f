import OssicleCoreAudioTypes

/// The error of what is declared and not there yet; `Documentation/Status.md` lists its callers.
func notImplemented(_ feature: String, _ consequence: String) -> OssicleError {
    .avfaudio(kAudio_UnimplementedError, feature, value: "asked for", rule: "This is not implemented in Ossicle yet.", cure: consequence)
}
