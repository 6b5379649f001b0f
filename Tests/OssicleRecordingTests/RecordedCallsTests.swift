import Foundation
import OssicleAVFAudio
import OssiclePHASE
import OssicleTestSupport
import Testing

/// Every call by which a client changes what an engine plays is in its recording, or stands here with the reason why it
/// is not.
@Suite("Calls that are recorded") struct RecordedCallsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("members are found in sources as they are declared")
    func members() {
        let source = """
            open class A: NSObject, @unchecked Sendable {
                open var stored = 1
                public private(set) var seen = 2
                open var computed: Int { 3 }
                open var both: Int {
                    get { 1 }
                    set { use(newValue) }
                }
                public static let shared = A()
                open override func call(
                    _ x: Int
                ) {}
                public struct B {
                    public var inner: Int { get { 1 } set {} }
                }
                struct C {
                    public var hidden = 1
                }
            }
            extension OssicleAdditions where Self: D {
                public func add() {}
            }
            final class E {
                public var no = 1
            }
            """
        #expect(PublicMembers.members(of: source) == ["A.stored", "A.both", "A.call", "B.inner", "D.add"])
    }

    @Test("PHASE: each is called in the tests below, or is an exception")
    func phaseIsComplete() throws {
        let declared = try PublicMembers.mutating(in: [
            "OssiclePHASE/Engine", "OssiclePHASE/Scene", "OssiclePHASE/SoundEvents",
        ])
        expectSame(declared, PHASECalls.all.map(\.name), PHASECalls.exceptions)
    }

    @Test("AVAudioEngine: each is called in the tests below, or is an exception")
    func graphsAreComplete() throws {
        let declared = try PublicMembers.mutating(
            in: ["OssicleAVFAudio/Engine", "OssicleAVFAudio/Nodes", "OssicleAVFAudio/Units/Effects"])
        expectSame(declared, GraphCalls.all.map(\.name), GraphCalls.exceptions)
    }

    private func expectSame(_ declared: Set<String>, _ called: [String], _ exceptions: [String: [String]]) {
        let excepted = exceptions.values.flatMap(\.self)
        #expect(declared.count > 50)
        let missing = declared.subtracting(called).subtracting(excepted).sorted()
        #expect(missing.isEmpty, "neither recorded nor excepted: \(missing)")
        let gone = Set(called).union(excepted).subtracting(declared).sorted()
        #expect(gone.isEmpty, "not declared any more: \(gone)")
        let both = Set(called).intersection(excepted).sorted()
        #expect(both.isEmpty, "recorded, and excepted: \(both)")
    }

    @Test("PHASE: each writes a command")
    func phaseWrites() throws {
        let calls = try PHASECalls(recording: folder.url.appendingPathComponent("phase.txt"), folder: folder.url)
        for call in PHASECalls.all {
            let before = try calls.commandCount()
            try call.perform(calls)
            #expect(try calls.commandCount() > before, "\(call.name) writes nothing")
        }
    }

    @Test("AVAudioEngine: each writes a command")
    func graphsWrite() throws {
        let calls = try GraphCalls(recording: folder.url.appendingPathComponent("graph.txt"), folder: folder.url)
        for call in GraphCalls.all {
            let before = try calls.commandCount()
            try call.perform(calls)
            #expect(try calls.commandCount() > before, "\(call.name) writes nothing")
        }
    }
}

/// A call by a client, by the name under which `PublicMembers` finds it.
struct RecordedCall<Stage: Sendable>: Sendable {
    let name: String
    let perform: @Sendable (Stage) throws -> Void

    init(_ name: String, _ perform: @escaping @Sendable (Stage) throws -> Void) {
        (self.name, self.perform) = (name, perform)
    }
}

/// How many commands, not gaps, a recording has by now.
func recordedCommands(in file: URL) throws -> Int {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n").count { $0.contains("\"do\":") }
}
