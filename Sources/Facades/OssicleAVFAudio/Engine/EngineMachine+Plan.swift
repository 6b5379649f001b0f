import OssicleCoreAudioTypes
import OssicleNodes
import OssiclePlayback
import OssicleRender

/// What the render side is to carry out, and when it is made anew.
///
/// A change of the model is checked at once and compiled later, for as many changes as there are by then: offline with
/// the next render call; otherwise behind the call that made it, so that the next render call has it, or, once much was
/// compiled that the render side did not take, within some milliseconds.
struct Planning {
    /// Whether every step is measured.
    var isInspected = false
    /// Where the nodes of the newest plan run.
    var places: [ObjectIdentifier: NodeClock] = [:]
    /// The model has changed since.
    var isStale = false
    /// So has what it does not show: everything is lowered anew.
    var isOutdated = false
    /// A compilation waits for the outermost unlock.
    var isDue = false
    /// Nodes compiled since the render side last took a plan.
    var effort = 0
    /// Nodes whose rendering has to be looked after between render calls; `nil` until that is found out again.
    var attended: [EngineMachine.Attended]?

    /// Nodes that may be compiled for nothing: some milliseconds' work.
    static let patience = 4096
}

extension EngineMachine {
    // MARK: Under the lock

    /// The plan has to be made anew, at the latest when it is needed.
    /// - Parameter keepingParts: whether nothing has changed but the model.
    func reinstall(keepingParts: Bool = false) {
        planning.attended = nil
        guard state != .stopped else { return }
        planning.isStale = true
        if !keepingParts { planning.isOutdated = true }
        guard !planning.isDue, state == .running, manual?.mode != .offline else { return }
        planning.isDue = true
        lock.afterwards { [self] in
            let isCheap = locked {
                planning.isDue = false
                if session.executor.hasTakenPlan { planning.effort = 0 }
                return planning.effort < Planning.patience
            }
            if isCheap { settle() }
        }
    }

    /// Where every node runs that is heard, as the model is now.
    var places: [ObjectIdentifier: NodeClock] {
        if planning.isStale { _ = compile() }
        return planning.places
    }

    /// Throws what is wrong with a model as a whole.
    func validate(_ model: GraphModel) throws {
        try GraphFault.worded {
            try GraphLowering.check(model, output: output, rate: renderFormat.sampleRate, deviceRates: deviceRates)
        }
    }

    /// Compiles the model and hands it to the render side, to take over at the next render call.
    func install() throws {
        try validate(model)
        if state == .running { try openCaptureIfHeard() }
        planning.isOutdated = true
        let made = try lowered()
        install(made)
        // A unit that was attached meanwhile and has not allocated yet is silent for now.
        planning.isStale = !made.waiting.isEmpty
    }

    private func install(_ made: GraphLowering.Result) {
        planning.effort += model.nodes.count
        planning.places = made.clocks
        planning.isOutdated = false
        planning.attended = nil
        session.executor.install(made.plan, at: session.executor.position)
        letGo(session.executor.takeSpent())
    }

    private func lowered() throws -> GraphLowering.Result {
        // The input may be another one now.
        if planning.isOutdated { try renewVoice() }
        let made = try GraphFault.worded {
            try GraphLowering.lower(
                model, output: output, rate: renderFormat.sampleRate, deviceRates: deviceRates,
                GraphLowering.Options(isInspected: planning.isInspected, keepsParts: !planning.isOutdated))
        }
        try checkVoice(made.clocks)
        return made
    }

    private var deviceRates: [ObjectIdentifier: Double] {
        var rates: [ObjectIdentifier: Double] = [:]
        if let output { rates[ObjectIdentifier(output)] = renderFormat.sampleRate }
        if let input { rates[ObjectIdentifier(input)] = input.deviceRate(renderFormat.sampleRate) }
        return rates
    }

    /// Brings the plan up to date.
    /// - Returns: hosted units that have to allocate first; the plan is as it was then.
    private func compile() -> [() -> Void] {
        do {
            let made = try lowered()
            guard made.waiting.isEmpty else { return made.waiting }
            install(made)
        } catch {
            errors.record(error)
        }
        planning.isStale = false
        return []
    }

    // MARK: Under no lock

    /// Brings the plan up to date. Hosted units allocate here, which is the client's code.
    func settle() {
        while true {
            let waiting = locked { planning.isStale && state != .stopped ? compile() : [] }
            if waiting.isEmpty { return }
            for allocation in waiting { allocation() }
        }
    }

    /// Has the hosted units of a model that is going to be installed allocate what they need.
    func allocateHostedUnits() throws {
        while locked({ model.nodes.contains { ($0 as? AVAudioUnit)?.driver is HostedDriver } }) {
            let waiting = try locked {
                try validate(model)
                return try lowered().waiting
            }
            if waiting.isEmpty { return }
            for allocation in waiting { allocation() }
        }
    }

    // MARK: Between render calls

    /// Any thread. Every few milliseconds, while another thread renders.
    func tick() {
        settle()
        attend(frames: Int(locked { renderFormat.sampleRate }))
        collect()
        checkLoad()
        followVoice()
        if locked({ stopsAfterRendering }) { stop() }
        // A source may have been connected, and the switch been set, without a call that wakes.
        if locked({ autoShutdown.isIdle && mayBeHeard }) { wakeUp() }
        shutDownIfIdle()
    }

    /// Records the beginning of an overload.
    private func checkLoad() {
        let finding = locked { state == .running ? session.newOverload() : nil }
        guard let finding else { return }
        errors.record(
            OssicleError.avfaudio(
                kAudioUnitErr_CannotDoInCurrentContext, "AVAudioEngine", value: finding,
                rule: "A device plays in real time, and what comes too late is heard as a gap.",
                cure: "Use fewer nodes or cheaper effects, or render manually."))
    }

    // MARK: Shutting down by itself

    /// Any thread. With auto shutdown, the device is halted after a while of silence, and started when there is
    /// something to hear again.
    private func shutDownIfIdle() {
        life.locked {
            let device: DeviceSession? = locked {
                guard state == .running, let device = session.device, !mayBeHeard else { return nil }
                let position = session.executor.position
                return autoShutdown.beginsIdling(at: position, rate: hardware.output.sampleRate) ? device : nil
            }
            device?.halt()
        }
    }

    /// Whether the device has to run: something plays or records, or auto shutdown is off. Under the lock.
    private var mayBeHeard: Bool {
        guard autoShutdown.isEnabled, session.device?.capture == nil, !model.nodes.contains(where: { $0.isAwake })
        else {
            autoShutdown.lastAwake = session.executor.position
            return true
        }
        return false
    }

    /// Any thread. A node has something to play again.
    func wakeUp() {
        // While it renders, the device is awake.
        guard !session.gate.isOnRenderThread, locked({ autoShutdown.isIdle }) else { return }
        life.locked {
            locked {
                guard autoShutdown.isIdle, state == .running else { return }
                autoShutdown.wake(at: session.executor.position)
                errors.recording { try session.device?.start() }
            }
        }
    }
}
