/// The version of this release: that of the command line, the library and the Python package.
package enum OssicleVersion {
    /// What else states a version takes it from here; the first heading of the changelog is held against it by a test.
    package static let text = "0.13.0"
}
