import Foundation

/// How long threads were ready to run and had no processor, as Linux counts it: by so much a crowded machine makes an
/// ordinary thread late.
public enum ProcessorWait {
    /// Seconds since the threads began, of all of them together. Those that have ended are not in it.
    /// - Parameters:
    ///   - processes: nil for this one.
    ///   - name: of the threads; nil for all.
    public static func seconds(in processes: [pid_t] = [getpid()], ofThreads name: String? = nil) -> Double {
        var sum = 0.0
        for process in processes {
            let tasks = "/proc/\(process)/task"
            for task in (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? [] {
                if let name, words(tasks + "/" + task + "/comm") != [name] { continue }
                let counts = words(tasks + "/" + task + "/schedstat")
                // Nanoseconds on a processor, nanoseconds in its queue, turns.
                if counts.count == 3, let wait = Double(counts[1]) { sum += wait / 1e9 }
            }
        }
        return sum
    }

    private static func words(_ path: String) -> [String] {
        let text = try? String(contentsOfFile: path, encoding: .utf8)
        return text?.split(whereSeparator: \.isWhitespace).map(String.init) ?? []
    }
}
