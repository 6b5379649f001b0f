import Foundation

/// The rival for rooms in the shape of a box: pyroomacoustics as PyPI has it, in a temporary folder that goes away
/// again. For one core, as ours.
enum Pyroomacoustics {
    private static let version = "0.10.1"
    private static let script = URL(fileURLWithPath: #filePath).appendingPathComponent(
        "../../../../Rivals/pyroomacoustics-speed.py"
    ).standardized

    /// Seconds it takes.
    struct Times {
        let images: Double
        /// A whole impulse response in one band without air, and in octave bands with it.
        let band: Double, bands: Double
    }

    /// What it takes; a sentence where that cannot be told.
    static func measure(imageOrder: Int, responseOrder: Int, rays: Int) -> Result<Times, Missing> {
        guard CommandLine.arguments.contains("--pyroomacoustics") else {
            return .failure("run with --pyroomacoustics, which fetches it from PyPI")
        }
        guard let python = Command.find("python3") else { return .failure("Debian: python3-pip") }
        let process = ProcessInfo.processInfo.processIdentifier
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-pyroomacoustics-\(process)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let installing = ["-m", "pip", "install", "--quiet", "--target", folder.path, "pyroomacoustics==\(version)"]
        guard (try? Command.seconds(python, installing)) != nil else {
            return .failure("pip installs no pyroomacoustics \(version) here")
        }
        let times = numbers(python, [script.path, "\(imageOrder)", "\(responseOrder)", "\(rays)"], path: folder.path)
        guard times.count == 3 else { return .failure("\(script.lastPathComponent) failed") }
        return .success(Times(images: times[0] / 1000, band: times[1] / 1000, bands: times[2] / 1000))
    }

    struct Missing: Error, ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
        let words: String
        init(stringLiteral words: String) { self.words = words }
    }

    private static func numbers(_ python: URL, _ arguments: [String], path: String) -> [Double] {
        let (process, output) = (Process(), Pipe())
        process.executableURL = python
        process.arguments = arguments
        let single = ["PYTHONPATH": path, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"]
        process.environment = ProcessInfo.processInfo.environment.merging(single) { $1 }
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return [] }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: "\n").compactMap { Double($0) }
    }
}
