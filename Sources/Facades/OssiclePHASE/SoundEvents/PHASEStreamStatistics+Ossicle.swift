import OssicleAVFAudio
import OssicleSpatial

/// How the sounds that are read from files while they play are doing (an addition of Ossicle).
public struct PHASEStreamStatistics: Sendable, Equatable {
    /// One sound that is being read.
    public struct Stream: Sendable, Equatable {
        /// Of the sound asset.
        public let assetIdentifier: String
        /// Of the sound event that plays it.
        public let eventIdentifier: String
        /// Frames read from its file since it last began somewhere; the sound's first frames lie in memory and are not
        /// counted.
        public let framesRead: Int
        /// Frames that could not be read in time and were silent instead, counted by channel.
        public let starvedFrames: Int
        /// Sound that has been read and not yet played, at its normal rate.
        public let secondsAhead: Double
    }

    /// Files being read now.
    public let openStreams: Int
    /// Since the engine was made, streams that are over included.
    public let framesRead: Int
    /// Frames that could not be read in time since the engine was made, counted by channel.
    public let starvedFrames: Int
    /// The files being read now, one by one.
    public let streams: [Stream]
}

extension PHASESoundEvent: OssicleAdditions {}

extension OssicleAdditions where Self: PHASESoundEvent {
    /// Frames of this event's files that could not be read in time and were silent instead (an addition of Ossicle).
    public var starvedFrameCount: Int {
        control.locked { Int(clamping: instance.voices.reduce(0) { $0 + $1.starvedFrames }) }
    }
}

extension PHASEStreamNode: OssicleAdditions {}

extension OssicleAdditions where Self: PHASEStreamNode {
    /// Samples of the client's that were NaN or infinite, and were played as 0 (an addition of Ossicle).
    public var nonFiniteSampleCount: Int { Int(clamping: stream.stream.nonFiniteSamples) }
}

extension OssicleAdditions where Self: PHASEPullStreamNode {
    /// Calls of the render handler that returned an error, and were silent (an addition of Ossicle).
    public var failedCallCount: Int { Int(clamping: stream.failedCalls) }
}

extension PHASEStreamStatistics {
    /// Under the engine's lock.
    init(of player: EventPlayer) {
        self.init(
            openStreams: player.readers.all.count, framesRead: Int(clamping: player.streamTotals.framesRead),
            starvedFrames: Int(clamping: player.streamTotals.starvedFrames),
            streams: player.events.flatMap { event in
                event.voices.compactMap { voice in voice.feeder.map { Stream($0, voice, event) } }
            })
    }
}

extension PHASEStreamStatistics.Stream {
    fileprivate init(_ feeder: StreamFeeder, _ voice: Voice, _ event: EventInstance) {
        self.init(
            assetIdentifier: voice.assetName, eventIdentifier: event.parts.assetIdentifier,
            framesRead: Int(clamping: feeder.framesRead), starvedFrames: Int(clamping: voice.starvedFrames),
            secondsAhead: feeder.secondsAhead)
    }
}
