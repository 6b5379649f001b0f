/// What one listener hears, apart from the others. Under the engine's lock.
final class ListenerMix {
    /// The listener's number. The listener itself keeps the engine, and is kept by whoever holds the output.
    let listener: UInt64
    let taps = TapPoint()
    /// There while the engine runs.
    var bus: OutputBus?
    private weak var output: PHASEListenerOutput?
    /// Taps go on when nobody holds the output any more.
    private var kept: PHASEListenerOutput?

    init(listener: UInt64) { self.listener = listener }

    /// The client's view of it; nil once nobody wants it any more.
    var facade: PHASEListenerOutput? {
        get { output }
        set { output = newValue }
    }

    /// Holds the client's object as long as there are taps on it.
    func keepWhileTapped() { kept = taps.taps.isEmpty ? nil : output }

    func letGo() { kept = nil }
}
