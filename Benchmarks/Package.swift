// swift-tools-version:6.2
import Foundation
import PackageDescription

// What the engine costs, in a package of its own so that no client pays for it. Numbers are printed, never asserted.
// The acoustics are measured from within, by `@testable import`, which the flags of Scripts/build-flags allow.
// Where OpenAL Soft is installed (Debian: libopenal-dev), the same scene runs on it as well, for comparison.
let hasRival = FileManager.default.fileExists(atPath: "/usr/include/AL/alext.h")
let rival: [Target] =
    hasRival ? [.systemLibrary(name: "COpenAL", pkgConfig: "openal", providers: [.apt(["libopenal-dev"])])] : []

let package = Package(
    name: "Benchmarks",
    traits: ["SystemLibraries", "FFmpeg", "FluidSynthSounds", .default(enabledTraits: [])],
    dependencies: [
        // The default trait by its name: `.defaults` defines one more condition, and the library would be compiled
        // again.
        .package(
            name: "Ossicle", path: "..",
            traits: [
                "SystemLibraries", .trait(name: "FFmpeg", condition: .when(traits: ["FFmpeg"])),
                .trait(name: "FluidSynthSounds", condition: .when(traits: ["FluidSynthSounds"])),
            ])
    ],
    targets: [
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                .product(name: "PHASE", package: "Ossicle"), .product(name: "AVFAudio", package: "Ossicle"),
                .product(name: "ossicle", package: "Ossicle"), .product(name: "OssicleInspector", package: "Ossicle"),
                .product(name: "OssicleResponses", package: "Ossicle"),
                .target(name: "CMalloc"),
            ] + rival.map { .target(name: $0.name) }),
        // What the C library's heap holds: its header is not part of Swift's module.
        .systemLibrary(name: "CMalloc"),
    ] + rival
)
