import Foundation
import OssicleFiles
import Synchronization

/// A file on its way to its place: written beside it under a hidden name and renamed when it is whole, so that nobody ever meets half of it.
///
/// A signal that ends the program removes it (`UnfinishedFiles`); what a killed program left is removed by the next one that writes into the folder.
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
            if !folder.isEmpty { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
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
            throw ToolError("\(place) could not be put into its place (\(String(cString: strerror(errno)))): choose another.")
        }
        UnfinishedFiles.forget(path)
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
