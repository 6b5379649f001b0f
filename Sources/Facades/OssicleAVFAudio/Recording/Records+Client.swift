// Formats, layouts, times and buffers in recordings of commands.

import OssicleCoreAudioTypes
import OssicleRecording

extension AVAudioFormat: RecordableFormat {
    package var formatRecord: FormatRecord {
        FormatRecord(
            sampleRate: sampleRate, channels: channelCount, layout: channelLayout?.layoutRecord,
            samples: commonFormat.rawValue, isInterleaved: isInterleaved)
    }

    package static func made(of record: FormatRecord) -> AVAudioFormat? {
        guard let common = AVAudioCommonFormat(rawValue: record.samples) else { return nil }
        guard let described = record.layout else {
            return AVAudioFormat(
                commonFormat: common, sampleRate: record.sampleRate, channels: record.channels,
                interleaved: record.isInterleaved)
        }
        guard let layout = AVAudioChannelLayout.made(of: described), layout.channelCount == record.channels else {
            return nil
        }
        return AVAudioFormat(
            commonFormat: common, sampleRate: record.sampleRate, interleaved: record.isInterleaved,
            channelLayout: layout)
    }
}

extension AVAudioChannelLayout: RecordableLayout {
    package var layoutRecord: LayoutRecord { LayoutRecord(tag: layoutTag, labels: channelLabels) }

    package static func made(of record: LayoutRecord) -> AVAudioChannelLayout? {
        record.tag == kAudioChannelLayoutTag_UseChannelDescriptions
            ? AVAudioChannelLayout.of(channelLabels: record.labels) : AVAudioChannelLayout(layoutTag: record.tag)
    }
}

extension AVAudioTime: RecordableTime {
    package var timeRecord: TimeRecord {
        TimeRecord(
            sample: isSampleTimeValid ? sampleTime : nil, rate: sampleRate, host: isHostTimeValid ? hostTime : nil)
    }

    package static func made(of record: TimeRecord) -> AVAudioTime {
        switch (record.sample, record.host) {
        case (let sample?, let host?): AVAudioTime(hostTime: host, sampleTime: sample, atRate: record.rate)
        case (let sample?, nil): AVAudioTime(sampleTime: sample, atRate: record.rate)
        case (nil, let host): AVAudioTime(hostTime: host ?? 0)
        }
    }
}

extension AVAudioPCMBuffer: RecordableSound {
    package func soundRecord(_ writer: CommandWriter) -> SoundRecord {
        let list = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: audioBufferList))
        let bytes = list.reduce(into: Data()) { data, part in
            guard let start = part.mData else { return }
            data.append(start.assumingMemoryBound(to: UInt8.self), count: Int(part.mDataByteSize))
        }
        return SoundRecord(format: format.formatRecord, frames: frameLength, data: writer.add(bytes))
    }

    package static func made(of record: SoundRecord, _ bytes: Data) -> AVAudioPCMBuffer? {
        guard let format = AVAudioFormat.made(of: record.format), record.frames <= 1 << 28,
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: max(record.frames, 1))
        else { return nil }
        buffer.frameLength = record.frames
        let list = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
        guard list.reduce(0, { $0 + Int($1.mDataByteSize) }) == bytes.count else { return nil }
        var offset = bytes.startIndex
        for part in list {
            let end = offset + Int(part.mDataByteSize)
            bytes[offset..<end].withUnsafeBytes { source in
                if let from = source.baseAddress { part.mData?.copyMemory(from: from, byteCount: source.count) }
            }
            offset = end
        }
        return buffer
    }
}
