import Foundation
import OssicleAVFAudio
import Synchronization

/// One file at the output, with the public interface of AVAudioEngine.
final class FilePlayback {
    private let file: AVAudioFile
    private let engine = AVAudioEngine()
    private let player = AVAudioPlayerNode()
    /// Frame of the file at which the player's time 0 is.
    private var origin: AVAudioFramePosition = 0
    /// What was played when the player was last asked.
    private var known: AVAudioFramePosition = 0
    private var isPaused = false
    /// Number of the stretch that plays, and of the last that ended.
    private var stretch = 0
    private let notes = Notes()
    private var observer: (any NSObjectProtocol)?

    /// What other threads report.
    private final class Notes: Sendable {
        let ended = Atomic(0)
        let isChanged = Atomic(false)

        /// The handlers of stretches that were left come late.
        func note(end number: Int) { ended.max(number, ordering: .acquiringAndReleasing) }
    }

    init(path: String) throws {
        do {
            file = try AVAudioFile(forReading: URL(fileURLWithPath: path))
        } catch {
            throw ToolError("\(error)")
        }
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: file.processingFormat)
        observer = NotificationCenter.default.addObserver(
            forName: .AVAudioEngineConfigurationChange, object: engine, queue: nil
        ) { [notes] _ in notes.isChanged.store(true, ordering: .relaxed) }
    }

    deinit {
        if let observer { NotificationCenter.default.removeObserver(observer) }
    }

    /// "3:45, 2 channels, 44100 Hz"
    var words: String {
        let count = file.processingFormat.channelCount
        return "\(Text.clock(seconds(file.length))), \(count) channel\(count == 1 ? "" : "s"), "
            + "\(Text.number(rate, decimals: 0)) Hz"
    }

    /// "▶ 0:12 / 3:45"
    var line: String {
        "\(isPaused ? "⏸" : "▶") \(Text.clock(seconds(position))) / \(Text.clock(seconds(file.length)))"
    }

    private var rate: Double { max(file.processingFormat.sampleRate, 1) }
    private func seconds(_ frames: AVAudioFramePosition) -> Double { Double(frames) / rate }

    func start() throws {
        try run()
        play(from: 0)
    }

    func stop() {
        player.stop()
        engine.stop()
    }

    /// Whether the last frame was heard.
    var isOver: Bool { notes.ended.load(ordering: .acquiring) == stretch && !isPaused }

    /// The frame that is heard now.
    var position: AVAudioFramePosition {
        if !isPaused, let node = player.lastRenderTime, let time = player.playerTime(forNodeTime: node) {
            known = min(max(origin + time.sampleTime, 0), file.length)
        }
        return known
    }

    func togglePause() {
        if isPaused {
            player.play()
        } else {
            known = position
            player.pause()
        }
        isPaused.toggle()
    }

    func seek(by change: Double) {
        let target = min(max(position + AVAudioFramePosition(change * rate), 0), file.length)
        (stretch, isPaused) = (stretch + 1, false)
        player.stop()
        play(from: target)
    }

    /// Goes on where the device changed and the engine stopped for it.
    func attend() throws {
        guard notes.isChanged.exchange(false, ordering: .relaxed), !engine.isRunning else { return }
        let (place, wasPaused) = (known, isPaused)
        stretch += 1
        player.stop()
        try run()
        play(from: place)
        if wasPaused { togglePause() }
    }

    private func run() throws {
        do {
            try engine.start()
        } catch {
            throw ToolError("\(error)")
        }
    }

    private func play(from frame: AVAudioFramePosition) {
        if stretch == 0 { stretch = 1 }
        (origin, known) = (frame, frame)
        let (number, notes) = (stretch, notes)
        guard frame < file.length else { return notes.note(end: number) }
        player.scheduleSegment(
            file, startingFrame: frame, frameCount: AVAudioFrameCount(clamping: file.length - frame), at: nil,
            completionCallbackType: .dataPlayedBack
        ) { _ in notes.note(end: number) }
        player.play()
    }
}
