@testable import OssicleDevices
import Foundation
import Testing

/// What is in the way of a device, for each backend: a kind of error of its own, and a cure in words.
@Suite("What is in the way of a device")
struct DeviceErrorTests {
    private enum Kind { case noServer, noDevice, busy, denied, rejected, wrongRate, other }

    private func kind(of error: any Error) -> Kind {
        switch error as? DeviceError {
        case .noServer: .noServer
        case .noDevice: .noDevice
        case .busy: .busy
        case .denied: .denied
        case .rejected: .rejected
        case .wrongRate: .wrongRate
        default: .other
        }
    }

    @Test("ALSA's codes are told apart: no device, no server, busy, not allowed, and what it cannot do")
    func alsaCodes() {
        let table: [(Int32, Kind, String)] = [
            (ENOENT, .noDevice, "ossicle devices"), (ENODEV, .noDevice, "plug a device in"),
            (ECONNREFUSED, .noServer, "start PipeWire"), (EBUSY, .busy, "fuser"), (EAGAIN, .busy, "end the program"),
            (EACCES, .denied, "group audio"), (EPERM, .denied, "group audio"),
            (EINVAL, .rejected, "ossicle devices"),
        ]
        for (code, expected, cure) in table {
            let error = AlsaStream.failure(-code, device: "alsa:hw:0")
            #expect(kind(of: error) == expected && error.description.contains(cure), "\(code): \(error)")
        }
    }

    @Test("ALSA: a pcm that nobody configured is no device, in either direction")
    func alsaAbsent() {
        #expect { try PortOutput(.alsa("unconfigured")) } throws: { kind(of: $0) == .noDevice }
        #expect { try PortInput(.alsa("unconfigured")) } throws: { kind(of: $0) == .noDevice }
    }

    @Test("JACK: where no server runs, the error names the variable that leads to one", .enabled(if: hasNoJackServer))
    func jackWithoutServer() {
        for open in [{ _ = try PortOutput(.jack()) }, { _ = try PortInput(.jack()) }] as [() throws -> Void] {
            #expect {
                try open()
            } throws: {
                kind(of: $0) == .noServer && "\($0)".contains("JACK_DEFAULT_SERVER")
            }
        }
    }

    @Test("JACK: what a server says in place of letting a client in is told apart")
    func jackStatuses() {
        let table: [(Int, Bool, String)] = [
            (0x11, true, "no JACK server runs"), (0x201, false, "the user of the session"),
            (0x211, false, "shared memory"),
            (0x401, false, "version"), (0x1, false, "status 1"),
        ]
        for (status, meansNoDevice, words) in table {
            let error = JackClient.failure(status, device: "JACK server")
            #expect(error.meansNoDevice == meansNoDevice && "\(error)".contains(words), "\(status): \(error)")
        }
    }

    private static let hasNoJackServer = (try? JackDirectory.list()) == nil

    @Test("What a server refuses, and a device that breaks off, say what to look at; no two kinds read alike")
    func sentences() {
        let errors: [(DeviceError, String)] = [
            (.refused(device: "A", code: 1), "pactl info"),
            (.denied(device: "A", detail: "closed"), "PULSE_COOKIE"),
            (.disconnected(device: "A", code: 6), "start the device again"),
            (.gone(device: "A", detail: "unplugged"), "plug it in"),
            (.wrongRate(device: "A", sampleRate: 44100, offered: 48000), "48000"),
            (.badFormat(device: "A", sampleRate: 0, channelCount: 99), "choose 1…32 channels"),
            (.alreadyRunning(device: "A"), "stop()"),
        ]
        for (error, cure) in errors { #expect(error.description.contains(cure) && !error.meansNoDevice) }
        #expect(Set(errors.map(\.0.description)).count == errors.count)
    }
}
