import CPluginHost
import Foundation
import Synchronization

/// A plug-in that is loaded, in a process of its own or in this one. Control side; any thread.
///
/// State and values outlive the instance: another sample rate, number of channels or a crash has it made anew with
/// them.
package final class PluginInstance: @unchecked Sendable {
    /// What it is made for.
    package struct Shape: Hashable, Sendable {
        package var rate: Double
        /// Frames of a block at most.
        package var capacity: Int
        package var routing: PluginRouting

        package init(rate: Double, capacity: Int, routing: PluginRouting) {
            (self.rate, self.capacity, self.routing) = (rate, capacity, routing)
        }
    }

    package let plugin: PluginDescription
    package let isInProcess: Bool
    /// Gets what happens while it renders, each kind once for each instance. Any thread.
    private let report: @Sendable (PluginError) -> Void
    private let lock = NSRecursiveLock()
    private var shape: Shape?
    private var process: PluginProcess?
    private var own: OwnPlugin?
    private var memory: SharedMemory?
    private var faults = PluginFaults()
    /// Of the instance before.
    private var lastState: PluginState?
    private var folder: StateFolder?
    private var patience = 10.0

    package init(
        _ plugin: PluginDescription, isInProcess: Bool, report: @escaping @Sendable (PluginError) -> Void
    ) {
        (self.plugin, self.isInProcess, self.report) = (plugin, isInProcess, report)
    }

    deinit { process?.end() }

    package var processIdentifier: Int32? { lock.withLock { process?.processIdentifier } }

    /// Seconds that a block may take offline before the process counts as hung. Default 10.
    package var offlinePatience: Double {
        get { lock.withLock { patience } }
        set {
            lock.withLock {
                patience = newValue
                process?.offlinePatience.withLock { $0 = newValue }
            }
        }
    }

    /// Loads it for a shape, unless it is; throws where it refuses. A state is carried over.
    package func prepare(_ wanted: Shape) throws(PluginError) {
        lock.lock()
        defer { lock.unlock() }
        if shape == wanted, isRunning { return }
        if shape != nil, isRunning, let state = try? state() { lastState = state }
        shape = nil
        if plugin.makesFiles, folder == nil { folder = try StateFolder(name: plugin.uri) }
        if isInProcess { try makeHere(wanted) } else { try makeThere(wanted) }
        shape = wanted
        if let lastState { _ = try? restore(lastState) }
    }

    /// Whether it is loaded, and its process is there.
    package var isRunning: Bool { lock.withLock { own != nil || process?.isRunning == true } }

    /// What renders it, as it was last prepared; `nil` before.
    package func renderer() -> PluginRenderer? {
        lock.withLock {
            guard let shape, let memory else { return nil }
            return PluginRenderer(plugin, shape, memory, own: own, faults: faults)
        }
    }

    private func makeThere(_ shape: Shape) throws(PluginError) {
        if process?.isRunning != true {
            process?.end()
            let (uri, report) = (plugin.uri, report)
            process = try PluginProcess(name: uri, report: report)
            process?.offlinePatience.withLock { $0 = patience }
        }
        guard let process else { return }
        let routing = shape.routing
        guard
            let memory = SharedMemory(
                file: process.memoryFile, ports: plugin.ports.count, inputs: routing.inputs, outputs: routing.outputs,
                capacity: shape.capacity)
        else { throw .noProcess("no memory to share") }
        var command = ossicle_make_command()
        (command.rate, command.capacity, command.copies) = (shape.rate, UInt32(shape.capacity), UInt32(routing.copies))
        (command.ports, command.inputs, command.outputs) = (
            memory.exchange.ports, memory.exchange.inputs, memory.exchange.outputs
        )
        let body =
            withUnsafeBytes(of: &command) { Array($0) } + Array(plugin.uri.utf8) + [0]
            + Array((folder?.path ?? "").utf8) + [0] + plugin.bundleList
        do {
            _ = try process.transact(OSSICLE_COMMAND_MAKE, body, seconds: 30, activity: "being instantiated")
        } catch {
            process.end()
            throw error
        }
        process.use(memory)
        (self.memory, faults) = (memory, PluginFaults())
    }

    private func makeHere(_ shape: Shape) throws(PluginError) {
        own = nil
        let routing = shape.routing
        own = try OwnPlugin(
            plugin, folder: folder?.path ?? "",
            ossicle_plugin_shape(rate: shape.rate, capacity: UInt32(shape.capacity), copies: UInt32(routing.copies)))
        memory = SharedMemory(
            ports: plugin.ports.count, inputs: routing.inputs, outputs: routing.outputs, capacity: shape.capacity)
        faults = PluginFaults()
    }

    /// Reports what the render thread has found since this was last called.
    package func reportFaults() {
        let faults = lock.withLock { self.faults }
        if faults.take(.late) { report(.late(uri: plugin.uri)) }
        if faults.take(.notFinite) { report(.notFinite(uri: plugin.uri)) }
    }

    // MARK: State

    private func loaded() throws(PluginError) {
        if own == nil, let error = process?.error { throw error }
        if own == nil, process == nil { throw .refused(uri: plugin.uri, reason: "it is not loaded") }
    }

    /// The state by now. Throws also where its files are too large.
    package func state() throws(PluginError) -> PluginState {
        lock.lock()
        defer { lock.unlock() }
        try loaded()
        var bytes: [UInt8] = []
        if let own {
            bytes = own.text { ossicle_plugin_save($0, $1) } ?? []
        } else if let process {
            bytes = try process.transact(OSSICLE_COMMAND_SAVE, activity: "saving its state", most: 1 << 28)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return try folder?.pack(text) ?? PluginState(text: text)
    }

    /// Restores a state; gives the values of all ports then. Throws for another plug-in's.
    @discardableResult
    package func restore(_ state: PluginState) throws(PluginError) -> [Float] {
        lock.lock()
        defer { lock.unlock() }
        let text = try folder?.unpack(state) ?? state.text
        let values = try apply(text, OSSICLE_COMMAND_RESTORE) { ossicle_plugin_restore($0, $1, $2) }
        lastState = state
        return values
    }

    /// Loads the preset of a URI; gives the values of all ports then.
    package func load(preset uri: String) throws(PluginError) -> [Float] {
        try apply(uri, OSSICLE_COMMAND_LOAD_PRESET) { ossicle_plugin_load_preset($0, $1, $2) }
    }

    private func apply(
        _ text: String, _ command: some BinaryInteger,
        _ body: (OpaquePointer, UnsafePointer<CChar>, UnsafeMutablePointer<Float>) -> Bool
    ) throws(PluginError) -> [Float] {
        lock.lock()
        defer { lock.unlock() }
        try loaded()
        var values = [Float](repeating: 0, count: plugin.ports.count)
        if let own {
            guard body(own.pointer, text, &values) else {
                throw .foreignState(uri: plugin.uri, reason: "a state or preset that is none of this plug-in's")
            }
            return values
        }
        guard let process, let memory else { return values }
        do {
            _ = try process.transact(command, Array(text.utf8) + [0], activity: "restoring a state")
        } catch {
            if case .refused(let uri, let reason) = error { throw .foreignState(uri: uri, reason: reason) }
            throw error
        }
        withUnsafePointer(to: memory.exchange) { exchange in
            if let written = ossicle_exchange_values_out(exchange) {
                for index in values.indices { values[index] = written[index] }
            }
        }
        return values
    }

    /// URIs and names of the presets, sorted by name.
    package func presets() throws(PluginError) -> [(uri: String, name: String)] {
        lock.lock()
        defer { lock.unlock() }
        try loaded()
        var bytes: [UInt8] = []
        if let own {
            bytes = own.text { ossicle_plugin_presets($0, $1) } ?? []
        } else if let process {
            bytes = try process.transact(OSSICLE_COMMAND_PRESETS, activity: "listing its presets", most: 1 << 26)
        }
        let texts = bytes.split(separator: 0, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        let pairs = stride(from: 0, to: texts.count - 1, by: 2).map { (uri: texts[$0], name: texts[$0 + 1]) }
        return pairs.sorted { ($0.name, $0.uri) < ($1.name, $1.uri) }
    }

    /// Sets a property that is a path, a text or a URI, with the next block. Throws where there is none of that number.
    package func setText(_ text: String, property: Int) throws(PluginError) {
        lock.lock()
        defer { lock.unlock() }
        try loaded()
        if let own {
            guard ossicle_plugin_set_text(own.pointer, UInt32(property), text) else {
                throw .refused(uri: plugin.uri, reason: "there is no such property that is a text")
            }
            return
        }
        let number = withUnsafeBytes(of: UInt32(property)) { Array($0) }
        _ = try process?.transact(OSSICLE_COMMAND_TEXT, number + Array(text.utf8) + [0], activity: "being given a text")
    }

    /// Forgets what was heard. Not while it renders.
    package func reset() {
        lock.lock()
        defer { lock.unlock() }
        if let own { return ossicle_plugin_reset(own.pointer) }
        _ = try? process?.transact(OSSICLE_COMMAND_RESET, activity: "being reset")
    }

    /// Frames of delay that a fresh instance states.
    package func latency() -> Double {
        lock.lock()
        defer { lock.unlock() }
        if let own { return Double(ossicle_plugin_latency(own.pointer)) }
        guard let bytes = try? process?.transact(OSSICLE_COMMAND_LATENCY, activity: "stating its latency"),
            bytes.count == 4
        else { return 0 }
        let frames = bytes.withUnsafeBytes { $0.load(as: Float.self) }
        return frames.isFinite ? Double(min(max(frames, 0), 1e9)) : 0
    }
}

extension PluginDescription {
    /// Its bundles as C takes them: each path ended by 0, and an empty one behind the last.
    fileprivate var bundleList: [UInt8] { bundles.flatMap { Array($0.utf8) + [0] } + [0] }
}

/// A plug-in in this process.
final class OwnPlugin: @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ plugin: PluginDescription, folder: String, _ shape: ossicle_plugin_shape) throws(PluginError) {
        let uri = plugin.uri
        guard ossicle_plugins_are_there() else { throw .noLibrary }
        var reason = [CChar](repeating: 0, count: 512)
        let bundles = plugin.bundleList.map { CChar(bitPattern: $0) }
        guard let made = ossicle_plugin_make(uri, folder, bundles, shape, &reason, reason.count) else {
            let text = reason.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
            throw .refused(uri: uri, reason: text.isEmpty ? "it could not be loaded" : text)
        }
        pointer = made
    }

    deinit { ossicle_plugin_free(pointer) }

    func text(_ body: (OpaquePointer, UnsafeMutablePointer<Int>) -> UnsafeMutablePointer<CChar>?) -> [UInt8]? {
        var size = 0
        guard let text = body(pointer, &size) else { return nil }
        defer { ossicle_plugin_free_text(text) }
        return UnsafeRawBufferPointer(start: text, count: size).map { $0 }
    }
}

/// What a render thread has found, for the control side to report. Each kind once.
final class PluginFaults: Sendable {
    enum Kind: Int { case late = 1, notFinite = 2 }
    private let seen = Atomic(0)
    private let taken = Atomic(0)

    /// Render thread.
    func note(_ kind: Kind) { seen.bitwiseOr(kind.rawValue, ordering: .relaxed) }

    func take(_ kind: Kind) -> Bool {
        guard seen.load(ordering: .relaxed) & kind.rawValue != 0 else { return false }
        return taken.bitwiseOr(kind.rawValue, ordering: .relaxed).oldValue & kind.rawValue == 0
    }
}
