// MIDI files on disk.

import Foundation

extension MIDIFile {
    /// Reads the file at a path.
    package init(path: String) throws(MIDIFileError) {
        func fault(_ kind: MIDIFileFault, _ found: String, cure: String) -> MIDIFileError {
            MIDIFileError(
                kind, object: path, found: found, rule: "A MIDI file is a regular file of at most 64 MiB.", cure: cure)
        }
        var information = stat()
        guard stat(path, &information) == 0 else {
            throw fault(.missing, String(cString: strerror(errno)), cure: "Check the path.")
        }
        guard information.st_mode & S_IFMT == S_IFREG else {
            throw fault(.unrecognized, "not a regular file", cure: "Name the file itself.")
        }
        guard information.st_size <= Limit.bytes else {
            throw fault(.tooLarge, "\(information.st_size) bytes", cure: "Split the file.")
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw fault(.notPermitted, "it cannot be read", cure: "Check its permissions.")
        }
        try self.init(reading: Array(data), named: path)
    }

    /// Writes the file to a path, whole or not at all. A file that is there already is replaced only where that is
    /// wished.
    package func write(to path: String, replacing: Bool) throws(MIDIFileError) {
        func fault(_ kind: MIDIFileFault, _ found: String, _ rule: String, cure: String) -> MIDIFileError {
            MIDIFileError(kind, object: path, found: found, rule: rule, cure: cure)
        }
        guard replacing || access(path, F_OK) != 0 else {
            throw fault(
                .notPermitted, "a file that is there already", "It is replaced only on request.",
                cure: "Allow it to be replaced, or choose another name.")
        }
        do { try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic) } catch {
            throw fault(
                .writeFailed, "\(error.localizedDescription)", "The folder has to be there and writable.",
                cure: "Check the path and the disk.")
        }
    }
}
