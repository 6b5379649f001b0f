import OssicleDevices

/// An engine's searches for devices it does without. Under the engine's lock.
package struct DeviceSearches {
    private var output: DeviceSearch?
    private var input: DeviceSearch?

    package init() {}

    /// Nothing is missing, or the engine does not need it any more.
    package mutating func end() { (output, input) = (nil, nil) }

    /// Looks for the default output; one search at a time. Finds none where a silent clock was chosen.
    /// - Parameters:
    ///   - found: gets it, not started; on a thread of the search's own, once.
    ///   - open: opens it, or throws as long as there is none; on the same thread.
    package mutating func findOutput(
        _ found: @escaping @Sendable (any OutputDevice) -> Void,
        open: @escaping @Sendable () throws -> any OutputDevice = { try DefaultDevice.open() }
    ) {
        output = DeviceSearch(open: open, found: { device in if !device.isSilent { found(device) } })
    }

    /// Looks for the default input; one search at a time.
    /// - Parameter found: called on a thread of the search's own, once.
    package mutating func findInput(_ found: @escaping @Sendable () -> Void) {
        input = DeviceSearch(open: { try DefaultInput.open() }, found: { _ in found() })
    }
}

extension RenderSession {
    /// Starts an output in a format that is being rendered: the one given or, if nil, the default; a silent clock where
    /// neither will. Under the engine's lock, while no device runs.
    /// - Parameters:
    ///   - channelLabels: of the channels; nil for the usual order. - session: makes the session at a device.
    package func startOutput(
        _ found: (any OutputDevice)? = nil, sampleRate: Double, channelCount: Int, channelLabels: [UInt32]? = nil,
        session: (any OutputDevice) -> DeviceSession
    ) throws {
        let outputs: [() throws -> any OutputDevice] = [
            {
                try found
                    ?? DefaultDevice.open(
                        sampleRate: sampleRate, channelCount: channelCount, channelLabels: channelLabels,
                        fallback: .silence)
            },
            { try PortOutput(.silence, FormatWishes(sampleRate: sampleRate, channelCount: channelCount)) },
        ]
        var failure: (any Error)?
        for output in outputs {
            do {
                let started = session(try output())
                try started.start()
                device = started
                return
            } catch {
                failure = failure ?? error
            }
        }
        device = nil
        if let failure { throw failure }
    }
}
