// A system sound, and the numbers they are known by.

import OssicleCoreAudioTypes
import OssicleProperties

/// What is kept of a sound: all of it, in memory.
struct SystemSound: @unchecked Sendable {
    /// `nil` for what is not heard.
    let samples: AVAudioPCMBuffer?
    var completion: SystemSoundCompletion?
    var isUISound: UInt32 = 1
    var outlivesProgram: UInt32 = 0

    /// The longest sound, in seconds.
    private static let most = 30.0

    /// Reads a file; the error is a status of AudioServices.
    static func read(_ url: URL) -> Result<SystemSound, StatusError> {
        guard let file = try? AVAudioFile(forReading: url) else {
            return .failure(StatusError(kAudioServicesSystemSoundUnspecifiedError))
        }
        guard file.duration <= most else {
            return .failure(StatusError(kAudioServicesSystemSoundExceededMaximumDurationError))
        }
        guard
            let samples = AVAudioPCMBuffer(
                pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(clamping: file.length)),
            (try? file.read(into: samples)) != nil
        else { return .failure(StatusError(kAudioServicesSystemSoundUnspecifiedError)) }
        return .success(SystemSound(samples: samples))
    }

    /// Where a property is kept; `nil` for one there is not.
    static func property(_ id: AudioServicesPropertyID) -> WritableKeyPath<SystemSound, UInt32>? {
        switch id {
        case kAudioServicesPropertyIsUISound: \.isUISound
        case kAudioServicesPropertyCompletePlaybackIfAppDies: \.outlivesProgram
        default: nil
        }
    }

    /// The alert: 880 Hz for 150 ms, fading.
    static let alert: SystemSound = {
        let rate = 48_000.0, frames = 7200
        guard let format = AVAudioFormat(standardFormatWithSampleRate: rate, channels: 1),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)),
            let plane = buffer.floatChannelData?[0]
        else { return SystemSound(samples: nil) }
        for frame in 0..<frames {
            let fade = 1 - Double(frame) / Double(frames)
            plane[frame] = Float(0.25 * fade * sin(2 * .pi * 880 * Double(frame) / rate))
        }
        buffer.frameLength = AVAudioFrameCount(frames)
        return SystemSound(samples: buffer)
    }()
}

/// What is called when a sound is over.
struct SystemSoundCompletion: @unchecked Sendable {
    private let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }

    @Sendable func call() { body() }

    /// The same, called by a run loop; by the main one for `nil`.
    func inRunLoop(_ loop: CFRunLoop?, _ mode: RunLoop.Mode) -> SystemSoundCompletion {
        SystemSoundCompletion { [body] in
            guard let loop, loop !== RunLoop.main else {
                let work = DispatchWorkItem(block: body)
                return DispatchQueue.main.async(execute: work)
            }
            let work = SystemSoundCompletion(body)
            loop.perform(inModes: [mode]) { work.call() }
        }
    }
}

/// The sounds of the process by their numbers. Any thread.
final class SystemSoundTable: @unchecked Sendable {
    static let shared = SystemSoundTable()

    private let lock = NSLock()
    private var sounds: [SystemSoundID: SystemSound] = [
        kSystemSoundID_Vibrate: SystemSound(samples: nil), kSystemSoundID_FlashScreen: SystemSound(samples: nil),
        kSystemSoundID_UserPreferredAlert: .alert,
    ]
    /// Above all numbers of the system's.
    private var last = kSystemSoundID_UserPreferredAlert

    func add(_ sound: SystemSound) -> SystemSoundID {
        lock.withLock {
            last &+= 1
            sounds[last] = sound
            return last
        }
    }

    /// False for a number there is not; the system's own sounds stay.
    func remove(_ id: SystemSoundID) -> Bool {
        lock.withLock { id > kSystemSoundID_UserPreferredAlert && sounds.removeValue(forKey: id) != nil }
    }

    func sound(_ id: SystemSoundID) -> SystemSound? { lock.withLock { sounds[id] } }

    /// False for a number there is not.
    @discardableResult
    func change(_ id: SystemSoundID, _ edit: (inout SystemSound) -> Void) -> Bool {
        lock.withLock {
            guard var sound = sounds[id] else { return false }
            edit(&sound)
            sounds[id] = sound
            return true
        }
    }
}
