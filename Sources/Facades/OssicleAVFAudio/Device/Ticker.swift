import Dispatch

/// Calls back every few milliseconds while it runs, on a queue of its own.
final class Ticker {
    private let timer: any DispatchSourceTimer

    /// - Parameter body: called until the ticker is gone.
    init(label: String, milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: label, qos: .userInitiated))
        timer.schedule(deadline: .now(), repeating: .milliseconds(milliseconds), leeway: .milliseconds(1))
        timer.setEventHandler(handler: body)
        timer.resume()
    }

    deinit { timer.cancel() }
}
