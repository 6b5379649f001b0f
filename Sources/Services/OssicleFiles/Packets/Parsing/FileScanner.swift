// Parsers over whole files.

import OssicleCodecs

/// Runs the parser of a container over a file, from the beginning as far as asked.
final class FileScanner {
    let found = ParserFindings()
    private(set) var isDone = false

    private let source: any ByteSource
    private let hint: AudioContainer?
    private var parser: (any ContainerParser)?
    /// A part of the file, of which `used` bytes are of no more use; the next byte is at `offset` in the file.
    private var buffer: [UInt8] = []
    private var used = 0
    private var offset: Int64 = 0

    /// Bytes read at a time: few at first, because those of a file that comes over a network are waited for, and most
    /// headers are short.
    private var block = 4 << 10
    private static let largestBlock = 64 << 10

    init(_ source: any ByteSource, hint: AudioContainer?) {
        self.source = source
        self.hint = hint
    }

    /// Continues until `isEnough`, or to the end.
    func run(until isEnough: (ParserFindings) -> Bool = { _ in false }) throws(AudioFileError) {
        while !isDone, !isEnough(found) {
            let left = buffer.count - used, isLast = offset + Int64(left) >= source.byteCount
            switch try step(isLast: isLast) {
            case .pass(let count) where count > 0: pass(count)
            case .wait(let count) where !isLast: try fill(max(count, left + 1))
            default: try finish()
            }
        }
    }

    private func step(isLast: Bool) throws(AudioFileError) -> ParserStep {
        try buffer.withBytes { memory throws(AudioFileError) in
            let window = window(UnsafeRawBufferPointer(rebasing: memory[used...]), isLast: isLast)
            if parser == nil { parser = try ContainerDetector.parser(for: window, hint: hint) }
            return try parser?.step(window, found) ?? .wait(window.count + 1)
        }
    }

    private func window(_ bytes: UnsafeRawBufferPointer, isLast: Bool) -> ParserWindow {
        ParserWindow(bytes: bytes, offset: offset, isLast: isLast, fileSize: source.byteCount, name: source.name)
    }

    private func pass(_ count: Int64) {
        let (next, overflow) = offset.addingReportingOverflow(count)
        offset = overflow ? source.byteCount : min(next, source.byteCount)
        used = count < Int64(buffer.count - used) ? used + Int(count) : buffer.count
    }

    /// Reads on until `count` bytes are there, or the file ends.
    private func fill(_ count: Int) throws(AudioFileError) {
        let left = buffer.count - used
        let wanted = Int(min(Int64(max(count, left + block)), source.byteCount - offset))
        block = min(2 * block, Self.largestBlock)
        buffer.removeFirst(used)
        used = 0
        buffer.append(contentsOf: repeatElement(0, count: max(0, wanted - left)))
        let got = try buffer.withMutableBytes { memory throws(AudioFileError) in
            try source.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[left...]), at: offset + Int64(left))
        }
        guard got >= wanted - left else {
            throw AudioFileError(
                .damaged, path: source.name,
                found: "\(got) bytes at \(offset + Int64(left)) where \(wanted - left) should be",
                rule: "A file keeps its size while it is read.", cure: "Read it again when it is no longer written.")
        }
    }

    private func finish() throws(AudioFileError) {
        isDone = true
        try parser?.end(window(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true), found)
        buffer = []
        used = 0
    }
}

/// Cuts audio data that comes in order into the packets of an index.
struct PacketCutter {
    let index: PacketIndex
    /// Bytes of the data that are still to come.
    private(set) var remaining: Int64
    private var next: Int64 = 0

    /// Packets reported at a time at most, which bounds the memory their spans take.
    private static let most = 4096

    init(_ index: PacketIndex, byteCount: Int64?) {
        self.index = index
        remaining = byteCount ?? .max
    }

    /// The next packets in the window; `nil` when no whole packet is left.
    mutating func step(_ window: ParserWindow, _ found: ParserFindings) -> ParserStep? {
        guard next < index.count, Int64(index.size(of: next)) <= remaining else { return nil }
        var used = 0, count = 0
        while next < index.count, count < Self.most {
            let size = index.size(of: next)
            guard size <= window.count - used, Int64(size) <= remaining else { break }
            found.packet(in: window, at: used, count: size, frames: index.framesPerPacket(of: next))
            used += size
            remaining -= Int64(size)
            next += 1
            count += 1
        }
        return used > 0 ? .pass(Int64(used)) : .wait(max(1, index.size(of: next)))
    }

    /// What comes next begins with `packet`, or, where that is not known, with any packet of constant size.
    mutating func restart(at packet: Int64?) {
        if let packet, packet < index.count {
            remaining = remaining == .max ? .max : index.byteCount - index.start(of: packet)
            next = packet
        } else if index.constantSize > 0 {
            remaining = .max
            next = 0
        } else {
            next = index.count
        }
    }
}
