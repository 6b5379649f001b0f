import Foundation
import OssicleFiles
import Synchronization

/// A file the user asked for. Checked when it is named, so that no rendering is waited for that cannot be saved.
struct OutputFile: Equatable {
    let path: String

    init(_ path: String) throws {
        self.path = path
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        if path.isEmpty { throw OutputFile.refusal("An empty name", because: "names no file") }
        if FileSystem.isFolder(path) { throw OutputFile.refusal(path, because: "is a folder") }
        guard FileSystem.isFolder(folder) else {
            throw OutputFile.refusal(path, because: "is in a folder that does not exist (\(folder))")
        }
        let exists = FileSystem.exists(path)
        guard FileManager.default.isWritableFile(atPath: exists ? path : folder) else {
            throw OutputFile.refusal(
                path, because: exists ? "is write-protected" : "is in a folder you may not write to (\(folder))")
        }
    }

    func write(_ data: Data) throws {
        do {
            try data.write(to: URL(fileURLWithPath: path))
        } catch {
            throw OutputFile.refusal(path, because: "could not be written (\(OutputFile.reason(of: error)))")
        }
    }

    private static func refusal(_ name: String, because reason: String) -> ToolError {
        ToolError("\(name) \(reason): give -o a file in a folder that exists and that you may write to.")
    }

    /// The system's own words, which say more than Foundation's.
    private static func reason(of error: any Error) -> String {
        guard let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? POSIXError else {
            return error.localizedDescription
        }
        return String(cString: strerror(underlying.code.rawValue))
    }
}

/// What is at a path.
enum FileSystem {
    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// The size of a file in bytes, 0 where there is none.
    static func size(_ path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// The absolute path, links followed.
    static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
    }

    /// The same text for all names of the same file, also where the file is still to be made.
    static func identity(_ path: String) -> String {
        var status = stat()
        return stat(path, &status) == 0 ? "\(status.st_dev):\(status.st_ino)" : resolved(path)
    }

    /// Every visible file in `folder` and the folders in it, as paths from there, in alphabetical order.
    static func files(in folder: String) -> [String] {
        let url = URL(fileURLWithPath: folder)
        let found = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
        return found.filter { path in
            !path.split(separator: "/").contains { $0.hasPrefix(".") }
                && !isFolder(url.appendingPathComponent(path).path)
        }.sorted()
    }
}

/// A file on its way to its place: written beside it under a hidden name and renamed when it is whole, so that half
/// of it is never read.
///
/// A signal that ends the program removes it (`UnfinishedFiles`); what a killed program left is removed by the next one
/// that writes into the folder.
struct UnfinishedFile {
    /// Where to write.
    let path: String
    private let place: String
    private static let count = Atomic(0)

    /// - Parameter place: where the file shall be. Its folder is made when it is not there.
    init(for place: String) throws {
        let folder = (place as NSString).deletingLastPathComponent
        let number = Self.count.add(1, ordering: .relaxed).newValue
        let name = StaleFiles.name(number, ending: (place as NSString).pathExtension)
        self.place = place
        path = (folder as NSString).appendingPathComponent(name)
        do {
            if !folder.isEmpty {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
        } catch {
            throw ToolError("\(place): the folder \(folder) could not be made: choose a place where you may write.")
        }
        StaleFiles.remove(from: folder.isEmpty ? "." : folder)
        UnfinishedFiles.add(path)
    }

    /// Puts the whole file into its place.
    func finish(overwriting: Bool) throws {
        guard overwriting || !FileSystem.exists(place) else {
            throw ToolError("\(place) came into being meanwhile: give --overwrite to replace it.")
        }
        guard rename(path, place) == 0 else {
            throw ToolError(
                "\(place) could not be put into its place (\(String(cString: strerror(errno)))): choose another.")
        }
        UnfinishedFiles.forget(path)
    }

    /// Lets `write` make a file beside its place and puts it there. Returns its digest.
    @discardableResult
    static func put(_ path: String, overwriting: Bool, _ write: (String) throws -> Void) throws -> String {
        let unfinished = try UnfinishedFile(for: path)
        do {
            try write(unfinished.path)
            let hash = SHA256.hex(of: [UInt8](try Data(contentsOf: URL(fileURLWithPath: unfinished.path))))
            try unfinished.finish(overwriting: overwriting)
            return hash
        } catch {
            unfinished.discard()
            throw error
        }
    }

    /// Removes what has been written.
    func discard() {
        unlink(path)
        UnfinishedFiles.forget(path)
    }

    /// `error` with the name of the place where it names the file beside it.
    func renamed(_ error: any Error) -> any Error {
        guard let error = error as? AudioFileError, error.path == path else { return error }
        return AudioFileError(error.kind, path: place, found: error.found, rule: error.rule, cure: error.cure)
    }
}
