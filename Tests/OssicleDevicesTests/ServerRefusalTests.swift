import CPulse
import Foundation
import OssicleTestSupport
import Testing
@testable import OssicleDevices

/// What servers and devices answer in place of sound, provoked: each is an error of its kind that says what to do, and
/// is asked for once.
@Suite("Refusals, provoked")
struct ServerRefusalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let answer: RefusingServer.Answer
        let kind: @Sendable (DeviceError) -> Bool
        let cure: String
        var testDescription: String { "\(answer)" }
    }

    private static let isDenied: @Sendable (DeviceError) -> Bool = { if case .denied = $0 { true } else { false } }
    private static let isRefused: @Sendable (DeviceError) -> Bool = { if case .refused = $0 { true } else { false } }
    private static let isNoServer: @Sendable (DeviceError) -> Bool = { if case .noServer = $0 { true } else { false } }
    private static let isNoDevice: @Sendable (DeviceError) -> Bool = { if case .noDevice = $0 { true } else { false } }
    private static let isBusy: @Sendable (DeviceError) -> Bool = { if case .busy = $0 { true } else { false } }

    static let connections = [
        Case(answer: .error(1), kind: isDenied, cure: "PULSE_COOKIE"),
        Case(answer: .error(9), kind: isDenied, cure: "PULSE_COOKIE"),
        Case(answer: .error(17), kind: isRefused, cure: "pactl info"),
        Case(answer: .hangUp, kind: isNoServer, cure: "start PipeWire"),
        Case(answer: .silence, kind: isNoServer, cure: "start PipeWire"),
    ]

    @Test("A server that lets nobody in", .enabled(if: ossicle_load_pulse()), arguments: connections)
    func connection(_ expected: Case) throws {
        let server = try RefusingServer(.connection, expected.answer)
        let attempts: [() throws -> Void] = [
            { _ = try PortOutput(.pulse(server: server.address)) },
            { _ = try PortInput(.pulse(server: server.address)) },
            { _ = try DeviceList.current(server: server.address) },
            { try DeviceWatch(server: server.address).start { _ in } },
        ]
        for (index, attempt) in attempts.enumerated() {
            let error = try #require(throws: DeviceError.self) { try attempt() }
            #expect(expected.kind(error) && "\(error)".contains(expected.cure), "\(error)")
            #expect(server.refusals == index + 1)
        }
    }

    static let streams = [
        Case(answer: .error(1), kind: isDenied, cure: "PULSE_COOKIE"),
        Case(answer: .error(5), kind: isNoDevice, cure: "ossicle devices"),
        Case(answer: .error(18), kind: isRefused, cure: "check the format"),
        Case(answer: .error(19), kind: isRefused, cure: "check the format"),
        Case(answer: .error(26), kind: isBusy, cure: "end the program that holds it"),
        Case(answer: .silence, kind: isNoServer, cure: "no answer within"),
    ]

    /// The same socket passes what plays in the other direction.
    @Test("A server that opens no stream", .enabled(if: SoundServer.isRunning), arguments: streams)
    func stream(_ expected: Case) throws {
        let real = ProcessInfo.processInfo.environment["PULSE_SERVER"]
        for request in [RefusingServer.Request.playbackStream, .recordStream] {
            let server = try RefusingServer(request, expected.answer, before: real)
            let output = try PortOutput(.pulse(server: server.address))
            let input = try PortInput(.pulse(SoundServer.sink + ".monitor", server: server.address))
            let (play, record) = ({ try output.start { _ in } }, { try input.start { _ in } })
            let (refused, granted) = request == .playbackStream ? (play, record) : (record, play)
            let error = try #require(throws: DeviceError.self) { try refused() }
            #expect(expected.kind(error) && "\(error)".contains(expected.cure), "\(error)")
            try granted()
            #expect(output.stop() && input.stop() && server.refusals == 1)
            // What was refused can be asked for again.
            #expect(throws: DeviceError.self) { try refused() }
            #expect(server.refusals == 2)
        }
    }

    @Test("A socket of another user's says whose it is", .enabled(if: ossicle_load_pulse()))
    func closedSocket() throws {
        let server = try RefusingServer(.connection, .silence)
        let path = String(server.address.dropFirst("unix:".count))
        chmod(path, 0)
        let address = server.address
        let error = try #require(
            errorAsStranger { () throws(DeviceError) in _ = try PortOutput(.pulse(server: address)) })
        #expect(Self.isDenied(error) && "\(error)".contains(path), "\(error)")
        #expect(!error.meansNoDevice)
    }
}
