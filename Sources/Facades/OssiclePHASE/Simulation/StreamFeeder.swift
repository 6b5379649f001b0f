import OssicleFiles
import OssicleRender

/// Keeps one player's stream window filled from its file. Called at every update; may read the file, never on the audio thread.
final class StreamFeeder {
    /// Frames held ahead: half a second at 48 kHz and four times the normal rate.
    private static let capacity = 1 << 17

    private let sound: RegisteredSound
    private let loops: Bool
    private let reader: StreamReader
    private let window: StreamWindow
    private var hasFailed = false

    /// Nil for a resident sound, and for a file that can no longer be opened.
    init?(_ sound: RegisteredSound, loops: Bool, from start: Int64) {
        guard case .streamed(let path) = sound.samples, let reader = try? StreamedAudio(path: path).makeReader() else { return nil }
        (self.sound, self.loops, self.reader) = (sound, loops, reader)
        window = StreamWindow(channelCount: sound.channelCount, capacity: Self.capacity, start: start)
        _ = feed()
    }

    var source: SampleSource { window.source(frameCount: sound.frameCount, loops: loops) }

    /// Reads until the window is full or the file is at its end.
    /// - Returns: what went wrong, once; the player hears silence from there on.
    func feed() -> (any Error)? {
        guard !hasFailed, sound.frameCount > 0 else { return nil }
        do {
            while window.room > 0 {
                let at = loops ? window.nextFrame % sound.frameCount : window.nextFrame
                guard at < sound.frameCount else { return nil }
                if reader.position != at { try reader.seek(to: at) }
                let before = window.nextFrame
                try window.write(atMost: Int(clamping: sound.frameCount - at)) { try reader.read(into: $0, frames: $1) }
                if window.nextFrame == before { return nil }
            }
        } catch {
            hasFailed = true
            return error
        }
        return nil
    }
}
