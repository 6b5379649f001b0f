import Foundation
import Kit
import PHASE

/// A recording of the head's motion, as Ossicle reads it: a header, then a pose a line in a listener's axes (X right, Y
/// up, Z back).
struct MotionLog {
    let url: URL
    let poses: [(time: Double, orientation: simd_quatd)]

    /// Writes what the head will do, as a tracker would have recorded it, and reads it again.
    init(in folder: SoundFolder) throws {
        url = folder.url.appendingPathComponent("head.csv")
        let lines = (0...Int(Outing.seconds * Double(Outing.framesPerSecond))).map { frame in
            let time = Double(frame) / Double(Outing.framesPerSecond)
            let q = Outing.head(at: time).vector
            return "\(time),0,0,0,\(q.x),\(q.y),\(q.z),\(q.w)"
        }
        try (["time,x,y,z,qx,qy,qz,qw"] + lines).joined(separator: "\n").write(
            to: url, atomically: true, encoding: .utf8)
        poses = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").dropFirst().map { line in
            let numbers = line.split(separator: ",").compactMap { Double($0) }
            guard numbers.count == 8 else { throw Failure("“\(line)” is no pose") }
            return (numbers[0], simd_quatd(ix: numbers[4], iy: numbers[5], iz: numbers[6], r: numbers[7]))
        }
    }
}
