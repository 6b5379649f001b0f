import Foundation
import Testing

@testable import OssiclePlugins

@Suite("LV2 plug-ins that go wrong", .serialized)
struct IsolationTests {
    @Test("A crash is silence and one error, and a fresh instance sounds again", arguments: [true, false])
    func crash(isOffline: Bool) throws {
        let bench = try ProbeBench("crashing")
        #expect(bench.render(128) != nil)
        #expect(bench.render(128, isOffline: isOffline) { $0.set(1, port: 2, frame: 0) } == nil)
        #expect(bench.reported.first() == .crashed(uri: "urn:ossicle:probe:crashing", signal: SIGSEGV))
        for _ in 0..<20 { #expect(bench.render(128, isOffline: isOffline) == nil) }
        #expect(bench.reported.all.count == 1)
        #expect(throws: PluginError.self) { try bench.instance.state() }
        try bench.instance.prepare(bench.renderer.shape)
        #expect(bench.instance.isRunning)
    }

    @Test("A plug-in that hangs is ended, and every call returns")
    func hang() throws {
        let bench = try ProbeBench("hanging")
        bench.instance.offlinePatience = 0.5
        #expect(bench.render(128) != nil)
        #expect(bench.render(128) { $0.set(1, port: 2, frame: 0) } == nil)
        #expect(
            bench.reported.first() == .hung(uri: "urn:ossicle:probe:hanging", activity: "rendering", seconds: 0.5))
        #expect(bench.render(128) == nil)
    }

    @Test("At a device a plug-in that hangs costs one block's wait, and is late before it is ended")
    func hangLive() throws {
        let bench = try ProbeBench("hanging")
        #expect(bench.render(128, isOffline: false) { $0.set(1, port: 2, frame: 0) } == nil)
        // Not waited for again.
        for _ in 0..<100 { #expect(bench.render(128, isOffline: false) == nil) }
        bench.instance.reportFaults()
        #expect(bench.reported.all.contains(.late(uri: "urn:ossicle:probe:hanging")))
        // On a queue that the tests beside may keep busy.
        for _ in 0..<3000 where bench.reported.all.count < 2 { usleep(10_000) }
        #expect(bench.reported.all.last == .hung(uri: "urn:ossicle:probe:hanging", activity: "rendering", seconds: 1))
    }

    @Test("A late block keeps what was laid down for it")
    func lateEvents() throws {
        let bench = try ProbeBench("scaling")
        #expect(bench.render(128) != nil)
        let process = try #require(bench.instance.processIdentifier)
        kill(process, SIGSTOP)
        var information = siginfo_t()
        #expect(waitid(P_PID, id_t(process), &information, WSTOPPED | WNOWAIT) == 0)
        #expect(bench.render(128, isOffline: false) { $0.set(0.5, port: 2, frame: 0) } == nil)
        #expect(bench.render(128, isOffline: false) == nil)
        kill(process, SIGCONT)
        // Offline, what is under way is waited for. The value was sent once.
        #expect(try #require(bench.render(64))[0].allSatisfy { $0 == 0.5 })
    }

    @Test("What is no number becomes silence, and is reported once", arguments: [false, true])
    func notFinite(isInProcess: Bool) throws {
        let bench = try ProbeBench("undefined", isInProcess: isInProcess)
        for _ in 0..<3 {
            #expect(try #require(bench.render(64) { $0.set(1, port: 2, frame: 32) })[0].allSatisfy { $0.isFinite })
            bench.instance.reportFaults()
        }
        #expect(bench.reported.all == [.notFinite(uri: "urn:ossicle:probe:undefined")])
    }

    @Test("A plug-in that crashes or refuses while it is made is an error")
    func stillborn() throws {
        #expect(throws: PluginError.crashed(uri: "urn:ossicle:probe:stillborn", signal: SIGSEGV)) {
            try ProbeBench("stillborn")
        }
        for isInProcess in [false, true] {
            let error = #expect(throws: PluginError.self) { try ProbeBench("refusing", isInProcess: isInProcess) }
            guard case .refused = error else { return #expect(Bool(false), "\(String(describing: error))") }
        }
    }

    @Test("The process of a plug-in ends with its instance")
    func noOrphans() throws {
        let identifier: Int32
        do {
            let bench = try ProbeBench("scaling")
            identifier = try #require(bench.instance.processIdentifier)
            #expect(kill(identifier, 0) == 0)
        }
        for _ in 0..<500 where kill(identifier, 0) == 0 { usleep(10_000) }
        #expect(kill(identifier, 0) != 0)
    }
}
