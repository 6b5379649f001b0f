import Foundation
import OssicleBatch
import OssicleFiles
import Synchronization
import Testing

@Suite("Data sets in shards") struct ShardTests {
    private static let rows = #"{"count": 200, "# + Tiny.row("r").dropFirst()

    @Test("are the same set in 1, 7 and 64 shards, as files and as archives, on one thread and on three")
    func shards() throws {
        let folder = try BatchFolder(), manifest = try folder.manifest(Self.rows)
        var digests: Set<String> = []
        for (count, jobs, tar) in [(1, 1, false), (7, 3, false), (64, 1, false), (7, 2, true)] {
            let out = "\(count)-\(tar)"
            for index in 0..<count {
                try folder.run(manifest, to: out, shard: "\(index)/\(count)", jobs: jobs, tar: tar)
            }
            let found = try Verification(folder: folder.path(out))
            #expect(found.problems == [])
            #expect((found.rows, found.files, found.rowsOfManifest) == (200, 200, 200))
            digests.insert(found.digest)
        }
        #expect(digests.count == 1)
        // The hash is that of sha256sum's lines.
        let names = folder.files("1-false").filter { $0.hasSuffix(".wav") }
        #expect(names.count == 200)
        let lines = names.map { "\(SHA256.hex(of: folder.bytes("1-false/\($0)")))  \($0)\n" }.joined()
        #expect(digests == [SHA256.hex(of: Array(lines.utf8))])
    }

    @Test("differ by the seed of the data set and by the row, and by nothing else")
    func seeds() throws {
        let folder = try BatchFolder()
        try folder.run(try folder.manifest(Tiny.row("a"), Tiny.row("b")), to: "one", seed: 1)
        try folder.run(try folder.manifest(Tiny.row("b")), to: "two", seed: 1)
        try folder.run(try folder.manifest(Tiny.row("b")), to: "three", seed: 2)
        #expect(folder.bytes("one/b.wav").count > 100)
        #expect(folder.bytes("one/b.wav") == folder.bytes("two/b.wav"))
        #expect(folder.bytes("one/b.wav") != folder.bytes("three/b.wav"))
        #expect(folder.bytes("one/b.wav") != folder.bytes("one/a.wav"))
    }

    @Test("give the same records and the same archive however often they were ended", arguments: [false, true])
    func endings(tar: Bool) throws {
        let folder = try BatchFolder(), manifest = try folder.manifest(Self.rows)
        try folder.run(manifest, to: "whole", shard: "1/4", tar: tar)
        let looks = Mutex(0)
        var made = 0, runs = 0, done = 0
        while done < 50 {
            looks.withLock { $0 = 0 }
            // Asked some ten times a second, and at once: a few rows come through each time.
            let progress = try folder.run(manifest, to: "cut", shard: "1/4", jobs: 2, tar: tar, until: { true })
            made += progress.made
            done = progress.done
            runs += 1
            if progress.made == 0 { break }
        }
        if done < 50 { made += try folder.run(manifest, to: "cut", shard: "1/4", tar: tar).made }
        #expect(made == 50)
        #expect(folder.files("cut") == folder.files("whole"))
        for name in folder.files("whole") where name.hasPrefix("results") || name.hasSuffix(".tar") {
            #expect(folder.bytes("cut/\(name)") == folder.bytes("whole/\(name)"), "\(name) after \(runs) runs")
        }
    }

    @Test("leave out rows that cannot be done, say why, and do them once they can be")
    func faults() throws {
        let folder = try BatchFolder(), said = Mutex([String]())
        let bad = Tiny.row("bad", #", "material": "cheese""#)
        let progress = try folder.run(
            try folder.manifest(Tiny.row("a"), bad, "{", Tiny.row("a"), "", Tiny.row("c")), to: "out"
        ) { words in said.withLock { $0.append(words) } }
        #expect((progress.made, progress.failed, progress.total) == (2, 3, 5))
        let words = said.withLock { $0 }
        #expect(words.count == 3)
        #expect(words[0].hasPrefix("Row “bad” (rows.jsonl, line 2): material is “cheese”; known are brick,"))
        #expect(words[1].hasPrefix("rows.jsonl, line 3: is no JSON"))
        #expect(
            words[2]
                == "Row “a” (rows.jsonl, line 4): id is “a” once more; every row has a name of its own: change one.")
        #expect(folder.files("out") == ["a.wav", "c.wav", "failures.jsonl", "results.jsonl", "set.json"])
        let again = try folder.run(
            try folder.manifest(Tiny.row("a"), Tiny.row("bad", #", "material": "brick""#), Tiny.row("c")), to: "out")
        #expect((again.made, again.kept, again.failed) == (1, 2, 0))
        #expect(folder.files("out") == ["a.wav", "bad.wav", "c.wav", "results.jsonl", "set.json"])
        let ids = String(decoding: folder.bytes("out/results.jsonl"), as: UTF8.self).split(separator: "\n").map {
            $0.components(separatedBy: #""id":""#).last?.prefix { $0 != "\"" } ?? ""
        }
        #expect(ids == ["a", "bad", "c"])
    }

    @Test("are done anew row by row where a row or a file changed")
    func changes() throws {
        let folder = try BatchFolder()
        try folder.run(try folder.manifest(Tiny.row("a"), Tiny.row("b"), Tiny.row("c")), to: "out")
        try FileManager.default.removeItem(atPath: folder.path("out/c.wav"))
        let again = try folder.run(
            try folder.manifest(Tiny.row("a"), Tiny.row("b", #", "material": "wood""#), Tiny.row("c")), to: "out")
        #expect((again.made, again.kept) == (2, 1))
        #expect(try Verification(folder: folder.path("out")).problems == [])
        #expect(throws: BatchError.self) {
            try folder.run(try folder.manifest(Tiny.row("a")), to: "out", seed: 9, tar: true)
            try folder.run(try folder.manifest(Tiny.row("a", #", "material": "wood""#)), to: "out", seed: 9, tar: true)
        }
    }

    @Test("are verified: what is missing, changed, cut short, extra or not finished is named")
    func verification() throws {
        let folder = try BatchFolder(),
            manifest = try folder.manifest(Tiny.row("a"), Tiny.row("b"), Tiny.row("c"), Tiny.row("d"))
        try folder.run(manifest, to: "out", shard: "0/2")
        var found = try Verification(folder: folder.path("out"))
        #expect(found.problems.map(\.kind) == [.unfinished])
        #expect(found.problems[0].name == "shard 1/2")
        try folder.run(manifest, to: "out", shard: "1/2")
        #expect(try Verification(folder: folder.path("out")).problems == [])
        var bytes = folder.bytes("out/b.wav")
        bytes[bytes.count - 1] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path("out/b.wav")))
        try Data(folder.bytes("out/c.wav").dropLast()).write(to: URL(fileURLWithPath: folder.path("out/c.wav")))
        try FileManager.default.removeItem(atPath: folder.path("out/d.wav"))
        try Data().write(to: URL(fileURLWithPath: folder.path("out/e.wav")))
        found = try Verification(folder: folder.path("out"))
        #expect(found.problems.map(\.name) == ["b.wav", "c.wav", "d.wav", "e.wav"])
        #expect(found.problems.map(\.kind) == [.changed, .partial, .missing, .extra])
        // What a shard has done by the time it is ended is of the set.
        let made = try folder.run(try folder.manifest(Self.rows), to: "ended", until: { true }).made
        found = try Verification(folder: folder.path("ended"))
        #expect(found.rows == made)
        #expect(found.problems.map(\.kind) == (made < 200 ? [.unfinished] : []))
    }

    @Test("in archives are verified, and another reader finds the files in them")
    func archives() throws {
        let folder = try BatchFolder(), manifest = try folder.manifest(Tiny.row("a"), Tiny.row("b"))
        try folder.run(manifest, to: "tar", tar: true)
        try folder.run(manifest, to: "files")
        #expect(folder.files("tar") == ["results.jsonl", "rows.tar", "set.json"])
        let tar = Process()
        tar.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        tar.arguments = ["tar", "-xf", folder.path("tar/rows.tar"), "-C", folder.url.path]
        try tar.run()
        tar.waitUntilExit()
        #expect(tar.terminationStatus == 0)
        #expect(folder.bytes("a.wav") == folder.bytes("files/a.wav"))
        #expect(folder.bytes("b.json").starts(with: Array("{".utf8)))
        var bytes = folder.bytes("tar/rows.tar")
        bytes[600] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path("tar/rows.tar")))
        #expect(try Verification(folder: folder.path("tar")).problems.map(\.kind) == [.changed])
    }
}
