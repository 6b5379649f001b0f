import Foundation

/// `swift run voice-room [PORT]`: prints an address for browsers on this machine, each page of which is a person in the
/// room.
@main
enum VoiceRoomExample {
    static func main() {
        let wanted = CommandLine.arguments.dropFirst().first
        guard let port = wanted.map({ UInt16($0) }) ?? 0 else {
            FileHandle.standardError.write(Data("usage: voice-room [PORT]\n".utf8))
            exit(64)
        }
        do {
            let server = try VoiceRoomServer(port: port)
            print("Voice room: \(server.address)\nOpen it in two windows, with headphones. Ctrl-C ends it.")
            fflush(nil)
            while true { Thread.sleep(forTimeInterval: 3600) }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }
}
