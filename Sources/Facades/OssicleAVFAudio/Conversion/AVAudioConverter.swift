// Conversion between formats.

import OssicleConversion
import OssicleCoreAudioTypes
import OssicleMessages

/// Converts a stream from one format to another: the form of its samples, its channels, its sample rate; from a
/// compressed format and to one. Safe to use from several threads, one call at a time; not for the audio thread. A
/// setting that makes no sense is recorded in `lastError` and not taken. Settings count from the next call on; the
/// quality, algorithm and priming of a rate conversion, and what concerns an encoder, from the next stream on.
open class AVAudioConverter: NSObject, @unchecked Sendable {
    /// The format of the input.
    public let inputFormat: AVAudioFormat
    /// The format of the output.
    public let outputFormat: AVAudioFormat

    let machine: Converter
    let feed: ConverterFeed
    let fault: ConverterFault
    let errors = ErrorLog()
    /// Reentrant, because a client's input block may ask the converter something.
    private let lock = NSRecursiveLock()

    // Under the lock.
    private var isConverting = false
    private var syncPacketFrequency = 0
    private var source = AVAudioContentSource.unspecified
    private var dynamicRange = AVAudioDynamicRangeControlConfiguration.none

    init(converting fromFormat: AVAudioFormat, to toFormat: AVAudioFormat) throws(OssicleError) {
        fault = ConverterFault(fromFormat, toFormat)
        machine = try Converter.make(from: fromFormat, to: toFormat, fault: fault)
        feed = ConverterFeed(fromFormat, fault)
        inputFormat = fromFormat
        outputFormat = toFormat
        super.init()
    }

    /// A converter between the formats; `nil` when there is no way. `converter(from:to:)` tells why.
    public convenience init?(from fromFormat: AVAudioFormat, to toFormat: AVAudioFormat) {
        do { try self.init(converting: fromFormat, to: toFormat) } catch { return nil }
    }

    /// Forgets the stream: the next call begins another. Needed after the end of a stream.
    open func reset() {
        alone("reset()") {
            machine.reset()
            feed.reset()
        }
    }

    /// For each output channel the input channel it takes, counted from 0, or a negative number for silence. Beats the
    /// layouts. Empty, the default, follows them.
    open var channelMap: [NSNumber] {
        get { locked { machine.settings.channelMap?.map { NSNumber(value: $0) } ?? [] } }
        set {
            let map = newValue.map(\.intValue)
            guard
                map.isEmpty
                    || map.count == Int(outputFormat.channelCount)
                        && map.allSatisfy({ $0 < Int(inputFormat.channelCount) })
            else {
                return errors.record(fault.badMap(map, inputFormat.channelCount, outputs: outputFormat.channelCount))
            }
            locked { machine.settings.channelMap = map.isEmpty ? nil : map }
        }
    }

    /// What a decoder needs besides the format, or what an encoder made for one; `nil` when there is nothing. A decoder
    /// begins with the input format's.
    open var magicCookie: Data? {
        get { locked { machine.cookie.isEmpty ? nil : Data(machine.cookie) } }
        set { locked { machine.cookie = newValue.map { [UInt8]($0) } ?? [] } }
    }

    /// Whether channels the output lacks are mixed into those it has; otherwise they are dropped. Default false.
    open var downmix: Bool {
        get { locked { machine.settings.downmixes } }
        set { locked { machine.settings.downmixes = newValue } }
    }

    /// Whether noise hides what the loss of bits does. Default false.
    open var dither: Bool {
        get { locked { machine.settings.dithers } }
        set { locked { machine.settings.dithers = newValue } }
    }

    /// Care a rate conversion takes, an `AVAudioQuality` raw value, clamped to 0...127. Default medium.
    open var sampleRateConverterQuality: Int {
        get { locked { machine.settings.rateQuality } }
        set {
            locked {
                machine.settings.rateQuality = min(
                    max(newValue, AVAudioQuality.min.rawValue), AVAudioQuality.max.rawValue)
            }
        }
    }

    /// One of the `AVSampleRateConverterAlgorithm_` strings; `nil` sets the normal one, which is the default.
    open var sampleRateConverterAlgorithm: String? {
        get { locked { machine.settings.rateAlgorithm.name } }
        set {
            guard
                let algorithm = ConversionSettings.RateAlgorithm(
                    name: newValue ?? AVSampleRateConverterAlgorithm_Normal)
            else {
                return errors.record(fault.badAlgorithm(newValue ?? ""))
            }
            locked { machine.settings.rateAlgorithm = algorithm }
        }
    }

    /// How a rate conversion treats the edges of the stream. Default `.normal`.
    open var primeMethod: AVAudioConverterPrimeMethod {
        get { locked { machine.settings.primeMethod.method } }
        set { locked { machine.settings.primeMethod = newValue.setting } }
    }

    /// With an encoder: the frames a decoder will give before those of the input and, once the stream has ended, behind
    /// them. With a decoder: the frames to drop from the beginning and the end of what it gives, which is where an
    /// encoder's go. Otherwise the frames of input around an output frame that shape it.
    open var primeInfo: AVAudioConverterPrimeInfo {
        get {
            let priming = locked { machine.priming }
            return AVAudioConverterPrimeInfo(
                leadingFrames: AVAudioFrameCount(clamping: priming.leading),
                trailingFrames: AVAudioFrameCount(clamping: priming.trailing))
        }
        set {
            guard !inputFormat.isPCM else { return errors.record(fault.noTrim()) }
            locked {
                machine.settings.leadingTrim = min(Int(newValue.leadingFrames), ConversionSettings.largestTrim)
                machine.settings.trailingTrim = min(Int(newValue.trailingFrames), ConversionSettings.largestTrim)
            }
        }
    }

    /// Packets between two audio sync packets. Kept; no encoder here makes them.
    open var audioSyncPacketFrequency: Int {
        get { locked { syncPacketFrequency } }
        set { locked { syncPacketFrequency = newValue } }
    }

    /// Where the content comes from. Kept; no encoder here writes it.
    open var contentSource: AVAudioContentSource {
        get { locked { source } }
        set { locked { source = newValue } }
    }

    /// The dynamic range the stream is meant for. Kept; no encoder here writes it.
    open var dynamicRangeControlConfiguration: AVAudioDynamicRangeControlConfiguration {
        get { locked { dynamicRange } }
        set { locked { dynamicRange = newValue } }
    }

    /// No packet of the output is larger, in bytes; for linear PCM the size of a frame in one buffer.
    open var maximumOutputPacketSize: Int {
        outputFormat.isPCM
            ? Int(outputFormat.streamDescription.pointee.mBytesPerPacket) : locked { machine.maximumOutputPacketSize }
    }

    /// The two formats in words.
    open override var description: String { "<\(fault.object)>" }

    func locked<Result>(_ body: () throws -> Result) rethrows -> Result { try lock.withLock(body) }

    /// Runs `body` unless a conversion is under way in this very thread; that is recorded.
    private func alone(_ call: String, _ body: () -> Void) {
        locked { isConverting ? errors.record(fault.inUse(call)) : body() }
    }

    /// Runs a conversion, and refuses one within another.
    func converting<Result>(_ body: () throws(OssicleError) -> Result) throws(OssicleError) -> Result {
        lock.lock()
        defer { lock.unlock() }
        guard !isConverting else { throw fault.inUse("a conversion") }
        isConverting = true
        defer { isConverting = false }
        return try body()
    }
}
