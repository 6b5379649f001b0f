// What reads and writes a file, and what a file to be written is.

import OssicleCodecs
import OssicleLibraries

/// One library's way of decoding a sound file. For one thread at a time; not for the audio thread.
protocol FileDecoder: AnyObject {
    /// The length is exact: what the recording holds, without what an encoder added before and behind.
    var info: AudioFileInfo { get }
    var metadata: AudioMetadata { get }
    /// Reads up to `frames` frames into the planes, one for each channel (fewer leave channels out, none drops all),
    /// and returns how many there were; fewer only at the end.
    func read(into planes: [UnsafeMutablePointer<Double>], frames: Int) throws(AudioFileError) -> Int
    /// Moves to `frame`, within the file. What is read then is what reading in order from the beginning gives there.
    func seek(to frame: Int64) throws(AudioFileError)
    /// Gives the file back; the last call.
    func close()
}

/// One library's way of writing a sound file. For one thread at a time; not for the audio thread.
protocol FileEncoder: AnyObject {
    /// Whether samples lie in the file most significant byte first.
    var isBigEndian: Bool { get }
    /// Appends samples, one plane per channel: finite, and for integer codecs exact multiples of a step within the
    /// range.
    func write(_ planes: [UnsafePointer<Double>], frames: Int) throws(AudioFileError)
    /// Brings the file into a state that a reader understands should the process end now.
    func keepReadable()
    /// Finishes the file; the last call. What was written before an error stays readable.
    func close() throws(AudioFileError)
}

/// What a sound file to be written is to be.
package struct FileEncoderRequest: Sendable {
    package var path: String
    package var container: AudioContainer
    package var codec: AudioCodec
    /// In hertz.
    package var sampleRate: Double
    package var channelCount: Int
    /// One label per channel, as in `AudioFileInfo`, in the order in which planes come; an encoder puts them into the
    /// file's own order where it has one.
    package var channelLabels: [UInt32]?
    package var settings: EncoderSettings
    package var metadata: AudioMetadata
    /// Whether linear samples are to lie most significant byte first; `nil` leaves the container's own order. CAF, WAV
    /// (as RIFX), AIFF (16 and more bits) and AU take both.
    package var isBigEndian: Bool?
    /// Whether `AudioFileWriter` brings the file up to date every quarter of a second. Needless for one that is put in
    /// its place when it is whole. The writer of packets and linear samples does so by itself all the same.
    package var isReadableMeanwhile = true

    package init(
        path: String, container: AudioContainer, codec: AudioCodec, sampleRate: Double, channelCount: Int,
        channelLabels: [UInt32]? = nil,
        settings: EncoderSettings = EncoderSettings(), metadata: AudioMetadata = AudioMetadata(),
        isBigEndian: Bool? = nil
    ) {
        self.path = path
        self.container = container
        self.codec = codec
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.channelLabels = channelLabels
        self.settings = settings
        self.metadata = metadata
        self.isBigEndian = isBigEndian
    }
}

extension FileEncoderRequest {
    /// Whether the file is made of our own encoder's packets.
    var isOfPackets: Bool { packetCodecs.contains(codec) }

    /// The codecs whose packets go into the container.
    private var packetCodecs: [AudioCodec] {
        // libsndfile writes these, where it is.
        let companded: [AudioCodec] = OptionalLibrary.sndfile.isThere ? [] : [.muLaw, .aLaw]
        return switch container {
        case .wav, .rf64, .wave64, .au: companded
        case .aiff: companded.isEmpty ? [] : companded + [.ima4]
        case .caf:
            [.alac16, .alac20, .alac24, .alac32, .aac, .flac8, .flac16, .flac24, .opus, .ima4] + companded
        case .mpeg4: [.aac, .alac16, .alac20, .alac24, .alac32]
        case .adts: [.aac]
        default: []
        }
    }

    /// The encoder of what is asked for.
    func makePacketEncoder() throws(AudioFileError) -> any PacketEncoder {
        guard isOfPackets else {
            throw AudioFileError(
                .unsupported, path: path, found: "\(codec.rawValue) in \(container.rawValue)",
                rule: "This container holds \(packetCodecs.map(\.rawValue).joined(separator: ", ")).",
                cure: "Choose another container or one of these codecs.")
        }
        let encoder = try path.explaining { () throws(CodecError) in
            try Codecs.makeEncoder(
                codec, sampleRate: sampleRate, channelCount: channelCount, channelLabels: channelLabels,
                settings: settings)
        }
        if container == .adts, AACConfiguration(cookie: encoder.format.cookie)?.channelConfiguration ?? 0 == 0 {
            throw AudioFileError(
                .unsupported, path: path, found: "\(channelCount) channels",
                rule: "A header of ADTS can tell 1 to 6 and 8 channels.",
                cure: "Write an .m4a file.")
        }
        return encoder
    }

    /// What the file is to say of its channels: the order in which a decoder gives them. AAC says it itself.
    var packetLabels: [UInt32]? {
        switch codec {
        case .aac: nil
        case .flac8, .flac16, .flac24, .opus:
            channelLabels == nil ? nil : Codecs.channelLabels(of: codec, channelCount: channelCount)
        case .muLaw, .aLaw: FileChannelOrder(self).labels
        default: channelLabels
        }
    }

    /// For each channel of the file the plane it comes from, where the encoder leaves that to us. Apple Lossless has an
    /// order for each number of channels, and M4A no place to tell another. Labels that are none of them keep their
    /// order.
    var packetPlanes: [Int]? {
        if codec == .muLaw || codec == .aLaw { return FileChannelOrder(self).planes }
        guard container == .mpeg4, codec.isLossless,
            let own = Codecs.channelLabels(of: codec, channelCount: channelCount), let given = channelLabels
        else { return nil }
        let planes = own.compactMap { given.firstIndex(of: $0) }
        return planes.count == given.count ? planes : nil
    }
}

extension String {
    /// Runs `work` for the file at this path and turns an error of a codec into one of the file.
    func explaining<Result>(_ work: () throws(CodecError) -> Result) throws(AudioFileError) -> Result {
        do throws(CodecError) { return try work() } catch {
            throw AudioFileError(
                error.fileErrorKind, path: self, found: error.found, rule: error.rule, cure: error.cure)
        }
    }
}

extension CodecError {
    /// The kind of error that a file has when its codec has this one.
    var fileErrorKind: AudioFileError.Kind {
        switch kind {
        case .unsupported, .failed: .unsupported
        case .traitOff: .traitOff
        case .damaged: .damaged
        case .outOfRange: .outOfRange
        }
    }
}
