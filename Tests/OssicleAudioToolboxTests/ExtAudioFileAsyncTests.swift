import Foundation
import OssicleTestSupport
import Testing
@testable import OssicleAudioToolbox

@Suite("Writing by ExtAudioFile for those who may not wait") struct ExtAudioFileAsyncTests {
    @Test("What is written asynchronously is in the file, all of it and in order")
    func order() throws {
        let folder = try TemporaryFolder()
        var file: ExtAudioFileRef?, format = AudioStreamBasicDescription.floats(48_000, 2, interleaved: true),
            client = AudioStreamBasicDescription.floats(48_000, 2)
        #expect(ExtAudioFileCreateWithURL(folder.file("a.caf"), kAudioFileCAFType, &format, nil, 1, &file) == noErr)
        let created = try #require(file)
        #expect(
            ExtAudioFileSetProperty(
                created, kExtAudioFileProperty_ClientDataFormat, UInt32(MemoryLayout<AudioStreamBasicDescription>.size),
                &client) == noErr)
        #expect(ExtAudioFileWriteAsync(created, 0, nil) == noErr)
        let planes = tones(channels: 2, frames: 200_000)
        let buffers = ClientBuffers(channels: 2, frames: 1000)
        for start in stride(from: 0, to: 200_000, by: 1000) {
            for channel in 0..<2 { buffers[channel] = Array(planes[channel][start..<start + 1000]) }
            // More than two seconds: where the ring is full the client waits, as a render thread would not.
            while true {
                let status = ExtAudioFileWriteAsync(created, 1000, buffers.list.unsafePointer)
                if status == noErr { break }
                #expect(status == kExtAudioFileError_AsyncWriteBufferOverflow)
                usleep(1000)
            }
        }
        #expect(ExtAudioFileDispose(created) == noErr)
        #expect(try samples(of: folder.path("a.caf")) == planes)
    }

    @Test("A call that waits comes before one that does not")
    func mixed() throws {
        let folder = try TemporaryFolder()
        var file: ExtAudioFileRef?, format = AudioStreamBasicDescription.floats(48_000, 1, interleaved: true)
        #expect(ExtAudioFileCreateWithURL(folder.file("a.caf"), kAudioFileCAFType, &format, nil, 1, &file) == noErr)
        let created = try #require(file)
        for number in 0..<50 {
            let buffers = ClientBuffers([[Float(number)]])
            let isAsync = number % 3 != 0
            #expect(
                (isAsync
                    ? ExtAudioFileWriteAsync(created, 1, buffers.list.unsafePointer)
                    : ExtAudioFileWrite(created, 1, buffers.list.unsafePointer)) == noErr)
        }
        #expect(ExtAudioFileDispose(created) == noErr)
        #expect(try samples(of: folder.path("a.caf")) == [(0..<50).map { Float($0) }])
    }

    @Test("A full ring takes nothing, tells so, and goes on when it is read")
    func overflow() throws {
        let ring = AsyncRing(bufferCount: 2, bytesPerFrame: 4, capacity: 100)
        defer { ring.deallocate() }
        var written: [Float] = [], read: [Float] = []
        func add(_ count: Int) -> OSStatus {
            let values = (0..<count).map { Float(written.count + $0) }
            let buffers = ClientBuffers([values, values.map { -$0 }])
            let status = ring.add(buffers.list.unsafePointer, frames: count)
            if status == noErr { written += values }
            return status
        }
        func take() {
            ring.take { buffers, frames in
                let (left, right) = (
                    buffers[0].assumingMemoryBound(to: Float.self), buffers[1].assumingMemoryBound(to: Float.self)
                )
                for frame in 0..<frames {
                    read.append(left[frame])
                    #expect(right[frame] == -left[frame])
                }
            }
        }
        #expect(add(101) == kExtAudioFileError_AsyncWriteTooLarge)
        #expect(add(60) == noErr && add(41) == kExtAudioFileError_AsyncWriteBufferOverflow && add(40) == noErr)
        #expect(add(1) == kExtAudioFileError_AsyncWriteBufferOverflow)
        for count in [70, 30, 99, 1, 100, 55] {
            take()
            #expect(read == written)
            #expect(add(count) == noErr)
        }
        take()
        #expect(read == written && written.count == 455)
        let mono = ClientBuffers([[1]])
        #expect(ring.add(mono.list.unsafePointer, frames: 1) == kAudio_ParamError)
        ring.fail(kAudioFileUnspecifiedError)
        #expect(add(1) == kAudioFileUnspecifiedError)
    }

    @Test("Two threads pass frames without losing one")
    func threads() {
        let ring = AsyncRing(bufferCount: 1, bytesPerFrame: 4, capacity: 64)
        defer { ring.deallocate() }
        let count = 100_000, inOrder = Shared(0)
        let reader = Thread {
            var taken = 0, right = 0
            while taken < count {
                ring.take { buffers, frames in
                    let values = buffers[0].assumingMemoryBound(to: Float.self)
                    for frame in 0..<frames where values[frame] == Float(taken + frame) { right += 1 }
                    taken += frames
                }
            }
            inOrder.change { $0 = right }
        }
        reader.start()
        let buffers = ClientBuffers(channels: 1, frames: 10)
        for start in stride(from: 0, to: count, by: 10) {
            buffers[0] = (start..<start + 10).map { Float($0) }
            while ring.add(buffers.list.unsafePointer, frames: 10) != noErr { usleep(1) }
        }
        while !reader.isFinished { usleep(100) }
        #expect(inOrder.value == count)
    }
}
