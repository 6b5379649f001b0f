import Dispatch

/// Seconds that never go back, from some moment before the program started.
package enum MonotonicClock {
    package static var now: Double { Double(DispatchTime.now().uptimeNanoseconds) * 1e-9 }
}
