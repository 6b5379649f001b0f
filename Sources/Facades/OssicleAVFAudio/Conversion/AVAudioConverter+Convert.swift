// The two ways to convert.

import OssicleCodecs
import OssicleConversion
import OssicleCoreAudioTypes

extension AVAudioConverter {
    /// Converts one whole buffer and sets the output's `frameLength`. Neither the rate nor the codec may change. Throws
    /// that, and when a buffer is of another format or the output too small.
    public func convert(to outputBuffer: AVAudioPCMBuffer, from inputBuffer: AVAudioPCMBuffer) throws {
        try converting { () throws(OssicleError) in
            guard inputFormat.isPCM, outputFormat.isPCM, inputFormat.sampleRate == outputFormat.sampleRate else {
                throw fault.notSimple()
            }
            guard inputBuffer.format == inputFormat else {
                throw fault.wrongFormat("input", inputBuffer.format, expected: inputFormat)
            }
            guard outputBuffer.format == outputFormat else {
                throw fault.wrongFormat("output", outputBuffer.format, expected: outputFormat)
            }
            guard outputBuffer.frameCapacity >= inputBuffer.frameLength else {
                throw fault.tooSmall(outputBuffer.frameCapacity, inputBuffer.frameLength)
            }
            guard inputBuffer.frameLength > 0 else { return outputBuffer.frameLength = 0 }
            var next = try feed.input(inputBuffer)
            _ = try fill(outputBuffer, frames: inputBuffer.frameLength) { (_: Int) throws(OssicleError) in
                defer { next = .nothingNow }
                return next
            }
            guard outputBuffer.frameLength == inputBuffer.frameLength else {
                throw fault.notAlone(outputBuffer.frameLength, inputBuffer.frameLength)
            }
        }
    }

    /// Fills `outputBuffer` with the next of the stream, as far as its capacity and the input go, and sets its
    /// `frameLength`, or its `packetCount` and `byteLength`. `inputBlock` is called for input as often as it takes. A
    /// returned `nil` with `.haveData` counts as `.noDataNow`. What goes wrong is put into `outError`, and the status
    /// is `.error`.
    @discardableResult
    public func convert(
        to outputBuffer: AVAudioBuffer, error outError: NSErrorPointer,
        withInputFrom inputBlock: @escaping AVAudioConverterInputBlock
    ) -> AVAudioConverterOutputStatus {
        do {
            return try converting { () throws(OssicleError) in try produce(outputBuffer, inputBlock) }
        } catch {
            outError?.pointee = error
            return .error
        }
    }

    private func produce(
        _ buffer: AVAudioBuffer,
        _ block: @escaping AVAudioConverterInputBlock
    ) throws(OssicleError) -> AVAudioConverterOutputStatus {
        guard buffer.format == outputFormat else {
            throw fault.wrongFormat("output", buffer.format, expected: outputFormat)
        }
        switch buffer {
        case let samples as AVAudioPCMBuffer:
            return try fill(samples, frames: samples.frameCapacity) { [feed] (count: Int) throws(OssicleError) in
                try feed.pull(count, block)
            }
        case let packets as AVAudioCompressedBuffer:
            return try fill(packets) { [feed] (count: Int) throws(OssicleError) in try feed.pull(count, block) }
        default: throw fault.noRoom()
        }
    }
}
