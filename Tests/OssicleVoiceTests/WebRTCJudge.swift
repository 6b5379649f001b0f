import Foundation
import OssicleVoice

/// WebRTC's AEC3 with its noise suppressor, by `pywebrtc-audio` from PyPI, as the judge beside ours; nil where
/// OSSICLE_VOICE_PYTHON names no Python that has it.
///
/// It finds the delay by itself; its gain control is off.
struct WebRTCJudge {
    private static let program = """
        import sys, numpy
        from pywebrtc_audio import AudioProcessor
        if len(sys.argv) > 1:
            both = numpy.frombuffer(sys.stdin.buffer.read(), numpy.int16)
            far, near = both[:len(both) // 2].copy(), both[len(both) // 2:].copy()
            processor = AudioProcessor(
                sample_rate=int(sys.argv[1]), echo_cancellation=True, noise_suppression=True, auto_gain_control=False)
            sys.stdout.buffer.write(processor.process(near, far).tobytes())
        """
    private let python: String

    init?() {
        guard let python = ProcessInfo.processInfo.environment["OSSICLE_VOICE_PYTHON"],
            Self.run(python, [], Data()) != nil
        else { return nil }
        self.python = python
    }

    /// The output for a scene; nil where the program fails.
    func run(_ scene: EchoScene) -> [Float]? {
        var bytes = Data()
        for signal in [scene.far, scene.microphone] {
            let integers = signal.map { Int16(max(min($0 * 32_768, 32_767), -32_768)) }
            integers.withUnsafeBytes { bytes.append(contentsOf: $0) }
        }
        return Self.run(python, ["\(Int(scene.settings.sampleRate))"], bytes).map { output in
            output.withUnsafeBytes { $0.bindMemory(to: Int16.self).map { Float($0) / 32_768 } }
        }
    }

    private static func run(_ python: String, _ arguments: [String], _ input: Data) -> Data? {
        let (process, question, answer) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["-c", program] + arguments
        (process.standardInput, process.standardOutput) = (question, answer)
        guard (try? process.run()) != nil else { return nil }
        // It reads all before it writes, so that neither waits for the other.
        question.fileHandleForWriting.write(input)
        try? question.fileHandleForWriting.close()
        let output = answer.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? output : nil
    }
}
