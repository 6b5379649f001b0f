import Foundation

/// A format of PCM, for recordings.
package struct FormatRecord: Codable, Hashable, Sendable {
    /// Hz.
    package var sampleRate: Double
    package var channels: UInt32
    /// Core Audio's; nil for the usual mono or stereo.
    package var layout: LayoutRecord?
    /// AVAudioCommonFormat's raw value.
    package var samples: UInt
    package var isInterleaved: Bool

    package init(sampleRate: Double, channels: UInt32, layout: LayoutRecord?, samples: UInt, isInterleaved: Bool) {
        (self.sampleRate, self.channels, self.layout) = (sampleRate, channels, layout)
        (self.samples, self.isInterleaved) = (samples, isInterleaved)
    }
}

/// A layout of channels: a tag of Core Audio's, or labels where the tag only says that there are some.
package struct LayoutRecord: Codable, Hashable, Sendable {
    package var tag: UInt32
    package var labels: [UInt32]

    package init(tag: UInt32, labels: [UInt32]) { (self.tag, self.labels) = (tag, labels) }
}

/// A time as a client gives it.
package struct TimeRecord: Codable, Hashable, Sendable {
    package var sample: Int64?
    /// Hz, of `sample`.
    package var rate: Double
    package var host: UInt64?

    package init(sample: Int64?, rate: Double, host: UInt64?) {
        (self.sample, self.rate, self.host) = (sample, rate, host)
    }
}

/// Sound that a client gave from memory.
package struct SoundRecord: Codable, Hashable, Sendable {
    package var format: FormatRecord
    package var frames: UInt32
    /// Hash of the bytes of the buffers of its list, one behind the other.
    package var data: String

    package init(format: FormatRecord, frames: UInt32, data: String) {
        (self.format, self.frames, self.data) = (format, frames, data)
    }
}

/// A facade's format of sound.
package protocol RecordableFormat {
    associatedtype Made
    var formatRecord: FormatRecord { get }
    /// nil for a record that no format has.
    static func made(of record: FormatRecord) -> Made?
}

/// A facade's layout of channels.
package protocol RecordableLayout {
    associatedtype Made
    var layoutRecord: LayoutRecord { get }
    static func made(of record: LayoutRecord) -> Made?
}

/// A facade's time.
package protocol RecordableTime {
    associatedtype Made
    var timeRecord: TimeRecord { get }
    static func made(of record: TimeRecord) -> Made
}

/// A facade's buffer of PCM.
package protocol RecordableSound {
    associatedtype Made
    /// Its valid frames; their bytes go to `writer`.
    func soundRecord(_ writer: CommandWriter) -> SoundRecord
    /// nil where `bytes` are not those of such a buffer.
    static func made(of record: SoundRecord, _ bytes: Data) -> Made?
}
