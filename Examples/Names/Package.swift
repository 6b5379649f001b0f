// swift-tools-version:6.2
import PackageDescription

// Libraries that extend Apple's classes and subclass them, with members that Ossicle has too, and a program that uses both: the libraries' are meant.
// SWIFT_MODE=5 or 6 picks the language mode of everything in here.
let mode: SwiftLanguageMode = Context.environment["SWIFT_MODE"] == "5" ? .v5 : .v6

let package = Package(
    name: "Names",
    traits: ["FFmpeg", .default(enabledTraits: [])],
    dependencies: [.package(name: "Ossicle", path: "../..", traits: [.defaults, .trait(name: "FFmpeg", condition: .when(traits: ["FFmpeg"]))])],
    targets: [
        .target(name: "Wrapper", dependencies: [.product(name: "AVFAudio", package: "Ossicle"), .product(name: "PHASE", package: "Ossicle")]),
        .target(name: "Subclasses", dependencies: [.product(name: "AVFAudio", package: "Ossicle")]),
        .executableTarget(name: "SameNames", dependencies: ["Wrapper", "Subclasses", .product(name: "AVFAudio", package: "Ossicle"), .product(name: "PHASE", package: "Ossicle")],
                          swiftSettings: [.treatAllWarnings(as: .error)]),
    ],
    swiftLanguageModes: [mode]
)
