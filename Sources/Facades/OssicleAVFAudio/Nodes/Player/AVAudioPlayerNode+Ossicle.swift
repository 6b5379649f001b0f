// Additions to Apple's player.

import OssicleCoreAudioTypes
import OssiclePlayback
import OssicleRender

/// Why a completion handler was called.
public enum AVAudioPlayerNodeCompletionReason: Int, Sendable {
    /// It was played to its end.
    case finished
    /// Another buffer took its place or ended its loop.
    case interrupted
    /// The player was stopped, or the engine.
    case stopped
    /// It was never scheduled; the engine's `lastError` tells why.
    case refused
}

extension AVAudioPlayerNode {
    /// Gets the moment that was requested, and the reason; on a queue of the player's own.
    public typealias CompletionReasonHandler =
        @Sendable (AVAudioPlayerNodeCompletionCallbackType, AVAudioPlayerNodeCompletionReason) -> Void
}

extension AVAudioNode: OssicleAdditions {}

extension OssicleAdditions where Self: AVAudioPlayerNode {
    /// As `scheduleBuffer(_:at:options:completionCallbackType:completionHandler:)`, with a handler that gets the
    /// reason: a list that continues only after `.finished` ends when it is stopped.
    public func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, at when: AVAudioTime? = nil, options: AVAudioPlayerNodeBufferOptions = [],
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType = .dataPlayedBack,
        reasonHandler: @escaping AVAudioPlayerNode.CompletionReasonHandler
    ) {
        schedule(buffer, when, options, SegmentCompletion(callbackType, reasonHandler))
    }

    /// As `scheduleFile(_:at:completionCallbackType:completionHandler:)`, with a handler that gets the reason.
    public func scheduleFile(
        _ file: AVAudioFile, at when: AVAudioTime? = nil,
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType = .dataPlayedBack,
        reasonHandler: @escaping AVAudioPlayerNode.CompletionReasonHandler
    ) {
        schedule(file, 0, file.length, when, SegmentCompletion(callbackType, reasonHandler))
    }

    /// As `scheduleSegment(_:startingFrame:frameCount:at:completionCallbackType:completionHandler:)`, with a handler
    /// that gets the reason.
    public func scheduleSegment(
        _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition, frameCount numberFrames: AVAudioFrameCount,
        at when: AVAudioTime? = nil,
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType = .dataPlayedBack,
        reasonHandler: @escaping AVAudioPlayerNode.CompletionReasonHandler
    ) {
        schedule(file, startFrame, Int64(numberFrames), when, SegmentCompletion(callbackType, reasonHandler))
    }

    /// Frames of files that were not decoded in time and were silent instead; always 0 in offline rendering.
    public var starvedFrameCount: Int { queue.starvedFrames }

    /// Starts all the players on one frame, at `when` or with the next frame: those of one engine and one sample rate
    /// begin in the same block, whatever the render side is doing meanwhile. `when` as in `play(at:)`; a player that
    /// already plays continues. Errors are recorded, each at its player's engine.
    public static func play(_ players: [AVAudioPlayerNode], at when: AVAudioTime? = nil) {
        let gate = StartGate()
        for player in players {
            player.recording {
                try player.begin(at: when, gate: gate)
                try player.requireRendering()
            }
        }
        guard let machine = players.lazy.compactMap(\.home.machine).first else { return gate.view.open() }
        machine.open(gate)
    }
}
