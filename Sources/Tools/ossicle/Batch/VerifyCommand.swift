import ArgumentParser
import Foundation
import OssicleBatch

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check the results of ossicle batch: every file anew, and one hash for the set.",
        discussion: """
            Files that are missing, changed, cut short or not of the set are listed, and shards that are not finished. The hash at the end is the \
            same for the same set, however many shards and archives it is in; for files in a folder it is that of \
            “sha256sum *.wav | sha256sum”. The exit status is 1 where there is a finding.
            """)

    @Argument(help: ArgumentHelp("The --out of ossicle batch.", valueName: "folder"))
    var folder: String

    @Flag(help: "Write for programs: a JSON object in place of the report.")
    var json = false

    func run() throws {
        let progress = Progress("verifying")
        let found = try Verification(folder: folder) { progress.show($0) }
        progress.clear()
        let report = VerifyReport(found)
        print(json ? try report.json : report.text)
        if !found.problems.isEmpty { throw ExitCode.failure }
    }
}

/// What `ossicle verify` prints.
struct VerifyReport: Encodable {
    struct Finding: Encodable { let kind, name, message: String }

    let rows, files, bytes, failedRows: Int
    let rowsOfManifest: Int?
    let findings: [Finding]
    let sha256: String

    init(_ found: Verification) {
        (rows, files, bytes, failedRows) = (found.rows, found.files, found.bytes, found.failedRows)
        (rowsOfManifest, sha256) = (found.rowsOfManifest, found.digest)
        findings = found.problems.map { Finding(kind: $0.kind.rawValue, name: $0.name, message: $0.words) }
    }

    var text: String {
        let all = rowsOfManifest.map { " of \($0)" } ?? ""
        let failed = failedRows > 0 ? ", \(failedRows) could not be done" : ""
        let lines = [
            ("rows", "\(rows)\(all)\(failed)"),
            ("files", "\(files), \(Text.number(Double(bytes) / 1e6, decimals: 1)) MB"),
            ("findings", findings.isEmpty ? "none" : "\(findings.count)"), ("sha-256", sha256),
        ]
        return
            (findings.map { "\($0.kind): \($0.name): \($0.message)" }
            + lines.map { Text.left($0.0, width: 10) + " " + $0.1 }).joined(separator: "\n")
    }

    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
