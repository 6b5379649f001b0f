import CPulse
import Foundation

/// Finds out whether a PulseAudio server (or PipeWire in its place) listens, before the client library is asked.
///
/// The library knows only the sockets its environment variables lead to; a program started by cron or over ssh has none
/// of them set, and the user's server runs all the same.
enum PulseServer {
    /// The sockets the library would try, in its order.
    static func localSockets(_ environment: [String: String]) -> [String] {
        var folders: [String] = []
        if let path = environment["PULSE_RUNTIME_PATH"] { folders.append(path) }
        if let path = environment["XDG_RUNTIME_DIR"] { folders.append(path + "/pulse") }
        folders += ["/run/user/\(getuid())/pulse", "/var/run/pulse"]
        return folders.map { $0 + "/native" }
    }

    /// The server to name to the library, nil for none. What the user names is left to the library, which then starts
    /// nothing.
    static func find(
        named server: String?, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String? {
        if let named = named(server, environment), socketPath(named) == nil { return named }
        return sockets(server, environment).first { connects($0) == 0 }.map { "unix:" + $0 }
    }

    private static func named(_ server: String?, _ environment: [String: String]) -> String? {
        (server ?? environment["PULSE_SERVER"]).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Where a server of this machine may listen: where the user says, or where the library would look.
    private static func sockets(_ server: String?, _ environment: [String: String]) -> [String] {
        guard let named = named(server, environment) else { return localSockets(environment) }
        return socketPath(named).map { [$0] } ?? []
    }

    /// What a server is called in errors.
    static func name(_ server: String?) -> String { "PulseAudio server" + (server.map { " \($0)" } ?? "") }

    /// `find`, or the error that nothing is there, be it the server or the library that talks to it.
    static func found(_ server: String?, device: String) throws(DeviceError) -> String {
        guard ossicle_load_pulse() else {
            throw .noServer(device: device, detail: "libpulse.so.0 is missing: install libpulse0")
        }
        if let found = find(named: server) { return found }
        let sockets = sockets(server, ProcessInfo.processInfo.environment)
        guard let closed = sockets.first(where: { connects($0) == EACCES }) else {
            throw .noServer(device: device, detail: "nothing listens")
        }
        throw .denied(device: device, detail: "its socket \(closed) is closed to this user")
    }

    /// The path of a server given as `unix:/path` or `/path`; nil for servers on the network and lists of servers.
    private static func socketPath(_ server: String) -> String? {
        if server.contains(where: \.isWhitespace) { return nil }
        if server.hasPrefix("unix:") { return String(server.dropFirst(5)) }
        return server.hasPrefix("/") ? server : nil
    }

    /// 0 where something accepts connections at a socket, else the reason why not, as in `errno`. Never waits.
    private static func connects(_ path: String) -> Int32 {
        var address = sockaddr_un()
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < room else { return ENAMETOOLONG }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 ? 0 : errno
            }
        }
    }
}
