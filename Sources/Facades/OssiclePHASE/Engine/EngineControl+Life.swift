import Foundation
#if canImport(Glibc)
import Glibc
#endif
import OssicleAVFAudio
import OssicleDevices
import OssiclePlayback
import OssicleRecording
import OssicleSpatial

/// Start, pause, stop.
extension EngineControl {
    func start() throws {
        // A client's block asks for it while another thread waits for that very block.
        if session.gate.isOnRenderThread && locked({ isHalting }) {
            throw PHASEError(
                .initializeFailed,
                "The engine was started from its render thread while it is being stopped; start it from another thread."
            )
        }
        try whenAtRest {
            guard renderingState != .started else { return }
            try trackedHead.start()
            if spatial.output == nil || renderingState == .stopped { try makeOutput() }
            session.gate.openUp()
            do {
                if manual == nil { try startDevice() }
            } catch {
                session.gate.close()
                throw error
            }
            noteStart()
            renderingState = .started
            session.overload = OverloadWatch()
            planChanged()
            if manual?.rendering.isOffline != true {
                session.ticker = Ticker(label: "ossicle.phase.updates", milliseconds: 10) { [weak self] in self?.tick()
                }
            }
        }
    }

    /// At a device a replay renders in the form of the output.
    private func noteStart() {
        if manual == nil, let format = outlets.format as? AVAudioFormat {
            let form = format.formatRecord
            if recorder.isNew(form) {
                note(.manual(form, maximum: 4096))
                noteGap("the engine plays to a device: calls take effect within a block of their time")
            }
        }
        note(.start)
    }

    private func makeOutput() throws {
        let form = try manual.map { OutputForm($0.format, spatializationMode, suitsEars: true) } ?? openDevice()
        do { try makeOutput(form) } catch {
            throw PHASEError(.initializeFailed, "The engine could not start: \(error)")
        }
    }

    /// - Parameter keepsSound: as `SpatialEngine.makeOutput`.
    func makeOutput(_ form: OutputForm, keepsSound: Bool = false) throws {
        let format = form.format
        try spatial.makeOutput(
            sampleRate: format.sampleRate, channelCount: Int(format.channelCount), labels: format.channelLabels,
            layoutTag: format.channelLayout?.layoutTag, isBinaural: form.isBinaural, keepsSound: keepsSound)
        outlets.format = format
    }

    func pause() {
        if session.gate.isOnRenderThread { return handlers.queue.async { self.pause() } }
        halt {
            guard renderingState == .started else { return false }
            note(.pause)
            renderingState = .paused
            return true
        } then: {
            outlets.attend(.offline)
        }
    }

    func stop() {
        // A client's block on the render thread asks for it: what is being rendered is finished first.
        if session.gate.isOnRenderThread { return handlers.queue.async { self.stop() } }
        var isLarge = false
        halt {
            if renderingState != .stopped { note(.stop) }
            spatial.player.terminateAll()
            renderingState = .stopped
            isLarge = spatial.player.voiceCount > Self.largeScene
            return true
        } then: {
            trackedHead.stop()
            outlets.attend(.offline)
            spatial.forgetEnded()
            // No thread renders any more: what was sent and not carried out is given up.
            executor.abandon()
        }
        runPendingHandlers()
        if isLarge { Self.returnFreeMemory() }
    }

    /// Voices above which a stop gives free memory back to the system: many small objects leave holes all over the
    /// heap.
    private static let largeScene = 256

    private static func returnFreeMemory() {
        #if canImport(Glibc)
        // Glibc's malloc.h is not part of Swift's module.
        typealias Trim = @convention(c) (Int) -> Int32
        if let trim = dlsym(nil, "malloc_trim") { _ = unsafeBitCast(trim, to: Trim.self)(0) }
        #endif
    }

    // MARK: Waiting for the render side

    /// Ends rendering, in three steps: `begin` under the lock, the wait for the render call under way without it, `end`
    /// under it again. A client's block that is being rendered may so ask the engine anything. Who wants to start or
    /// halt the engine meanwhile waits in `whenAtRest`.
    /// - Parameter begin: whether there is anything to halt.
    private func halt(_ begin: () -> Bool, then end: () -> Void) {
        let device: DeviceSession?? = whenAtRest {
            guard begin() else { return nil }
            isHalting = true
            session.ticker = nil
            session.searches.end()
            defer { session.device = nil }
            return .some(session.device)
        }
        guard let device else { return }
        device?.halt()
        session.gate.close()
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

    /// The engine is going away. Objects that clients still hold keep this control, but nothing in it keeps them.
    func shutDown() {
        locked { inspection }?.end()
        stop()
        locked {
            inspection = nil
            spatial.forgetAll()
            objects.forget()
            outlets.shutDown()
            handlers.shutDown()
            store.forget()
        }
    }

    // MARK: Updates from outside the render loop

    func clientUpdate() {
        guard updateMode == .manual else { return }
        locked {
            update()
            // Behind the head's pose, which the update has read.
            note(.update)
        }
        runPendingHandlers()
    }

    /// Runs what waited for the end of an update, on this thread and without the lock: a handler may call anything.
    func runPendingHandlers() {
        locked { handlers.takePending() }.forEach { $0() }
    }
}
