/// An impulse response that cannot be computed or written: what is wrong, and what to do.
package struct ResponseError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
