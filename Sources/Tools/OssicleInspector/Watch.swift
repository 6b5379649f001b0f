import Dispatch
import Foundation
import OssicleInspection
import OssicleWebServer
import Synchronization

/// The engines and the pages that look at them: takes snapshots at a steady pace while there is a page, and says what
/// has changed.
final class Watch: Sendable {
    private struct Engine {
        let id: Int
        weak var engine: (any InspectedEngine)?
        /// As of the last look.
        var paths = PathChanges()
        var rays = PackedNumbers([])
        var raysVersion = 0
        var rows = FrameRows()
        /// What pages were sent last, for when its lock is taken.
        var last: (time: Double, rows: FrameRows.Frame?)?
        /// Whether words were due and it did not answer.
        var owesWords = false
        /// Whether it is a graph, which is looked at as a whole.
        var isGraph = false
    }

    private struct Viewer {
        /// What it has been sent of an engine; versions, nil for nothing.
        struct Knowledge {
            var geometry: UInt64?
            var paths, rays: Int?
            var hasState = false
        }

        let id: LiveServer.ClientID
        var selection: Selection?
        /// By engine.
        var knowledge: [Int: Knowledge] = [:]
        /// Frames that it was sent and has not said it has seen: a page that is behind is sent no more until it has
        /// caught up.
        var unseen = 0
        /// Frames that it was sent with this look.
        var frames = 0
    }

    private struct State {
        var engines: [Engine] = []
        var viewers: [Viewer] = []
        var lastEngine = 0
        var round = 0
        var timer: (any DispatchSourceTimer)?
        var pace = Pace()
        /// Whether ticks that are owed are on the queue.
        var isMakingUp = false
    }

    /// `@unchecked`: the mutex guards it.
    private struct Guarded: @unchecked Sendable { var state = State() }

    private let server: LiveServer
    private let updatesPerSecond: Int
    /// Seconds from one look to the next.
    private var interval: Double { 1 / Double(updatesPerSecond) }
    /// Where engines are looked at, and commands are carried out.
    private let queue = DispatchQueue(label: "ossicle.inspector.watch", qos: .utility)
    private let guarded = Mutex(Guarded())

    private static let unseenLimit = 4
    /// Looks from one at words to the next, those of a selection and those of the engine as a whole: as often as the
    /// page writes them, for they cost more than all numbers.
    private static let roundsToWords = 6
    /// Looks from one at the output's sound to the next.
    private static let roundsToSound = 2
    /// Looks after which all paths are sent, though a page has them by what has changed.
    private static let roundsToPaths = 150

    init(_ server: LiveServer, updatesPerSecond: Int) {
        (self.server, self.updatesPerSecond) = (server, updatesPerSecond)
    }

    private func withState<Result>(_ body: (inout State) -> Result) -> Result {
        guarded.withLock { guarded in
            nonisolated(unsafe) let result = body(&guarded.state)
            return result
        }
    }

    var viewerCount: Int { withState { $0.viewers.count } }

    /// Since a page is open.
    var pace: Pace { withState { $0.pace } }

    // MARK: Engines

    func add(_ engine: any InspectedEngine) {
        let isWatched = withState { state in
            state.lastEngine += 1
            state.engines.append(Engine(id: state.lastEngine, engine: engine))
            return !state.viewers.isEmpty
        }
        if isWatched { engine.setWatched(true) }
        queue.async { self.introduce() }
    }

    func remove(_ engine: any InspectedEngine) {
        withState { state in state.engines.removeAll { $0.engine == nil || $0.engine === engine } }
        queue.async { self.introduce() }
    }

    func stop() {
        let engines = withState { state in
            state.timer?.cancel()
            state.timer = nil
            state.viewers = []
            return state.engines.compactMap(\.engine)
        }
        for engine in engines { engine.setWatched(false) }
    }

    /// Pages hear which engines there are.
    private func introduce() {
        let (viewers, engines) = withState { state in
            (state.viewers.map(\.id), state.engines.filter { $0.engine != nil }.map(\.id))
        }
        send(
            .engines, engine: nil, EngineList(schema: EngineSnapshot.schema, rate: updatesPerSecond, engines: engines),
            to: viewers, .lasting)
    }

    // MARK: Pages

    /// On the server's thread.
    func receive(_ event: LiveServer.Event) {
        queue.async { [self] in
            switch event {
            case .opened(let client): open(client)
            case .closed(let client): close(client)
            case .message(let client, let text): receive(text, from: client)
            case .bytes: break
            }
        }
    }

    private func open(_ client: LiveServer.ClientID) {
        let (isFirst, engines) = withState { state in
            state.viewers.append(Viewer(id: client))
            return (state.viewers.count == 1, state.engines.compactMap(\.engine))
        }
        introduce()
        guard isFirst else { return }
        for engine in engines { engine.setWatched(true) }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now(), repeating: interval, leeway: .milliseconds(1))
        timer.setEventHandler { [weak self] in self?.tick() }
        withState { ($0.timer, $0.pace) = (timer, Pace()) }
        timer.resume()
    }

    private func close(_ client: LiveServer.ClientID) {
        let engines: [any InspectedEngine] = withState { state in
            state.viewers.removeAll { $0.id == client }
            guard state.viewers.isEmpty else { return [] }
            state.timer?.cancel()
            state.timer = nil
            return state.engines.compactMap(\.engine)
        }
        for engine in engines { engine.setWatched(false) }
    }

    private func receive(_ text: String, from client: LiveServer.ClientID) {
        if text == Self.seen { return noteSeen(client) }
        do {
            let request = try JSONDecoder().decode(ViewRequest.self, from: Data(text.utf8))
            if request.seen != nil { noteSeen(client) }
            if let selection = request.select {
                withState { state in
                    guard let place = state.viewers.firstIndex(where: { $0.id == client }) else { return }
                    state.viewers[place].selection = selection.target == nil ? nil : selection
                }
            }
            guard let command = request.command else { return }
            let engine = withState { state in state.engines.first { $0.id == request.engine }?.engine }
            guard let engine else { throw InspectorCommandError("There is no engine \(request.engine ?? 0).") }
            try engine.perform(command)
        } catch {
            let words = (error as? InspectorCommandError)?.description ?? "The request is not understood."
            send(.refused, engine: nil, words, to: [client], .lasting)
        }
    }

    /// What pages send most, as they write it.
    private static let seen = #"{"seen":1}"#

    private func noteSeen(_ client: LiveServer.ClientID) {
        withState { state in
            guard let place = state.viewers.firstIndex(where: { $0.id == client }) else { return }
            state.viewers[place].unseen = max(state.viewers[place].unseen - 1, 0)
        }
    }

    // MARK: Looking

    /// The timer's times are absolute; it says how many of them have come since it was heard last.
    private func tick() {
        withState { $0.pace.pass(Int($0.timer?.data ?? 0)) }
        carryOut()
    }

    /// Carries out one of the ticks that are owed; the others at twice the pace, so that a page draws each of them.
    private func carryOut() {
        guard withState({ $0.timer != nil && $0.pace.owed > 0 }) else { return }
        let outcome = look()
        let isNext = withState { state in
            state.pace.note(outcome)
            guard state.pace.owed > 0, !state.isMakingUp else { return false }
            state.isMakingUp = true
            return true
        }
        guard isNext else { return }
        queue.asyncAfter(deadline: .now() + interval / 2) { [weak self] in
            guard let self else { return }
            withState { $0.isMakingUp = false }
            carryOut()
        }
    }

    /// A look is of the watch's queue: only pages and engines come and go meanwhile.
    private func look() -> Pace.Outcome {
        let found = withState { state in
            state.engines.removeAll { $0.engine == nil }
            let ready = state.viewers.filter { $0.unseen < Self.unseenLimit }
            if !ready.isEmpty { state.round += 1 }
            return (engines: state.engines, ready: ready, round: state.round)
        }
        var ready = found.ready, isHeld = false
        let (engines, round) = (found.engines, found.round)
        guard !ready.isEmpty else { return .pagesAreBehind }
        for var entry in engines {
            guard let engine = entry.engine else { continue }
            if !look(at: engine, &entry, &ready, round: round) { isHeld = true }
            withState { state in
                if let place = state.engines.firstIndex(where: { $0.id == entry.id }) { state.engines[place] = entry }
            }
        }
        withState { state in
            for viewer in ready {
                guard let place = state.viewers.firstIndex(where: { $0.id == viewer.id }) else { continue }
                state.viewers[place].knowledge = viewer.knowledge
                state.viewers[place].unseen += viewer.frames
            }
        }
        if round % Self.roundsToWords == 0 {
            send(.pace, engine: nil, pace.counts, to: ready.map(\.id), .passing)
            lookAtSelections(engines, ready)
        }
        return isHeld ? .held : .sent
    }

    /// Messages are kept until they are sent: there are no more than pages have room for (`unseenLimit`), and of
    /// changes each is the ground of the next.
    /// - Returns: false where the engine's lock was taken for an interval: the pages have it as it was.
    private func look(
        at engine: any InspectedEngine, _ entry: inout Engine, _ viewers: inout [Viewer], round: Int
    ) -> Bool {
        let id = entry.id
        let isWhole =
            entry.isGraph || entry.owesWords || round % Self.roundsToWords == 0
            || viewers.contains { !($0.knowledge[id]?.hasState ?? false) }
        let isSoundDue = round % Self.roundsToSound == 0
        guard let snapshot = engine.snapshot(isWhole ? .all : .motion, within: interval) else {
            entry.owesWords = isWhole
            if let (time, rows) = entry.last {
                let sound = isSoundDue ? engine.takeSound() : nil
                let frame = FrameMessage(engine: id, time: time, rows: rows, sound: sound)
                send(frame, nil, to: viewers.filter { $0.knowledge[id]?.hasState ?? false }.map(\.id), &viewers)
            }
            return false
        }
        entry.owesWords = false
        entry.isGraph = snapshot.graph != nil
        if let version = snapshot.scene?.geometryVersion {
            let lacking = Self.all(viewers, id) { $0.geometry != version }
            if !lacking.isEmpty {
                let geometry = engine.geometry()
                send(.geometry, engine: id, geometry, to: lacking, .lasting)
                Self.note(lacking, id, &viewers) { $0.geometry = geometry.version }
            }
        }
        let rows = snapshot.scene.map { entry.rows.frame($0) }
        // Also to pages that are behind: nothing else says what words are.
        let new = Self.all(viewers, id) { !$0.hasState }
        let everyone = withState { $0.viewers.map(\.id) }
        let added = entry.rows.takeAddition()
        if !new.isEmpty { send(.words, engine: id, entry.rows.whole, to: new, .lasting) }
        if let added { send(.words, engine: id, added, to: everyone.filter { !new.contains($0) }, .lasting) }
        if isWhole {
            let all = viewers.map(\.id)
            send(.state, engine: id, snapshot.withoutRows, to: all, .lasting)
            Self.note(all, id, &viewers) { $0.hasState = true }
            if let rays = snapshot.scene?.rayCourses { sendRays(rays, &entry, &viewers) }
        }
        entry.last = (snapshot.time, rows)
        let frame = FrameMessage(
            engine: id, time: snapshot.time, rows: rows, sound: isSoundDue ? engine.takeSound() : nil)
        send(frame, snapshot.scene?.paths.values ?? [], &entry, &viewers, areAllDue: round % Self.roundsToPaths == 0)
        return true
    }

    private func sendRays(_ rays: PackedNumbers, _ entry: inout Engine, _ viewers: inout [Viewer]) {
        if rays != entry.rays { (entry.rays, entry.raysVersion) = (rays, entry.raysVersion + 1) }
        let version = entry.raysVersion
        let lacking = Self.all(viewers, entry.id) { $0.rays != version }
        send(.rays, engine: entry.id, rays, to: lacking, .lasting)
        Self.note(lacking, entry.id, &viewers) { $0.rays = version }
    }

    /// A page has its frame with the paths that have changed where it had those before; else with all.
    private func send(
        _ frame: FrameMessage, _ paths: [Float], _ entry: inout Engine, _ viewers: inout [Viewer], areAllDue: Bool
    ) {
        let before = entry.paths.version, update = entry.paths.update(paths)
        let version = entry.paths.version
        var (same, changed, whole): ([LiveServer.ClientID], [LiveServer.ClientID], [LiveServer.ClientID]) = ([], [], [])
        for viewer in viewers {
            let known = viewer.knowledge[entry.id]?.paths
            switch update {
            case .nothing where known == version && !areAllDue: same.append(viewer.id)
            case .pairs where known == before && !areAllDue: changed.append(viewer.id)
            default: whole.append(viewer.id)
            }
        }
        send(frame, nil, to: same, &viewers)
        if case .pairs(let numbers) = update {
            send(frame, .init(numbers: numbers, areAll: false), to: changed, &viewers)
        }
        send(frame, .init(numbers: entry.paths.numbers, areAll: true), to: whole, &viewers)
        Self.note(viewers.map(\.id), entry.id, &viewers) { $0.paths = version }
    }

    private func send(
        _ frame: FrameMessage, _ paths: FrameMessage.Paths?, to clients: [LiveServer.ClientID],
        _ viewers: inout [Viewer]
    ) {
        guard !clients.isEmpty else { return }
        let payload = frame.payload(paths)
        for place in viewers.indices where clients.contains(viewers[place].id) {
            server.send(bytes: payload, to: viewers[place].id, .lasting)
            viewers[place].frames += 1
        }
    }

    /// The pages of which something holds that they have been sent of an engine.
    private static func all(
        _ viewers: [Viewer], _ engine: Int, where holds: (Viewer.Knowledge) -> Bool
    ) -> [LiveServer.ClientID] {
        viewers.filter { holds($0.knowledge[engine] ?? Viewer.Knowledge()) }.map(\.id)
    }

    private static func note(
        _ clients: [LiveServer.ClientID], _ engine: Int, _ viewers: inout [Viewer],
        _ change: (inout Viewer.Knowledge) -> Void
    ) {
        for place in viewers.indices where clients.contains(viewers[place].id) {
            change(&viewers[place].knowledge[engine, default: Viewer.Knowledge()])
        }
    }

    private func lookAtSelections(_ engines: [Engine], _ viewers: [Viewer]) {
        for (selection, watching) in Dictionary(grouping: viewers, by: \.selection) {
            guard let selection, let target = selection.target,
                let entry = engines.first(where: { $0.id == selection.engine })
            else { continue }
            let detail = entry.engine?.detail(of: target)
            send(.detail, engine: entry.id, detail, to: watching.map(\.id), .passing)
        }
    }

    // MARK: Sending

    private func send(
        _ type: ViewMessageType, engine: Int?, _ value: some Encodable, to clients: [LiveServer.ClientID],
        _ urgency: LiveServer.Urgency
    ) {
        guard !clients.isEmpty else { return }
        try? ViewMessage(type: type, engine: engine, value: value).send(by: server, to: clients, urgency)
    }
}

extension EngineSnapshot {
    /// Without what frames and messages of their own have.
    fileprivate var withoutRows: EngineSnapshot {
        var rest = self
        rest.scene?.sources = []
        rest.scene?.listeners = []
        rest.scene?.voices = []
        rest.scene?.paths = PackedNumbers([])
        rest.scene?.rayCourses = PackedNumbers([])
        return rest
    }
}
