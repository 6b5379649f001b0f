import CPluginHost
import Foundation
import Synchronization

/// The process of a plug-in, as its host sees it: commands, and a thread that watches over it. Control side. Lives
/// until the process has ended, for which its owner calls `end`.
package final class PluginProcess: @unchecked Sendable {
    private struct State {
        var error: PluginError?
        var isReaped = false
        var exchange: ossicle_exchange?
        /// The mapping's size, which the watching thread keeps alive.
        var memory: SharedMemory?
    }

    /// What errors name: a URI.
    let name: String
    let memoryFile: Int32
    private let pid: Int32
    private let socket: Int32
    private let report: @Sendable (PluginError) -> Void
    private let state = Mutex(State())
    /// One command at a time.
    private let turn = NSRecursiveLock()
    /// Seconds that a block may take at a device before the process counts as hung.
    static let livePatience = 1.0
    /// The same offline, where no listener waits.
    let offlinePatience = Mutex(10.0)

    package init(name: String, report: @escaping @Sendable (PluginError) -> Void) throws(PluginError) {
        var process = ossicle_plugin_process()
        let failure = ossicle_plugin_launch(&process)
        guard failure == 0 else { throw .noProcess(String(cString: strerror(failure))) }
        (self.name, self.report) = (name, report)
        (pid, socket, memoryFile) = (process.pid, process.socket, process.memory)
        Thread.detachNewThread { [self] in watch() }
    }

    deinit {
        close(socket)
        close(memoryFile)
    }

    /// Why it is there no more; `nil` while it is.
    package var error: PluginError? { state.withLock { $0.error } }
    package var isRunning: Bool { error == nil }
    package var processIdentifier: Int32 { pid }

    /// Ends it; nothing is reported.
    package func end() { finish(.crashed(uri: name, signal: 0), isReported: false) }

    /// The memory that blocks go through from now on.
    func use(_ memory: SharedMemory) {
        state.withLock { state in
            (state.memory, state.exchange) = (memory, memory.exchange)
            if state.error != nil { withUnsafePointer(to: memory.exchange) { ossicle_exchange_end($0) } }
        }
    }

    // MARK: Commands

    /// Sends a command and waits for its reply. A process that does not answer in time is ended.
    package func transact(
        _ command: some BinaryInteger, _ body: [UInt8] = [], seconds: Double = 10, activity: String, most: Int = 1 << 28
    ) throws(PluginError) -> [UInt8] {
        turn.lock()
        defer { turn.unlock() }
        if let error { throw error }
        let deadline = ContinuousClock.now + .seconds(seconds)
        let head = [UInt32(command), UInt32(body.count)].withUnsafeBytes { Array($0) }
        guard send(head + body), let reply = receive(8, until: deadline) else { throw failure(activity, seconds) }
        let (status, size) = reply.withUnsafeBytes {
            ($0.load(as: UInt32.self), $0.load(fromByteOffset: 4, as: UInt32.self))
        }
        guard size <= most, let content = receive(Int(size), until: deadline) else { throw failure(activity, seconds) }
        if status != 0 { throw .refused(uri: name, reason: String(decoding: content, as: UTF8.self)) }
        return content
    }

    private func failure(_ activity: String, _ seconds: Double) -> PluginError {
        // Its end may be noticed a little later than its silence.
        for _ in 0..<50 where isRunning && peer == .gone { usleep(10_000) }
        finish(.hung(uri: name, activity: activity, seconds: seconds), isReported: false)
        return error ?? .crashed(uri: name, signal: 0)
    }

    private enum Peer { case there, gone }
    private var peer: Peer {
        var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) > 0 && polled.revents & Int16(POLLHUP) != 0 ? .gone : .there
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func receive(_ size: Int, until deadline: ContinuousClock.Instant) -> [UInt8]? {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: min(max(size, 1), 1 << 16))
        while bytes.count < size {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return nil }
            var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1
            guard poll(&polled, 1, Int32(clamping: milliseconds)) > 0 else { continue }
            let count = recv(socket, &block, min(block.count, size - bytes.count), 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            bytes += block[..<count]
        }
        return bytes
    }

    // MARK: Its end

    /// Ends the process, for the first reason that is given.
    private func finish(_ error: PluginError, isReported: Bool) {
        let isFirst = state.withLock { state in
            guard state.error == nil else { return false }
            state.error = error
            if !state.isReaped { kill(pid, SIGKILL) }
            if var exchange = state.exchange { ossicle_exchange_end(&exchange) }
            return true
        }
        if isFirst, isReported { report(error) }
    }

    /// Until the process has ended: notices that, and a block that takes for ever.
    private func watch() {
        var request: UInt32 = 0, since = ContinuousClock.now
        while !hasEnded() {
            usleep(20_000)
            let now = ContinuousClock.now
            let seconds = state.withLock { state -> Double? in
                guard var exchange = state.exchange, let head = ossicle_exchange_top(&exchange),
                    !ossicle_exchange_is_idle(&exchange)
                else { return nil }
                if head.pointee.request != request { (request, since) = (head.pointee.request, now) }
                let limit = head.pointee.is_offline != 0 ? offlinePatience.withLock { $0 } : Self.livePatience
                return since.duration(to: now) > .seconds(limit) ? limit : nil
            }
            if let seconds { finish(.hung(uri: name, activity: "rendering", seconds: seconds), isReported: true) }
        }
    }

    private func hasEnded() -> Bool {
        var information = siginfo_t()
        let result = waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT)
        // A client that ignores SIGCHLD has the system take the status away.
        guard result != 0 && errno == ECHILD || result == 0 && information.si_signo == SIGCHLD else { return false }
        var status: Int32 = 0
        state.withLock { state in
            state.isReaped = true
            waitpid(pid, &status, 0)
        }
        finish(.crashed(uri: name, signal: status & 0x7F), isReported: true)
        return true
    }
}

/// Memory of an exchange: shared with a process, or this one's own.
final class SharedMemory: @unchecked Sendable {
    let exchange: ossicle_exchange
    private let isMapped: Bool

    /// Of a file that grows where it is too small; `nil` where the system refuses.
    init?(file: Int32, ports: Int, inputs: Int, outputs: Int, capacity: Int) {
        var made = ossicle_exchange()
        (made.ports, made.inputs, made.outputs, made.capacity) = (
            UInt32(ports), UInt32(inputs), UInt32(outputs), UInt32(capacity)
        )
        made.size = ossicle_exchange_size(made.ports, made.inputs, made.outputs, made.capacity)
        var status = stat()
        guard fstat(file, &status) == 0, status.st_size >= made.size || ftruncate(file, off_t(made.size)) == 0,
            let memory = mmap(nil, Int(made.size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), memory != MAP_FAILED
        else { return nil }
        memset(memory, 0, Int(made.size))
        made.memory = memory
        (exchange, isMapped) = (made, true)
    }

    init(ports: Int, inputs: Int, outputs: Int, capacity: Int) {
        var made = ossicle_exchange()
        (made.ports, made.inputs, made.outputs, made.capacity) = (
            UInt32(ports), UInt32(inputs), UInt32(outputs), UInt32(capacity)
        )
        made.size = ossicle_exchange_size(made.ports, made.inputs, made.outputs, made.capacity)
        made.memory = UnsafeMutableRawPointer.allocate(byteCount: Int(made.size), alignment: 64)
        memset(made.memory, 0, Int(made.size))
        (exchange, isMapped) = (made, false)
    }

    deinit {
        if isMapped { munmap(exchange.memory, Int(exchange.size)) } else { exchange.memory.deallocate() }
    }
}
