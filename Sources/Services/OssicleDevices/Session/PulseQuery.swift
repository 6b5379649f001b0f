import CPulse

/// A list on a server, requested anew whenever it may have changed. Belongs to its connection's thread.
final class PulseQuery {
    private var operation: OpaquePointer?
    private var isStale = true

    deinit {
        guard let operation else { return }
        pa_operation_cancel(operation)
        pa_operation_unref(operation)
    }

    /// Something may have changed.
    func doubt() { isStale = true }

    /// Whether an answer has just become complete. Call after every turn of the connection; never waits.
    /// - Parameter request: sends the request; what it calls back with ends before this object does.
    func isAnswered(by request: () -> OpaquePointer?) -> Bool {
        guard let operation else {
            if isStale {
                isStale = false
                self.operation = request()
            }
            return false
        }
        guard pa_operation_get_state(operation) != PA_OPERATION_RUNNING else { return false }
        pa_operation_unref(operation)
        self.operation = nil
        return true
    }
}

extension OpaquePointer {
    /// The text of a key in a property list of libpulse; nil without that key.
    func value(_ key: String) -> String? { pa_proplist_gets(self, key).map { String(cString: $0) } }
}
