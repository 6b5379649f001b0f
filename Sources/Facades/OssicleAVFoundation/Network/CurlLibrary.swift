// libcurl, found when a program first opens an address.

import CCurl
import Foundation

/// libcurl's functions. Loaded at run time: a program links and starts without the library. Any thread.
struct CurlLibrary: @unchecked Sendable {
    /// `nil` where it is not installed.
    static let shared = CurlLibrary()

    let setOption: UnsafeMutableRawPointer
    let getInfo: UnsafeMutableRawPointer
    let makeHandle: @convention(c) () -> UnsafeMutableRawPointer?
    let freeHandle: @convention(c) (UnsafeMutableRawPointer) -> Void
    let perform: @convention(c) (UnsafeMutableRawPointer) -> Int32
    let append: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>) -> UnsafeMutableRawPointer?
    let freeList: @convention(c) (UnsafeMutableRawPointer?) -> Void
    private let describe: @convention(c) (Int32) -> UnsafePointer<CChar>?

    private typealias Begin = @convention(c) (Int) -> Int32
    private static let everything = 3

    private init?() {
        let names = ["libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.4.dylib"]
        guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else { return nil }
        func find<Function>(_ name: String, _ type: Function.Type) -> Function? {
            dlsym(library, name).map { unsafeBitCast($0, to: type) }
        }
        guard let begin = find("curl_global_init", Begin.self), begin(Self.everything) == 0,
            let setOption = dlsym(library, "curl_easy_setopt"), let getInfo = dlsym(library, "curl_easy_getinfo"),
            let makeHandle = find("curl_easy_init", type(of: makeHandle)),
            let freeHandle = find("curl_easy_cleanup", type(of: freeHandle)),
            let perform = find("curl_easy_perform", type(of: perform)),
            let append = find("curl_slist_append", type(of: append)),
            let freeList = find("curl_slist_free_all", type(of: freeList)),
            let describe = find("curl_easy_strerror", type(of: describe))
        else { return nil }
        self.setOption = setOption
        self.getInfo = getInfo
        self.makeHandle = makeHandle
        self.freeHandle = freeHandle
        self.perform = perform
        self.append = append
        self.freeList = freeList
        self.describe = describe
    }

    /// What a result means, in libcurl's words.
    func text(_ result: Int32) -> String { describe(result).map { String(cString: $0) } ?? "error \(result)" }
}

/// The numbers of libcurl's options that are used here.
enum CurlOption {
    static let receiver: Int32 = 10_001
    static let url: Int32 = 10_002
    static let writeFunction: Int32 = 20_011
    static let userAgent: Int32 = 10_018
    static let headers: Int32 = 10_023
    static let headerReceiver: Int32 = 10_029
    static let hidesProgress: Int32 = 43
    static let followsRedirects: Int32 = 52
    static let watcher: Int32 = 10_057
    static let mostRedirects: Int32 = 68
    static let connectTimeout: Int32 = 78
    static let headerFunction: Int32 = 20_079
    static let noSignals: Int32 = 99
    static let protocols: Int32 = 181
    static let redirectProtocols: Int32 = 182
    static let watchFunction: Int32 = 20_219
    /// HTTP and HTTPS, as `protocols` counts.
    static let web = 3
}
