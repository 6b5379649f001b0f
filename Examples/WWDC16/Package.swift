// swift-tools-version:6.2
import PackageDescription

// Clients of files, converters and the C interfaces beneath them, after what WWDC16 session 507 says they are for.
// SWIFT_MODE=5 or 6 picks the language mode of everything in here.
let mode: SwiftLanguageMode = Context.environment["SWIFT_MODE"] == "5" ? .v5 : .v6

func example(_ name: String) -> Target {
    .executableTarget(name: name, dependencies: [.product(name: "Workbench", package: "WWDC14"), .product(name: "AVFoundation", package: "Ossicle")])
}

let package = Package(
    name: "WWDC16",
    traits: ["FFmpeg", .default(enabledTraits: [])],
    dependencies: [
        .package(name: "Ossicle", path: "../..", traits: [.defaults, .trait(name: "FFmpeg", condition: .when(traits: ["FFmpeg"]))]),
        .package(path: "../WWDC14", traits: [.trait(name: "FFmpeg", condition: .when(traits: ["FFmpeg"]))]),
    ],
    targets: [example("SpeechFile"), example("RadioStream"), example("TapeCopy")],
    swiftLanguageModes: [mode]
)
