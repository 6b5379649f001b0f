import Foundation
import Synchronization

/// The unfinished files and folders of this program, and what removes them when a signal ends it.
enum UnfinishedFiles {
    private static let paths = Mutex<Set<String>>([])

    static func add(_ path: String) {
        _ = signals
        paths.withLock { _ = $0.insert(path) }
    }

    /// The file is in its place, or gone.
    static func forget(_ path: String) { paths.withLock { _ = $0.remove(path) } }

    /// Watches for the signals that end a program, except where its parent ignores them, as `nohup` does. They come in
    /// on a queue, where everything may be called, and end the program as they would have.
    nonisolated(unsafe) private static let signals: [any DispatchSourceSignal] = [SIGINT, SIGTERM, SIGHUP].compactMap {
        number in
        var before = sigaction()
        guard sigaction(number, nil, &before) == 0,
            unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self)
        else {
            return nil
        }
        #if canImport(Darwin)
        signal(number, SIG_IGN)
        #endif
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInteractive))
        source.setEventHandler { end(by: number) }
        // Until it is registered a signal ends the program at once, which has no files yet.
        let isRegistered = DispatchSemaphore(value: 0)
        source.setRegistrationHandler { isRegistered.signal() }
        source.resume()
        _ = isRegistered.wait(timeout: .now() + 1)
        return source
    }

    /// Removes all files and lets none begin, until the signal has ended the program.
    private static func end(by number: Int32) {
        paths.withLock { paths in
            for path in paths { try? FileManager.default.removeItem(atPath: path) }
            // Dispatch has blocked the signal in the threads it came to.
            var taken = sigset_t()
            sigemptyset(&taken)
            sigaddset(&taken, number)
            signal(number, SIG_DFL)
            pthread_sigmask(SIG_UNBLOCK, &taken, nil)
            kill(getpid(), number)
            while true { pause() }
        }
    }
}

/// What programs left that ended without notice, by the names of their files: `.ossicle-`, where the program ran, its
/// process, a number.
enum StaleFiles {
    /// Looked through once each.
    private static let seen = Mutex<Set<String>>([])

    /// The name of a new file of this program.
    static func name(_ number: Int, ending: String) -> String { "\(prefix)\(getpid())-\(number).\(ending)" }

    /// Removes from `folder` the unfinished files of programs that are gone. Those of other machines and containers,
    /// whose processes are not to be seen from here, stay.
    static func remove(from folder: String) {
        guard seen.withLock({ $0.insert(folder).inserted }) else { return }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where isOfDeadProgram(name) {
            unlink((folder as NSString).appendingPathComponent(name))
        }
    }

    private static func isOfDeadProgram(_ name: String) -> Bool {
        guard name.hasPrefix(prefix),
            let process = name.dropFirst(prefix.count).split(separator: "-").first.flatMap({ pid_t($0) }), process > 0
        else { return false }
        return kill(process, 0) != 0 && errno == ESRCH
    }

    /// Tells machines and containers apart: a hash (FNV-1a) of the host's name and of the space in which process
    /// numbers count.
    private static let prefix: String = {
        let space = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")) ?? ""
        let hash = (ProcessInfo.processInfo.hostName + space).utf8.reduce(UInt32(2_166_136_261)) {
            ($0 ^ UInt32($1)) &* 16_777_619
        }
        return ".ossicle-\(String(hash, radix: 16))-"
    }()
}
