// Client buffers and formats as manual rendering and the client's render blocks read and write them.

import OssicleCoreAudioTypes
import OssiclePlayback
import OssicleRender

extension UnsafeMutableAudioBufferListPointer: SampleBufferList {
    package var bufferCount: Int { count }

    package func samples(ofBuffer index: Int) -> UnsafeMutableRawPointer? { self[index].mData }

    package func byteCount(ofBuffer index: Int) -> Int { Int(self[index].mDataByteSize) }

    package func setBuffer(_ index: Int, channels: Int, samples: UnsafeMutableRawPointer, byteCount: Int) {
        self[index] = AudioBuffer(
            mNumberChannels: UInt32(channels), mDataByteSize: UInt32(byteCount), mData: samples)
    }
}

extension SampleReader {
    /// As the engine's `read`, from a list that is only read.
    func read(
        _ list: UnsafePointer<AudioBufferList>, _ frames: Int, to planes: UnsafeMutablePointer<Float>, stride: Int
    ) -> Int {
        let buffers = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list))
        return read(buffers, frames, to: planes, stride: stride)
    }
}
