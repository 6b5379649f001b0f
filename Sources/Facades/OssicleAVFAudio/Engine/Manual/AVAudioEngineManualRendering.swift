// The vocabulary of manual rendering.

import OssicleCoreAudioTypes

/// Errors of manual rendering; codes of audio units may appear besides.
public enum AVAudioEngineManualRenderingError: OSStatus, NSErrorBridged, Sendable {
    /// The engine is not in manual rendering, or in the other variant of it.
    case invalidMode = -80800
    /// The engine must be stopped first.
    case initialized = -80801
    /// The engine must be started first.
    case notRunning = -80802

    public static var errorDomain: String { avfaudioErrorDomain }
    public var errorCode: Int { Int(rawValue) }
    public var errorUserInfo: [String: Any] { bridged.userInfo }

    public var bridged: NSError {
        NSError(
            domain: Self.errorDomain, code: errorCode,
            userInfo: [NSLocalizedDescriptionKey: OssicleError.describe(status: rawValue)]
        )
    }

    public init?(bridging error: NSError) {
        guard error.domain == Self.errorDomain, let status = OSStatus(exactly: error.code) else { return nil }
        self.init(rawValue: status)
    }
}

/// Outcome of one manual render call.
public enum AVAudioEngineManualRenderingStatus: Int, Sendable {
    /// Failed; nothing was rendered.
    case error = -1
    /// Everything asked for was rendered.
    case success = 0
    /// The input block had no data; other sources may have rendered.
    case insufficientDataFromInputNode = 1
    /// The graph is being changed; try again.
    case cannotDoInCurrentContext = 2
}

/// How an engine is driven without a device.
public enum AVAudioEngineManualRenderingMode: Int, Sendable {
    /// As fast as the caller asks, on any thread.
    case offline = 0
    /// From a real-time thread, by the rendering block.
    case realtime = 1
}

/// Renders a number of frames into a buffer list and tells how it went. Lends its own memory where `mData` is null.
public typealias AVAudioEngineManualRenderingBlock =
    (AVAudioFrameCount, UnsafeMutablePointer<AudioBufferList>, UnsafeMutablePointer<OSStatus>?) ->
    AVAudioEngineManualRenderingStatus
