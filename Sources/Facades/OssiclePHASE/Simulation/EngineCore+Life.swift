import Foundation
#if canImport(Glibc)
    import Glibc
#endif
import OssicleAVFAudio
import OssicleCore
import OssicleDevices

/// Start, pause, stop.
extension EngineCore {
    func start() throws {
        // A client's block asks for it while another thread waits for that very block.
        if outlets.gate.isOnRenderThread && locked({ isHalting }) {
            throw PHASEError(.initializeFailed, "The engine was started from its render thread while it is being stopped; start it from another thread.")
        }
        try whenAtRest {
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
            overload = OverloadWatch()
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
        halt {
            guard renderingState == .started else { return false }
            renderingState = .paused
            return true
        } then: {
            outlets.attend(.offline)
        }
    }

    func stop() {
        // A client's block on the render thread asks for it: what is being rendered is finished first.
        if outlets.gate.isOnRenderThread { return callbacks.async { self.stop() } }
        var isLarge = false
        halt {
            for event in events where event.stage != .ended { cut(event) }
            renderingState = .stopped
            isLarge = voiceCount > Self.largeScene
            return true
        } then: {
            stopHeadTracking()
            outlets.attend(.offline)
            forgetEverythingThatSounds()
            // No thread renders any more: what was sent and not carried out is given up.
            executor.abandon()
        }
        runPendingHandlers()
        if isLarge { Self.returnFreeMemory() }
    }

    /// Voices above which a stop gives free memory back to the system: many small objects leave holes all over the heap.
    private static let largeScene = 256

    private static func returnFreeMemory() {
        #if canImport(Glibc)
            // Glibc's malloc.h is not part of Swift's module.
            typealias Trim = @convention(c) (Int) -> Int32
            if let trim = dlsym(nil, "malloc_trim") { _ = unsafeBitCast(trim, to: Trim.self)(0) }
        #endif
    }

    // MARK: Waiting for the render side

    /// Ends rendering, in three steps: `begin` under the lock, the wait for the render call under way without it, `end` under it again. A client's
    /// block that is being rendered may so ask the engine anything. Who wants to start or halt the engine meanwhile waits in `whenAtRest`.
    /// - Parameter begin: whether there is anything to halt.
    private func halt(_ begin: () -> Bool, then end: () -> Void) {
        let session: DeviceSession?? = whenAtRest {
            guard begin() else { return nil }
            isHalting = true
            outlets.updates?.stop()
            outlets.updates = nil
            defer { device = nil }
            return .some(device)
        }
        guard let session else { return }
        session?.stop()
        outlets.gate.close()
        locked {
            end()
            isHalting = false
        }
    }

    /// Carries `body` out under the lock, once no other thread is halting the engine.
    func whenAtRest<Result>(_ body: () throws -> Result) rethrows -> Result {
        while true {
            if let result = try locked({ isHalting ? nil : Optional(try body()) }) { return result }
            Thread.sleep(forTimeInterval: 0.0002)
        }
    }

    /// Updates at a steady pace, while another thread renders.
    private func startUpdates() {
        let updates = UpdateClock(interval: 0.01)
        updates.start { [weak self] in self?.tick() }
        outlets.updates = updates
    }

    /// Nothing rings on after a stop: the next start begins in silence. Events that were started meanwhile wait for it.
    private func forgetEverythingThatSounds() {
        for event in events where event.stage == .ended {
            event.dismissEffects()
            executor.release(event)
        }
        outlets.halt()
        events.removeAll { $0.stage == .ended }
        readers.removeAll()
        planIsStale = true
        hasRecordedVoiceLimit = false
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
