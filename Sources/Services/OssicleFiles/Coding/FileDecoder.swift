/// One library's way of decoding a sound file. For one thread at a time; not for the audio thread.
protocol FileDecoder: AnyObject {
    /// The length is exact: what the recording holds, without what an encoder added before and behind.
    var info: AudioFileInfo { get }
    var metadata: AudioMetadata { get }
    /// Reads up to `frames` frames into the planes, one for each channel (fewer leave channels out, none drops all), and returns how many there were;
    /// fewer only at the end.
    func read(into planes: [UnsafeMutablePointer<Double>], frames: Int) throws(AudioFileError) -> Int
    /// Moves to `frame`, within the file. What is read then is what reading in order from the beginning gives there.
    func seek(to frame: Int64) throws(AudioFileError)
    /// Gives the file back; the last call.
    func close()
}
