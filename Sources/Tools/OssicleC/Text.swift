import Foundation

/// A text that C may read as long as its owner lives.
final class CText: @unchecked Sendable {
    /// Nil where there is no memory for it.
    let pointer: UnsafePointer<CChar>?
    private let memory: UnsafeMutablePointer<CChar>?

    init(_ text: String) {
        memory = strdup(text)
        pointer = memory.map { UnsafePointer($0) }
    }

    /// The bytes of `value` as JSON, members in alphabetical order.
    convenience init(json value: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "∞", negativeInfinity: "−∞", nan: "–")
        self.init((try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}")
    }

    deinit { free(memory) }
}

extension String {
    /// A text of C's, not checked yet.
    /// - Throws: `Fault` for NULL.
    init(_ pointer: UnsafePointer<CChar>?, named name: String) throws {
        guard let pointer else {
            throw Fault(name, "is NULL", rule: "a text is needed there", cure: "give one in UTF-8")
        }
        self.init(cString: pointer)
    }
}
