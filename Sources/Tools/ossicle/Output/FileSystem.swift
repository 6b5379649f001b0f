import Foundation

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
    static func resolved(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path }

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
            !path.split(separator: "/").contains { $0.hasPrefix(".") } && !isFolder(url.appendingPathComponent(path).path)
        }.sorted()
    }
}
