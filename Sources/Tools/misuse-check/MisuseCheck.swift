import Foundation

/// Does one thing that a client can do wrong, in a process of its own, so that a trap, a hang or memory without end is
/// seen and has a name.
///
///     misuse-check --list           the names of all cases
///     misuse-check "<name>"         0: the outcome was the documented one; 1: it was not, and the last line says what; a signal: a trap
///
/// Every step is written to standard error before it is taken; the last one before a trap is what trapped.
@main
enum MisuseCheck {
    /// Seconds of processor time, so that a busy machine is no fault.
    private static let seconds: rlim_t = 5
    private static let megabytes = 256

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard let name = arguments.first, name != "--list" else {
            return print(MisuseCase.all.map(\.name).joined(separator: "\n"))
        }
        guard let found = MisuseCase.all.first(where: { $0.name == name }) else {
            end("There is no case “\(name)”: misuse-check --list names all.")
        }
        limit()
        do { try found.body() } catch { end("\(error)") }
        let most = mostResident
        if most > megabytes { end("It took \(most) MB of memory; \(megabytes) are allowed.") }
    }

    /// The system ends the process by a signal when the time is up. Memory is bounded far above what is allowed, for
    /// the machine's sake: what counts is measured.
    private static func limit() {
        var (time, memory) = (
            rlimit(rlim_cur: seconds, rlim_max: seconds + 1), rlimit(rlim_cur: 8 << 30, rlim_max: 8 << 30)
        )
        setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &time)
        setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &memory)
    }

    /// Megabytes at most so far, 0 where the system does not say. `getrusage` would count the memory of the program
    /// that started this one.
    private static var mostResident: Int {
        let lines = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?.split(separator: "\n") ?? []
        let words = lines.first { $0.hasPrefix("VmHWM:") }?.split { $0 == " " || $0 == "\t" } ?? []
        return words.dropFirst().first.flatMap { Int($0) }.map { $0 / 1024 } ?? 0
    }

    private static func end(_ words: String) -> Never {
        note(words)
        exit(1)
    }
}
