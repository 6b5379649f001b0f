/// One library's way of writing a sound file. For one thread at a time; not for the audio thread.
protocol FileEncoder: AnyObject {
    /// Whether samples lie in the file most significant byte first.
    var isBigEndian: Bool { get }
    /// Appends samples, one plane per channel: finite, and for integer codecs exact multiples of a step within the range.
    func write(_ planes: [UnsafePointer<Double>], frames: Int) throws(AudioFileError)
    /// Brings the file into a state that a reader understands should the process end now.
    func keepReadable()
    /// Finishes the file; the last call. What was written before an error stays readable.
    func close() throws(AudioFileError)
}
