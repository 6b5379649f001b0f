import Foundation
import OssicleTestSupport
import Synchronization

/// Reads one mutated file after the other, in a process that may end at any of them.
struct Worker {
    let kind: Kind
    let folder: String
    let seed: UInt64

    /// Bytes a file may take in memory, and seconds of work.
    static let mostMemory = 256 << 20, mostSeconds = 5.0
    /// Statuses of the process.
    static let tooSlow: Int32 = 70, tooLarge: Int32 = 71, wrong: Int32 = 72

    /// The number of the file that is being read, for the parent.
    static func roundFile(_ folder: String) -> String { folder + "/round" }
    static func spoiltFile(_ folder: String, _ kind: Kind) -> String { folder + "/spoilt-" + kind.name }

    func run(from first: Int, to end: Int) throws -> Never {
        let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + kind.name))),
            path = Self.spoiltFile(folder, kind)
        let progress = open(Self.roundFile(folder), O_WRONLY | O_CREAT, 0o666)
        Self.limitAddressSpace()
        watch()
        for round in first..<end {
            var mutator = Mutator(seed: seed &* 1_000_003 &+ UInt64(round))
            let bytes = mutator.mutate(whole, most: round % 2 == 0 ? 1 : 6)
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            var number = Int64(round)
            pwrite(progress, &number, 8, 0)
            Self.started.store(Self.workNanoseconds, ordering: .releasing)
            let before = Self.resident("VmRSS:")
            Self.forgetPeak()
            if let complaint = Reading(kind: kind).complaint(bytes, path: path) {
                print(complaint)
                exit(Self.wrong)
            }
            let growth = Self.resident("VmHWM:") - before
            if growth > Self.mostMemory {
                print("\(growth >> 20) MB of memory")
                exit(Self.tooLarge)
            }
        }
        exit(0)
    }

    // MARK: Bounds

    private static let started = Atomic<UInt64>(.max)

    private static var workNanoseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Ends the process when a file takes too much work; the clock is that of the process, so that a busy machine does
    /// not count. One that waits for ever is ended by an alarm.
    private func watch() {
        Thread.detachNewThread {
            while true {
                usleep(200_000)
                let start = Self.started.load(ordering: .acquiring), now = Self.workNanoseconds
                if start < now, Double(now - start) / 1e9 > Self.mostSeconds { _exit(Self.tooSlow) }
            }
        }
    }

    /// More than the limit of a file, so that a library that asks for more is not helped by a refusal.
    private static func limitAddressSpace() {
        let pages =
            (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ").first.flatMap {
                UInt64($0)
            } ?? 0
        let most = pages * UInt64(sysconf(Int32(_SC_PAGESIZE))) + 2 << 30
        var limit = rlimit(rlim_cur: rlim_t(most), rlim_max: rlim_t(most))
        setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    }

    /// A line of /proc/self/status, in bytes.
    private static func resident(_ name: String) -> Int {
        let lines = ((try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? "").split(separator: "\n")
        return
            (lines.first { $0.hasPrefix(name) }?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
            .flatMap { Int($0) } ?? 0) << 10
    }

    private static func forgetPeak() {
        let file = open("/proc/self/clear_refs", O_WRONLY)
        guard file >= 0 else { return }
        write(file, "5", 1)
        close(file)
    }
}
