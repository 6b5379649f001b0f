// What stands behind an `AudioConverterRef`.

import OssicleCodecs
import OssicleConversion
import OssicleProperties

/// A converter with the properties clients set. One thread at a time is let in; an input procedure may ask for
/// properties, but not convert.
final class ConverterObject: @unchecked Sendable {
    static let table = HandleTable<ConverterObject>()

    /// Between which streams it stands, as the client sees them.
    private(set) var source: StreamFormat
    private(set) var target: StreamFormat
    /// The one that works.
    private(set) var converter: Converter
    /// As the client chose it; which of them does not matter to the converter.
    var ditherAlgorithm: UInt32 = 0

    private let belongsToFile: Bool
    private let lock = NSRecursiveLock()
    private var isConverting = false

    /// A converter from `source` to `target`. One that belongs to a file is not for clients to convert with: where the
    /// file decodes it begins at `input`, where the file encodes it ends at `output`.
    init(
        from source: StreamFormat, to target: StreamFormat, input: StreamFormat? = nil, output: StreamFormat? = nil
    ) throws(StatusError) {
        converter = try StatusError.conversion { () throws(ConversionError) in
            try Converter(from: input ?? source, to: output ?? target)
        }
        self.source = source
        self.target = target
        belongsToFile = input != nil || output != nil
    }

    /// Runs `body` alone; inside an input procedure of this converter it is refused, unless it only asks.
    func alone<Result>(asking: Bool = false, _ body: () throws(StatusError) -> Result) throws(StatusError) -> Result {
        lock.lock()
        defer { lock.unlock() }
        guard asking || !isConverting else { throw StatusError(kAudioConverterErr_OperationNotSupported) }
        return try body()
    }

    /// Runs a conversion alone, for a client or for the file it belongs to.
    func converting<Result>(
        forFile: Bool = false, _ body: (Converter) throws(StatusError) -> Result
    ) throws(StatusError) -> Result {
        try alone { () throws(StatusError) in
            guard forFile || !belongsToFile else { throw StatusError(kAudioConverterErr_OperationNotSupported) }
            isConverting = true
            defer { isConverting = false }
            return try body(converter)
        }
    }

    /// Names the channels of one side. The stream begins anew.
    func setLabels(_ labels: [UInt32], ofInput isInput: Bool) throws(StatusError) {
        let input = isInput ? converter.input.labelled(labels) : converter.input
        let output = isInput ? converter.output : converter.output.labelled(labels)
        guard let input, let output else { throw StatusError(kAudioConverterErr_BadPropertySizeError) }
        let changed = try StatusError.conversion { () throws(ConversionError) in try Converter(from: input, to: output)
        }
        changed.settings = converter.settings
        changed.cookie = converter.cookie
        converter = changed
        source = isInput ? source.labelled(labels) ?? source : source
        target = isInput ? target : target.labelled(labels) ?? target
    }
}
