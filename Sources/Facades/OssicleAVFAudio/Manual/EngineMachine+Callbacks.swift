import OssicleCoreAudioTypes

/// Offline rendering keeps in step with the client's handlers.
extension EngineMachine {
    /// Returns when the handlers and tap blocks that are due have, and records those that did not in time. Not under
    /// the lock, nor within a render call.
    func waitForCallbacks() {
        let limit = locked { session.callbackLimit }
        for name in session.callbacks.wait(atMost: limit) {
            errors.record(
                OssicleError.avfaudio(
                    kAudioUnitErr_CannotDoInCurrentContext, name, value: "it has not returned after \(limit) s",
                    rule:
                        "An offline render call waits for the handlers that are due; this one is passed over, and what it does is no longer in step with the sound.",
                    cure: "Let handlers return soon, or set offlineHandlerTimeLimit to what they take."))
        }
    }
}
