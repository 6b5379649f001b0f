import Foundation
import Testing
@testable import ossicle

@Suite("Unfinished files")
struct UnfinishedFileTests {
    let folder: SoundFolder
    init() throws { folder = try SoundFolder() }

    @Test(
        "a signal that ends the program removes them and ends it as it would have",
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func signals(number: Int32) async throws {
        let place = folder.path("out/a.wav")
        // A process of its own, started as any program: signals are not ignored.
        let result = await #expect(processExitsWith: .failure) { [place = place as String, number = number as Int32] in
            signal(number, SIG_DFL)
            let unfinished = try UnfinishedFile(for: place)
            try Data([1, 2, 3]).write(to: URL(fileURLWithPath: unfinished.path))
            kill(getpid(), number)
            while true { sleep(1) }
        }
        #expect(result?.exitStatus == .signal(number))
        #expect(folder.files.isEmpty)
    }

    @Test("those of a program that was killed are removed by the next one in the folder, others stay")
    func stale() async throws {
        let place = folder.path("out/a.wav")
        await #expect(processExitsWith: .signal(SIGKILL)) { [place = place as String] in
            let unfinished = try UnfinishedFile(for: place)
            try Data([1, 2, 3]).write(to: URL(fileURLWithPath: unfinished.path))
            kill(getpid(), SIGKILL)
            while true { sleep(1) }
        }
        #expect(folder.files.count == 1)
        _ = try folder.write([4], to: "out/.ossicle-other-99999999-1.wav")
        let unfinished = try UnfinishedFile(for: folder.path("out/b.wav"))
        try Data([5]).write(to: URL(fileURLWithPath: unfinished.path))
        #expect(
            Set(folder.files) == [
                "out/.ossicle-other-99999999-1.wav", "out/" + (unfinished.path as NSString).lastPathComponent,
            ])
        try unfinished.finish(overwriting: false)
        #expect(folder.files.contains("out/b.wav") && folder.files.count == 2)
    }
}
