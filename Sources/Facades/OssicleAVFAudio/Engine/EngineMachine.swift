import OssicleCoreAudioTypes
import OssicleMessages
import OssicleNodes
import OssiclePlayback
import OssicleRender
import Synchronization

/// Everything behind one `AVAudioEngine`: the model, the executor that renders it, and what lies between.
///
/// One lock guards the model and the control side of the executor. The render side never takes it, and no code of the
/// client's runs under it: handlers, hosted units and the ends of objects wait for the outermost unlock.
final class EngineMachine: @unchecked Sendable {
    enum State { case stopped, running, paused }

    private let weakFacade = Mutex(WeakFacade())
    let lock = EngineLock()
    /// Held while the engine starts, halts or is set up anew, so that these follow one another; outside of `lock`.
    let life = EngineLock()
    let session = RenderSession()
    let errors: ErrorLog
    let midi = MIDIWires()
    /// Sequences that follow the engine's frames.
    let sequences = SequenceHost()
    let recorder = NodeRecorder()

    // All under the lock.
    var model = GraphModel()
    var state = State.stopped
    var manual: ManualOutput?
    var implicit = ImplicitNodes()
    var stopsAfterRendering = false
    /// The plan that was made last, and how much has been made since the render side took one.
    var planning = Planning()
    var hardware = HardwareFormats()
    var autoShutdown = AutoShutdown()
    /// There while somebody watches.
    var inspection: GraphInspection?

    init() {
        errors = ErrorLog { [lock, life] report in lock.afterwards { life.afterwards(report) } }
        sequences.machine = self
    }

    /// `@unchecked`: the mutex guards it.
    private struct WeakFacade: @unchecked Sendable {
        weak var engine: AVAudioEngine?
    }

    var facade: AVAudioEngine? {
        get { weakFacade.withLock { $0.engine } }
        set { weakFacade.withLock { $0.engine = newValue } }
    }

    var output: AVAudioOutputNode? { implicit.output }
    var input: AVAudioInputNode? { implicit.input }

    func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        try lock.locked(body)
    }

    // MARK: Model

    /// Changes the model. While the engine runs the change has to be renderable, else it is taken back and the error
    /// thrown.
    func change(_ edit: (inout GraphModel) throws -> Void) throws {
        try locked {
            var next = model
            try edit(&next)
            guard state != .stopped else {
                model = next
                return
            }
            try validate(next)
            let old = model
            model = next
            do {
                if state == .running { try openCaptureIfHeard() }
            } catch {
                model = old
                throw error
            }
            reinstall(keepingParts: true)
        }
    }

    func format(of key: BusKey) -> AVAudioFormat {
        locked {
            model.node(key.node).map { model.format(of: key, node: $0) } ?? .initial
        }
    }

    /// Rate and channels the executor renders.
    var renderFormat: AVAudioFormat { manual?.format ?? hardware.output }

    func send(_ command: RenderCommand, keeping owner: AnyObject) {
        session.executor.send(command, keeping: owner, at: session.executor.position)
    }

    /// Has a node's renderers forget what they have heard: with the next frame or, while nothing is rendered, at once.
    func reset(_ node: AVAudioNode) {
        note(node) { number, _ in .resetNode(number) }
        if session.gate.isOnRenderThread || locked({ state != .stopped }) { return locked { sendResets(to: node) } }
        life.locked {
            locked {
                sendResets(to: node)
                if state == .stopped { session.executor.carryOutEverything() }
            }
        }
    }

    private func sendResets(to node: AVAudioNode) {
        for (renderer, owner) in node.resettable { send(.reset(renderer), keeping: owner) }
        if let exit = node.timeChange?.passage.exit { send(.reset(.exit(exit.reference)), keeping: exit.owner) }
    }

    // MARK: Between render calls

    /// Lets every node that needs it read ahead and hand back what is done. `frames` is what will be rendered next, in
    /// engine frames. Without the lock: files are read here.
    func attend(frames: Int) {
        let (all, places, mode) = locked {
            (attended, planning.places, manual?.mode == .offline ? RenderMode.offline : .device)
        }
        for (node, attendant) in all {
            let fastest = places[ObjectIdentifier(node)]?.fastest ?? 1
            attendant.attend(framesAhead: Int((Double(frames) * fastest).rounded(.up)), mode: mode)
        }
        sequences.attend(frames: frames)
    }

    /// Whom to look after: players and taps, each with its node, which is kept alive as long as somebody does. Under
    /// the lock.
    typealias Attended = (node: AVAudioNode, attendant: any RenderAttendant)

    private var attended: [Attended] {
        guard state != .stopped else { return [] }
        if let known = planning.attended { return known }
        let all = attendants
        planning.attended = all
        return all
    }

    var attendants: [Attended] {
        model.nodes.compactMap { node in (node as? any RenderAttendant).map { (node, $0) } }
            + model.nodes.flatMap { node in node.taps.all.map { (node, $0) } }
    }

    /// Lets go of what the render side has done with: of objects of the client's too, so under no lock.
    func collect() { letGo(locked { session.executor.takeSpent() }) }

    /// Gives objects up once this thread holds no lock.
    func letGo(_ objects: [AnyObject]) {
        if !objects.isEmpty { lock.afterwards { [life] in life.afterwards { withExtendedLifetime(objects) {} } } }
    }

    /// Opens a gate between two render calls.
    func open(_ gate: StartGate) {
        locked {
            guard state == .running else { return gate.view.open() }
            send(.openGate(gate.view), keeping: gate)
        }
    }

    // MARK: Times

    /// Whether host times mean anything: at a device.
    var hasHostTime: Bool { locked { manual == nil } }

    /// Under the lock.
    var isAtDevice: Bool { state == .running && session.device != nil }

    /// The clock of a node that runs.
    struct NodePosition {
        /// The frame that comes next.
        let frame: Int64
        /// Hz.
        let rate: Double
        /// Frames by which the clock is ahead of the engine's; behind a change of speed, what that has made of them.
        let offset: Int64
    }

    /// A frame of a node's clock, with its host time: when the device takes it.
    func time(_ frame: Int64, at position: NodePosition) -> AVAudioTime {
        AVAudioTime(
            hostTime: session.clock.hostTime(of: PlayerTimes.sum(frame, -position.offset), position.rate),
            sampleTime: frame, atRate: position.rate)
    }

    /// The frame of a node's clock that the device takes at a host time, if speeds are the normal ones from now on; nil
    /// where the node does not run, and in manual rendering.
    func frame(atHostTime time: UInt64, of node: AVAudioNode) -> Int64? {
        guard hasHostTime, let position = position(of: node) else { return nil }
        return PlayerTimes.sum(session.clock.frame(at: time, position.rate), position.offset)
    }

    /// A node's time of the next frame.
    func renderTime(of node: AVAudioNode) -> AVAudioTime? { position(of: node).map { time($0.frame, at: $0) } }

    /// Where a node's clock stands; `nil` while the engine does not run and for a node that feeds nothing.
    func position(of node: AVAudioNode) -> NodePosition? {
        locked {
            guard state == .running, let place = places[ObjectIdentifier(node)] else { return nil }
            guard let clock = place.box else {
                return NodePosition(frame: session.executor.position, rate: place.rate, offset: 0)
            }
            var (engine, frame) = (session.executor.position, clock.control.load())
            // Of one moment: a block may be rendered in between.
            while session.executor.position != engine {
                (engine, frame) = (session.executor.position, clock.control.load())
            }
            let engineRate = renderFormat.sampleRate
            let nominal = Int64((Double(engine) * place.rate / engineRate).rounded(.down))
            // A clock that has not run begins where the engine's time lies at its rate.
            guard frame >= 0 else { return NodePosition(frame: nominal, rate: place.rate, offset: 0) }
            let keepsTime = place.fastest * engineRate <= place.rate * 1.000_001
            return NodePosition(frame: frame, rate: place.rate, offset: keepsTime ? 0 : frame - nominal)
        }
    }

    /// Seconds from a node's output to the listener, over the longest way.
    func presentationLatency(from node: AVAudioNode) -> TimeInterval {
        locked {
            model.longestLatency(from: node, to: output, final: session.device?.latency ?? 0)
        }
    }
}

/// The engine follows the program's session while it is at a device.
extension EngineMachine: SessionParticipant {
    var deviceReport: DeviceReport? {
        locked {
            guard manual == nil, state == .running, let device = session.device else { return nil }
            return DeviceReport(
                sampleRate: device.sampleRate, channelCount: device.channelCount, outputLatency: device.latency,
                inputLatency: device.capture?.latency)
        }
    }

    func pauseForSession() {
        if locked({ manual == nil && state == .running }) { pause() }
    }
}
