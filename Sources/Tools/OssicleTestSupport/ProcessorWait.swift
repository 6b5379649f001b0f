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

    /// Seconds that a virtual machine's host took of its processors since it began, of all of them together; 0 where
    /// there is no host. They are in no thread's count, as the machine does not run meanwhile.
    public static func stolenSeconds() -> Double {
        let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8)
        let counts = text?.split(separator: "\n").first?.split(separator: " ") ?? []
        // The line's name, and then as the eighth what was stolen, in hundredths of seconds.
        return counts.count > 8 ? (Double(counts[8]) ?? 0) / 100 : 0
    }

    private static func words(_ path: String) -> [String] {
        let text = try? String(contentsOfFile: path, encoding: .utf8)
        return text?.split(whereSeparator: \.isWhitespace).map(String.init) ?? []
    }
}
