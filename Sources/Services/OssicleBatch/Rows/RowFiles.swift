import OssicleAcoustics
import OssicleDSP
import OssicleHRTF
import OssicleResponses
import OssicleScenes
import Synchronization

/// What rows read from files, each once. Any thread.
package final class RowFiles: Sendable {
    package let texts: TextFiles
    private let meshes = FileCache<MeshKey, MeshRoom>()
    private let heads = FileCache<HeadKey, HRTFFilters>()
    private let shapes = FileCache<String, SourceEmission.Shape>()

    private struct MeshKey: Hashable {
        let path: String
        let options: SceneFileOptions
    }

    private struct HeadKey: Hashable {
        let path: String
        let sampleRate: Double
    }

    /// - Parameter folder: where names begin.
    package init(folder: String) { texts = TextFiles(folder: folder) }

    /// - Throws: `SceneFileError`.
    func mesh(_ path: String, _ options: SceneFileOptions) throws -> MeshRoom {
        try meshes.value(MeshKey(path: path, options: options)) {
            try MeshRoom(contentsOfFile: path, options: options)
        }
    }

    /// Of a SOFA file.
    func head(_ path: String, sampleRate: Double) throws -> HRTFFilters {
        try heads.value(HeadKey(path: path, sampleRate: sampleRate)) {
            try HRTFSet(contentsOfFile: path).filters(sampleRate: sampleRate)
        }
    }

    /// A source's directivity.
    func shape(_ path: String) throws -> SourceEmission.Shape {
        try shapes.value(path) { try SourceEmission.Shape(contentsOfFile: path) }
    }
}

/// One thread makes values at a time, so that rows that need the same file do not all read it.
private final class FileCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let known = Mutex<[Key: Value]>([:])
    /// Values kept.
    private static var most: Int { 16 }

    func value(_ key: Key, _ make: () throws -> Value) throws -> Value {
        try known.withLock { known in
            if let value = known[key] { return value }
            let value = try make()
            if known.count >= Self.most { known.removeAll() }
            known[key] = value
            return value
        }
    }
}
