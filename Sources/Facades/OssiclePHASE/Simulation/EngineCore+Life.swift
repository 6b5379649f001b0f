import OssicleAVFAudio
import OssicleCore

/// Start, pause, stop.
extension EngineCore {
    func start() throws {
        try locked {
            guard renderingState != .started else { return }
            try startHeadTracking()
            if output == nil || renderingState == .stopped { output = try makeOutput() }
            outlets.gate.openUp()
            do {
                if manual == nil { try startDevice() }
            } catch {
                outlets.gate.close()
                throw error
            }
            renderingState = .started
            planChanged()
            if manual?.mode != .offline { startUpdates() }
        }
    }

    private func makeOutput() throws -> OutputStage {
        let format = try manual?.format ?? openDevice()
        outlets.format = format
        do {
            let output = try OutputStage(format: format, mode: spatializationMode, seed: seed)
            // Now, while nobody waits for an update.
            if output.heads != nil { _ = try head.filters(sampleRate: output.sampleRate) }
            return output
        } catch {
            throw PHASEError(.initializeFailed, "The engine could not start: \(error)")
        }
    }

    func pause() {
        if outlets.gate.isOnRenderThread { return callbacks.async { self.pause() } }
        locked {
            guard renderingState == .started else { return }
            renderingState = .paused
            standStill()
            outlets.attend(.offline)
        }
    }

    func stop() {
        // A client's block on the render thread asks for it: what is being rendered is finished first.
        if outlets.gate.isOnRenderThread { return callbacks.async { self.stop() } }
        locked {
            for event in events where event.stage != .ended { cut(event) }
            renderingState = .stopped
            standStill()
            stopHeadTracking()
            outlets.attend(.offline)
            forgetEverythingThatSounds()
            // Nobody renders any more: what was sent and not carried out is given up.
            executor.abandon()
        }
        runPendingHandlers()
    }

    /// Under the lock, which the thread that renders never takes: whoever starts the engine next finds it at rest.
    private func standStill() {
        outlets.updates?.stop()
        outlets.updates = nil
        device?.stop()
        device = nil
        outlets.gate.close()
    }

    /// Updates at a steady pace, while another thread renders.
    private func startUpdates() {
        let updates = UpdateClock(interval: 0.01)
        updates.start { [weak self] in self?.tick() }
        outlets.updates = updates
    }

    /// Nothing rings on after a stop: the next start begins in silence.
    private func forgetEverythingThatSounds() {
        for event in events {
            event.dismissEffects()
            executor.release(event, at: executor.position)
        }
        outlets.halt()
        events = []
        readers.removeAll()
        planIsStale = true
    }

    /// The engine is going away. Objects that clients still hold keep this core, but nothing in it keeps them.
    func shutDown() {
        stop()
        locked {
            assets = [:]
            groups = [:]
            groupMix.forget()
            events = []
            paths.forget()
            rooms.forget()
            zones = []
            outlets.shutDown()
            isShutDown = true
            stopAllStreams()
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
