import OssicleAVFAudio
import OssicleCore

/// Start, pause, stop.
extension EngineCore {
    func start() throws {
        try locked {
            guard renderingState != .started else { return }
            if output == nil || renderingState == .stopped { output = try makeOutput() }
            if manual == nil { try startDevice() }
            renderingState = .started
            planIsStale = true
            valuesChanged()
        }
    }

    private func makeOutput() throws -> OutputStage {
        let format = manual?.format ?? Self.defaultFormat
        do {
            return try OutputStage(format: format, mode: spatializationMode, seed: seed)
        } catch {
            throw PHASEError(.initializeFailed, "The engine could not start: \(error)")
        }
    }

    func pause() {
        locked {
            guard renderingState == .started else { return }
            renderingState = .paused
            stopDevice()
        }
    }

    func stop() {
        locked {
            for event in events where event.stage != .ended { cut(event) }
            renderingState = .stopped
            stopDevice()
            forgetEverythingThatSounds()
            // Nobody renders any more: what was sent and not carried out is given up.
            executor.abandon()
        }
        runPendingHandlers()
    }

    /// Under the lock, which the device's thread never takes: whoever starts the engine next finds the old device at rest.
    private func stopDevice() {
        device?.stop()
        device = nil
    }

    /// Nothing rings on after a stop: the next start begins in silence.
    private func forgetEverythingThatSounds() {
        for event in events { executor.release(event, at: executor.position) }
        events = []
        streams = []
        planIsStale = true
    }

    /// The engine is going away. Objects that clients still hold keep this core, but nothing in it keeps them.
    func shutDown() {
        stop()
        locked {
            assets = [:]
            groups = [:]
            events = []
            paths.forget()
        }
    }

    // MARK: Updates from outside the render loop

    func clientUpdate() {
        guard updateMode == .manual else { return }
        locked { update() }
        runPendingHandlers()
    }

    /// Runs what waited for the end of an update, on this thread and without the lock: a handler may call anything.
    func runPendingHandlers() {
        let handlers = locked {
            defer { pendingHandlers = [] }
            return pendingHandlers
        }
        handlers.forEach { $0() }
    }
}
