// What can go wrong between here and a server.

import Foundation
import OssicleCoreAudioTypes

/// Errors of addresses, in `NSURLErrorDomain` with Apple's codes.
enum NetworkFault {
    static func error(_ url: URL, _ code: Int, _ value: String, rule: String, cure: String) -> OssicleError {
        OssicleError(
            domain: NSURLErrorDomain, code: code, object: "\"\(url.absoluteString)\"", value: value, rule: rule,
            cure: cure)
    }

    static func noLibrary(_ url: URL) -> OssicleError {
        error(
            url, NSURLErrorUnsupportedURL, "there is no libcurl", rule: "Addresses are read through libcurl.",
            cure: "Install it (Debian: libcurl4), or download the file and use URL(fileURLWithPath:).")
    }

    static func noAddress(_ url: URL) -> OssicleError {
        error(
            url, NSURLErrorUnsupportedURL, "it is no file and no HTTP address",
            rule: "Sound comes from file:, http: and https:.", cure: "Download it first.")
    }

    static func endless(_ url: URL, most: Int64) -> OssicleError {
        error(
            url, NSURLErrorDataLengthExceedsMaximum, "it is larger than \(most >> 30) GiB",
            rule: "A resource is kept in a temporary file while it plays.",
            cure: "Streams without an end are not supported; give the address of a file.")
    }

    static func diskFull(_ url: URL, _ reason: String) -> OssicleError {
        error(
            url, NSURLErrorCannotWriteToFile, "its bytes cannot be kept: \(reason)",
            rule: "They are kept in a file in the temporary folder.", cure: "Free some space, or set TMPDIR.")
    }

    static func changed(_ url: URL, from old: Int64, to new: Int64) -> OssicleError {
        error(
            url, NSURLErrorBadServerResponse, "it was \(old) bytes long and is \(new) now",
            rule: "A resource must stay the same while it is read.", cure: "Make a new item.")
    }

    static func otherBytes(_ url: URL, wanted: Int64, sent: Int64) -> OssicleError {
        error(
            url, NSURLErrorBadServerResponse, "the server sends bytes from \(sent) on, not from \(wanted)",
            rule: "A server that answers 206 sends the range of the request.", cure: "Look after the server.")
    }

    /// After a transfer that brought nothing new.
    static func of(_ outcome: HTTPTransfer.Outcome, _ url: URL, at offset: Int64, library: CurlLibrary) -> OssicleError
    {
        guard case .failed(let result, let status) = outcome, status != 416 else {
            return error(
                url, NSURLErrorNetworkConnectionLost, "it ends at byte \(offset), before the length it announced",
                rule: "A server sends the length it announces.", cure: "Look after the server; try again.")
        }
        if result == 0 {
            return error(
                url, code(status: status), "the server answers \(status)", rule: "It has to answer 200 or 206.",
                cure: status == 404 || status == 410 ? "Check the address." : "Look after the server.")
        }
        return error(
            url, code(result: result), "\(library.text(result)), at byte \(offset)",
            rule: "The connection has to bring the resource to its end.", cure: "Look after network and server.")
    }

    private static func code(status: Int) -> Int {
        switch status {
        case 401, 407: NSURLErrorUserAuthenticationRequired
        case 403: NSURLErrorNoPermissionsToReadFile
        case 404, 410: NSURLErrorFileDoesNotExist
        default: NSURLErrorBadServerResponse
        }
    }

    private static func code(result: Int32) -> Int {
        switch result {
        case 1: NSURLErrorUnsupportedURL
        case 3: NSURLErrorBadURL
        case 5, 6: NSURLErrorCannotFindHost
        case 7: NSURLErrorCannotConnectToHost
        case 18, 52, 55, 56, 92: NSURLErrorNetworkConnectionLost
        case 28: NSURLErrorTimedOut
        case 35: NSURLErrorSecureConnectionFailed
        case 47: NSURLErrorHTTPTooManyRedirects
        case 51, 60: NSURLErrorServerCertificateUntrusted
        case 61, 8: NSURLErrorCannotParseResponse
        default: NSURLErrorUnknown
        }
    }
}
