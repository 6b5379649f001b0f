// Bytes of arrays, for those that throw.

extension [UInt8] {
    /// As `withUnsafeBytes`, with the error's type kept.
    func withBytes<Value>(_ body: (UnsafeRawBufferPointer) throws(AudioFileError) -> Value) throws(AudioFileError) -> Value {
        try withUnsafeBytes { bytes in Result { () throws(AudioFileError) in try body(bytes) } }.get()
    }

    /// As `withUnsafeMutableBytes`, with the error's type kept.
    mutating func withMutableBytes<Value>(_ body: (UnsafeMutableRawBufferPointer) throws(AudioFileError) -> Value) throws(AudioFileError) -> Value {
        try withUnsafeMutableBytes { bytes in Result { () throws(AudioFileError) in try body(bytes) } }.get()
    }
}
