import CPulse

/// A connection to a sound server, with the main loop that drives it. Belongs to the thread that made it.
///
/// No lock is needed: other threads never touch libpulse, they leave notes in atomics that this thread finds when its
/// loop turns.
final class PulseConnection {
    let device: String
    let context: OpaquePointer
    private let mainLoop: OpaquePointer
    private let deadline: ContinuousClock.Instant

    /// A server that says nothing for this many seconds is not there.
    static let patience = 1.5
    /// Microseconds between two looks at the notes of other threads, when the server says nothing.
    private static let nap: Int32 = 50_000

    /// Connects, and returns when the server has answered; throws after `patience` at the latest.
    init(device: String, server: String, client: String) throws(DeviceError) {
        self.device = device
        deadline = ContinuousClock.now + .seconds(PulseConnection.patience)
        guard let mainLoop = pa_mainloop_new() else {
            throw .refused(device: device, code: PulseConnection.internalError)
        }
        guard let context = pa_context_new(pa_mainloop_get_api(mainLoop), client) else {
            pa_mainloop_free(mainLoop)
            throw .refused(device: device, code: PulseConnection.internalError)
        }
        (self.mainLoop, self.context) = (mainLoop, context)
        // The library would start a server of its own where none runs; that is the user's to do.
        guard pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0 else {
            throw failure(orElse: server)
        }
        do {
            try wait { pa_context_get_state(context) == PA_CONTEXT_READY }
        } catch DeviceError.disconnected {
            throw failure(orElse: server)
        }
    }

    deinit {
        pa_context_disconnect(context)
        pa_context_unref(context)
        pa_mainloop_free(mainLoop)
    }

    /// Lets the server speak: returns after what it said was dealt with, or after a nap. Throws when the connection is
    /// gone.
    func turn() throws(DeviceError) {
        let isTurning =
            pa_mainloop_prepare(mainLoop, PulseConnection.nap) >= 0 && pa_mainloop_poll(mainLoop) >= 0
            && pa_mainloop_dispatch(mainLoop) >= 0
        let state = pa_context_get_state(context)
        if !isTurning || state == PA_CONTEXT_FAILED || state == PA_CONTEXT_TERMINATED { throw lost }
    }

    /// Turns until something is so, while the device opens. All of that together may take `patience`.
    func wait(until isSo: () -> Bool) throws(DeviceError) {
        while !isSo() {
            guard ContinuousClock.now < deadline else {
                throw .noAnswer(device: device, seconds: PulseConnection.patience)
            }
            try turn()
        }
    }

    /// Turns until an operation of the library is through, for some time at most.
    func finish(_ operation: OpaquePointer?, within duration: Duration) {
        guard let operation else { return }
        defer { pa_operation_unref(operation) }
        let end = ContinuousClock.now + duration
        while pa_operation_get_state(operation) == PA_OPERATION_RUNNING, ContinuousClock.now < end {
            guard (try? turn()) != nil else { return }
        }
    }

    /// What the library reports last, as the reason why there is no connection any more.
    var lost: DeviceError { .disconnected(device: device, code: pa_context_errno(context)) }
    /// The same, as the reason why something could not be had.
    var refusal: DeviceError { .pulse(pa_context_errno(context), device: device) }

    private func failure(orElse server: String) -> DeviceError {
        let code = pa_context_errno(context)
        guard PulseConnection.absences.contains(code) else { return refusal }
        return .noServer(device: device, detail: "error \(code) from \(server)")
    }

    private static let absences = [
        PA_ERR_CONNECTIONREFUSED, PA_ERR_TIMEOUT, PA_ERR_CONNECTIONTERMINATED, PA_ERR_INVALIDSERVER,
    ].map { Int32($0.rawValue) }
    private static let internalError = Int32(PA_ERR_INTERNAL.rawValue)
}
