import CNetcdf
import Foundation
import OssicleCore
@testable import OssicleResponses
import OssicleTestSupport
import Testing

@Suite("SOFA files") struct SofaTests {
    /// What is in a file, read through netCDF.
    private struct Contents {
        private let file: Int32

        /// Opens a copy of the file for as long as `body` looks into it: a process that another test started while the
        /// file was written holds HDF5's lock on it (flock) until it has closed what it inherited.
        static func of(_ path: String, _ body: (Contents) -> Void) throws {
            let path = try copy(of: path)
            defer { try? FileManager.default.removeItem(atPath: path) }
            try NetcdfFile.turn.withLock { _ in
                ossicle_netcdf_hush()
                var file: Int32 = 0
                try #require(nc_open(path, NC_NOWRITE, &file) == NC_NOERR)
                defer { nc_close(file) }
                body(Contents(file: file))
            }
        }

        private static func copy(of path: String) throws -> String {
            let copy = path + ".copy"
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            return copy
        }

        func text(_ name: String, of variable: String? = nil) -> String? {
            var (number, size) = (NC_GLOBAL, 0)
            if let variable, nc_inq_varid(file, variable, &number) != NC_NOERR { return nil }
            guard nc_inq_attlen(file, number, name, &size) == NC_NOERR else { return nil }
            var bytes = [CChar](repeating: 0, count: size)
            nc_get_att_text(file, number, name, &bytes)
            return String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }

        func size(_ dimension: String) -> Int? {
            var (number, size): (Int32, Int) = (0, 0)
            return nc_inq_dimid(file, dimension, &number) == NC_NOERR && nc_inq_dimlen(file, number, &size) == NC_NOERR
                ? size : nil
        }

        func values(_ variable: String, count: Int) -> [Double]? {
            var number: Int32 = 0
            var values = [Double](repeating: .nan, count: count)
            return nc_inq_varid(file, variable, &number) == NC_NOERR
                && nc_get_var_double(file, number, &values) == NC_NOERR ? values : nil
        }
    }

    private static func document(_ receiver: Receiver, channels: Int) -> SofaDocument {
        let one = ImpulseResponse(
            sampleRate: 48_000, channels: (0..<channels).map { channel in (0..<8).map { Float($0 + 10 * channel) } })
        let two = ImpulseResponse(
            sampleRate: 48_000, channels: (0..<channels).map { channel in (0..<5).map { Float(-$0 - 10 * channel) } })
        let turned = Pose(position: Vector(3, 1.2, 2), right: Vector(0, 0, 1), back: Vector(-1, 0, 0))
        return SofaDocument(
            title: "a room", room: .shoebox(.zero, Vector(6, 3, 5)), receiver: receiver, temperature: 293.15,
            measurements: [
                .init(source: Vector(1, 2, 3), listener: Pose(position: Vector(4, 1.2, 2)), response: one),
                .init(source: Vector(1, 2, 3), listener: turned, response: two),
            ],
            date: "2026-01-02 03:04:05", application: ("ossicle", "1"))
    }

    @Test("hold what was written, in SOFA's axes, short responses filled up with silence")
    func roundTrip() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.sofa")
        try Self.document(.binaural(try .shared(sampleRate: 48_000)), channels: 2).write(to: path)
        try Contents.of(path) { contents in
            for (name, value) in [
                ("Conventions", "SOFA"), ("SOFAConventions", "SingleRoomSRIR"), ("DataType", "FIR"),
                ("RoomType", "shoebox"),
                ("DateCreated", "2026-01-02 03:04:05"), ("Title", "a room"), ("Version", "2.1"),
            ] {
                #expect(contents.text(name) == value)
            }
            #expect(["M", "R", "N", "E", "C", "I"].map(contents.size) == [2, 2, 8, 1, 3, 1])
            let one = (0..<8).map(Double.init), two = (0..<5).map { -Double($0) } + [0, 0, 0]
            #expect(
                contents.values("Data.IR", count: 32) == one + one.map { $0 + 10 } + two
                    + (0..<5).map { -Double($0) - 10 } + [0, 0, 0])
            #expect(contents.values("Data.SamplingRate", count: 1) == [48_000])
            #expect(contents.text("Units", of: "Data.SamplingRate") == "hertz")
            // x front, y left, z up.
            #expect(contents.values("SourcePosition", count: 6) == [-3, -1, 2, -3, -1, 2])
            #expect(contents.values("ListenerPosition", count: 6) == [-2, -4, 1.2, -2, -3, 1.2])
            #expect(contents.values("ListenerView", count: 6) == [1, 0, 0, 0, -1, 0])
            #expect(contents.values("ReceiverPosition", count: 6) == [0, 0.09, 0, 0, -0.09, 0])
            #expect(contents.values("RoomCornerB", count: 3) == [-5, -6, 3])
        }
    }

    @Test("tell a sound field as spherical harmonics")
    func soundField() throws {
        let folder = try TemporaryFolder()
        try Self.document(.ambisonic(order: 1), channels: 4).write(to: folder.path("a.sofa"))
        try Contents.of(folder.path("a.sofa")) { contents in
            #expect(contents.text("Type", of: "ReceiverPosition") == "spherical harmonics")
            #expect(contents.size("R") == 4)
        }
    }

    @Test("are the same bytes every time, and never replace a file")
    func sameBytes() throws {
        let folder = try TemporaryFolder()
        let document = Self.document(.mono, channels: 1)
        for name in ["a.sofa", "b.sofa"] { try document.write(to: folder.path(name)) }
        let files = try ["a.sofa", "b.sofa"].map { try Data(contentsOf: URL(fileURLWithPath: folder.path($0))) }
        let areSame = files[0] == files[1]
        #expect(areSame)
        #expect { try document.write(to: folder.path("a.sofa")) } throws: {
            $0 is ResponseError && "\($0)".contains("could not be made")
        }
        #expect { try document.write(to: folder.path("none/a.sofa")) } throws: { $0 is ResponseError }
    }

    @Test("cannot be written without a response")
    func empty() {
        var document = Self.document(.mono, channels: 1)
        document.measurements = []
        #expect { try document.write(to: "/nowhere/a.sofa") } throws: { "\($0)".contains("no response") }
    }
}
