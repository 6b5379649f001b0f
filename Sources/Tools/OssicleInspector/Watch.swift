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
        /// What pages have by now.
        var geometry: UInt64?
        var paths, rays: PackedNumbers?
        var rows = FrameRows()
    }

    private struct Viewer {
        let id: LiveServer.ClientID
        var selection: Selection?
        /// Whether it has been sent what changes seldom.
        var isNew = true
        /// Frames that it was sent and has not said it has seen: a page that is behind is sent no more until it has
        /// caught up.
        var unseen = 0
    }

    private struct State {
        var engines: [Engine] = []
        var viewers: [Viewer] = []
        var lastEngine = 0
        var round = 0
        var timer: (any DispatchSourceTimer)?
    }

    /// `@unchecked`: the mutex guards it.
    private struct Guarded: @unchecked Sendable { var state = State() }

    private let server: LiveServer
    private let updatesPerSecond: Int
    /// Where engines are looked at, and commands are carried out.
    private let queue = DispatchQueue(label: "ossicle.inspector.watch", qos: .utility)
    private let guarded = Mutex(Guarded())

    private static let unseenLimit = 4
    /// Rounds from one look at a selection to the next: its words cost more than all numbers.
    private static let roundsToDetail = 3
    /// Rounds after which paths are sent though they are the same.
    private static let roundsToPaths = 15

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
        timer.schedule(deadline: .now(), repeating: 1 / Double(updatesPerSecond), leeway: .milliseconds(1))
        timer.setEventHandler { [weak self] in self?.look() }
        withState { $0.timer = timer }
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
        do {
            let request = try JSONDecoder().decode(ViewRequest.self, from: Data(text.utf8))
            if request.seen != nil {
                withState { state in
                    guard let place = state.viewers.firstIndex(where: { $0.id == client }) else { return }
                    state.viewers[place].unseen = max(state.viewers[place].unseen - 1, 0)
                }
            }
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

    // MARK: Looking

    private func look() {
        let (engines, viewers, round) = withState { state in
            state.engines.removeAll { $0.engine == nil }
            state.round += 1
            return (state.engines, state.viewers, state.round)
        }
        let ready = viewers.filter { $0.unseen < Self.unseenLimit }
        guard !ready.isEmpty else { return }
        for entry in engines {
            guard let engine = entry.engine else { continue }
            look(at: engine, entry, ready, round: round)
        }
        withState { state in
            for place in state.viewers.indices where ready.contains(where: { $0.id == state.viewers[place].id }) {
                state.viewers[place].isNew = false
                state.viewers[place].unseen += engines.count
            }
        }
        if round % Self.roundsToDetail == 0 { lookAtSelections(engines, ready) }
    }

    private func look(at engine: any InspectedEngine, _ known: Engine, _ viewers: [Viewer], round: Int) {
        let snapshot = engine.snapshot()
        let (all, new) = (viewers.map(\.id), viewers.filter(\.isNew).map(\.id))
        if let version = snapshot.scene?.geometryVersion, version != known.geometry || !new.isEmpty {
            let geometry = engine.geometry()
            send(.geometry, engine: known.id, geometry, to: version != known.geometry ? all : new, .lasting)
            note(known.id) { $0.geometry = geometry.version }
        }
        if let scene = snapshot.scene {
            for (type, numbers, before) in [
                (ViewMessageType.paths, scene.paths, known.paths), (.rays, scene.rayCourses, known.rays),
            ] {
                // Again now and then, for pages that were behind when these came.
                let isDue = numbers != before || round % Self.roundsToPaths == 0
                if isDue || !new.isEmpty { send(type, engine: known.id, numbers, to: isDue ? all : new, .passing) }
            }
            note(known.id) { ($0.paths, $0.rays) = (scene.paths, scene.rayCourses) }
        }
        var rows = known.rows
        let frame = rows.frame(snapshot)
        // Also to pages that are behind: nothing else says what words are.
        let (added, everyone) = (rows.takeAddition(), withState { $0.viewers.map(\.id) })
        if !new.isEmpty { send(.words, engine: known.id, rows.whole, to: new, .lasting) }
        if let added {
            send(.words, engine: known.id, added, to: everyone.filter { !new.contains($0) }, .lasting)
        }
        note(known.id) { $0.rows = rows }
        send(.frame, engine: known.id, frame, to: all, .passing)
        send(.sound, engine: known.id, engine.takeSound(), to: all, .passing)
    }

    private func note(_ id: Int, _ change: (inout Engine) -> Void) {
        withState { state in
            if let place = state.engines.firstIndex(where: { $0.id == id }) { change(&state.engines[place]) }
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
