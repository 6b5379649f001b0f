// Writes a source of `Float` types again for `Double`: double-sources <input> <output>.
//
// simd has each matrix, quaternion and function for both scalars, under names that differ in the scalar alone. Generic
// declarations would not do: clients extend each type by itself, and literals take their type from the function's name.

import Foundation

let names = [
    ("simd_float", "simd_double"), ("simd_make_float", "simd_make_double"), ("quatf", "quatd"), ("Float", "Double"),
]

guard CommandLine.arguments.count == 3 else { fatalError("usage: double-sources <input> <output>") }
let (input, output) = (CommandLine.arguments[1], CommandLine.arguments[2])
let source = try String(contentsOfFile: input, encoding: .utf8)
let twin = names.reduce(source) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
try twin.write(toFile: output, atomically: true, encoding: .utf8)
