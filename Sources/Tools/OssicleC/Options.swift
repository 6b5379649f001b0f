import OssicleHeader

/// Reads a struct of options, whose first member is its size.
///
/// Options of a later header are longer; what this library does not know must be zero there. Those of an earlier one
/// are shorter, and have the defaults for what they lack.
/// - Parameter oldest: bytes that they had before they grew; nil where they never did.
func options<Options: BitwiseCopyable>(
    _ given: UnsafePointer<Options>?, defaults: Options, oldest: Int? = nil, cure: String
) throws -> Options {
    guard let given else { return defaults }
    let bytes = UnsafeRawPointer(given), known = MemoryLayout<Options>.size, least = oldest ?? known
    let size = bytes.loadUnaligned(as: UInt.self)
    guard size == least || (UInt(known)...4096).contains(size) else {
        throw Fault(
            "options.size", "is \(size)", rule: "the options of this library have \(known) bytes", cure: cure)
    }
    guard (known..<max(known, Int(size))).allSatisfy({ bytes.load(fromByteOffset: $0, as: UInt8.self) == 0 }) else {
        throw Fault(
            "options", "has members that this library does not know",
            rule: "what comes after its \(known) bytes is zero", cure: "take the library that belongs to the header")
    }
    var options = defaults
    withUnsafeMutableBytes(of: &options) { memory in
        memory.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: min(known, Int(size))))
    }
    return options
}

/// Checks of single options.
enum Check {
    static func number(_ name: String, _ value: Double, in range: ClosedRange<Double>) throws {
        guard range.contains(value) else {
            throw refused(name, "\(value)", "\(range.lowerBound)", "\(range.upperBound)")
        }
    }

    static func integer(_ name: String, _ value: Int32, in range: ClosedRange<Int32>) throws {
        guard range.contains(value) else {
            throw refused(name, "\(value)", "\(range.lowerBound)", "\(range.upperBound)")
        }
    }

    /// Hz.
    static func rate(_ value: Double) throws -> Int {
        try number("options.rate", value, in: 8000...384_000)
        guard let rate = Int(exactly: value) else {
            throw Fault("options.rate", "is \(value)", rule: "it is a whole number of hertz", cure: "round it")
        }
        return rate
    }

    static func triple(_ name: String, _ value: (Double, Double, Double)) throws -> [Double] {
        let numbers = [value.0, value.1, value.2]
        guard numbers.allSatisfy({ abs($0) <= 1e6 }) else {
            throw Fault(
                name, "is \(numbers)", rule: "it is three numbers of at most 1,000,000 m",
                cure: "give x, y, z in metres")
        }
        return numbers
    }

    private static func refused(_ name: String, _ value: String, _ low: String, _ high: String) -> Fault {
        Fault(name, "is \(value)", rule: "it is a number from \(low) to \(high)", cure: "give one in that range")
    }
}
