import Dispatch

/// Calls something at a steady pace on a queue of its own.
final class UpdateClock: @unchecked Sendable {
    private let interval: Double
    private let queue = DispatchQueue(label: "ossicle.phase.updates")
    private var timer: (any DispatchSourceTimer)?

    init(interval: Double) { self.interval = interval }

    func start(_ tick: @escaping @Sendable () -> Void) {
        queue.sync {
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now(), repeating: interval)
            timer.setEventHandler(handler: tick)
            timer.resume()
            self.timer = timer
        }
    }

    func stop() {
        queue.async {
            self.timer?.cancel()
            self.timer = nil
        }
    }
}
