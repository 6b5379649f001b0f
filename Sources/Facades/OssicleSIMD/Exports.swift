// `import simd` brings the mathematics of C: `sinf`, `powf`, `M_PI` and so on. On Apple's systems simd's own header includes them.
#if canImport(Darwin)
    @_exported import Darwin
#elseif canImport(Glibc)
    @_exported import Glibc
#elseif canImport(Musl)
    @_exported import Musl
#elseif canImport(Android)
    @_exported import Android
#elseif os(Windows)
    @_exported import ucrt
#endif
