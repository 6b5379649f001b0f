#if os(Linux)
import Foundation
import Glibc

/// How much memory the process uses.
public enum HeapUse {
    /// Bytes of the C library's heap that are in use, mapped blocks included.
    ///
    /// Not the resident set: that grows when pages of code or of buffers are touched for the first time, and shrinks
    /// and grows as the system takes pages back.
    public static func bytes() throws -> Int {
        let report = try report()
        // The totals of the process stand behind the list of arenas.
        let totals = report.components(separatedBy: "</heap>").last?.split(separator: "\n") ?? []
        func size(_ element: String) throws -> Int {
            let line = totals.first { $0.hasPrefix("<" + element) }
            let digits = line?.components(separatedBy: "size=\"").last?.prefix { $0.isNumber }
            guard let size = digits.flatMap({ Int($0) }) else { throw Unreadable(report: report) }
            return size
        }
        return try size("system type=\"current\"") + size("total type=\"mmap\"") - size("total type=\"fast\"")
            - size("total type=\"rest\"")
    }

    /// What the C library writes about its heap.
    private static func report() throws -> String {
        typealias Report = @convention(c) (CInt, UnsafeMutablePointer<FILE>) -> CInt
        var text: UnsafeMutablePointer<CChar>?, length = 0
        guard let symbol = dlsym(nil, "malloc_info"), let file = open_memstream(&text, &length) else {
            throw Unreadable(report: "")
        }
        _ = unsafeBitCast(symbol, to: Report.self)(0, file)
        fclose(file)
        defer { free(text) }
        return text.map { String(cString: $0) } ?? ""
    }

    /// The C library is another one than expected.
    private struct Unreadable: Error { let report: String }
}
#endif
