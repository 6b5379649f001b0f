import AVFoundation
import Workbench

// A radio station sends an MP3 file in pieces that end anywhere; the receiver finds the packets, decodes them and plays
// them.
Report.on("A stream from the network, decoded as it comes") { report in
    let notes = [262.0, 330, 392, 523]
    let bytes = try broadcast(of: notes)
    let receiver = try Receiver()
    var sent = 0
    while sent < bytes.count {
        let piece = bytes[sent..<min(sent + 999, bytes.count)]
        try receiver.receive(Data(piece))
        sent += piece.count
    }
    let take = try receiver.finish()
    try report.heard(take, as: "RadioStream")
    report.fact(
        "\(bytes.count) bytes in pieces of 999 gave \(receiver.packetCount) packets and \(take.seconds.rounded(to: 2)) s of sound"
    )
    for (index, note) in notes.enumerated() {
        let start = 0.5 * Double(index) + 0.15
        let (right, wrong) = (
            take.level(at: note, from: start, to: start + 0.25),
            take.level(at: notes[(index + 1) % notes.count], from: start, to: start + 0.25)
        )
        try report.require(
            abs(right - 20 * log10(0.5)) < 0.5 && wrong < -40,
            "note \(index) is at \(right) dB, its neighbour at \(wrong) dB")
    }
}

/// Half a second of each note, as the bytes of an MP3 file.
func broadcast(of notes: [Double]) throws -> [UInt8] {
    let tune = try AVAudioPCMBuffer.mono(seconds: 0.5 * Double(notes.count), rate: 44_100) { time in
        let index = min(Int(time / 0.5), notes.count - 1), place = time - 0.5 * Double(index)
        return 0.5 * envelope(place, length: 0.5, attack: 0.02, release: 0.02) * sin(2 * .pi * notes[index] * place)
    }
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
        "RadioStream-\(ProcessInfo.processInfo.processIdentifier).mp3")
    let file = try AVAudioFile(
        forWriting: url,
        settings: [
            AVFormatIDKey: kAudioFormatMPEGLayer3, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1,
            AVEncoderBitRateKey: 128_000,
        ])
    try file.write(from: tune)
    file.close()
    return [UInt8](try Data(contentsOf: url))
}
