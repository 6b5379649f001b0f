"""The scenes that all programs get: x and z along the floor, y up, metres. Every surface has one absorption and one scattering in all octaves;
the air has 20 degrees, 50 % of humidity and 101.325 kPa."""

BOXES = {
    "R1": dict(size=(10, 3, 8), absorption=0.1, source=(2, 1.5, 3), listener=(7, 1.2, 5)),
    "R2": dict(size=(6, 3, 5), absorption=0.1, source=(2, 1.5, 3.5), listener=(4.2, 1.7, 1.3)),
    "R3": dict(size=(6, 3, 5), absorption=0.3, source=(2, 1.5, 3.5), listener=(4.2, 1.7, 1.3)),
}

# A thin rigid sheet of 40 m, its top at 2 m, in the open.
BARRIER = dict(source=(-3, 1.2, 0), listener=(3, 1.2, 0), top=2, reach=20, depth=30)

# Two rooms of 6 x 3 x 5 m side by side, the first twice as absorbing, joined by a doorway of full height 1 m wide in a wall of 0.1 m.
COUPLED = dict(
    size=(6, 3, 5), wall=0.1, door=1.0, absorption=(0.2, 0.05), source=(2, 1.5, 1.5),
    listeners=((4.5, 1.6, 4), (10, 1.6, 4)))


def box_faces(low, high):
    """Six quadrilaterals that look in."""
    (a, b, c), (d, e, f) = low, high
    return [
        [(a, b, c), (a, e, c), (a, e, f), (a, b, f)][::-1], [(d, b, c), (d, e, c), (d, e, f), (d, b, f)],
        [(a, b, c), (d, b, c), (d, b, f), (a, b, f)][::-1], [(a, e, c), (d, e, c), (d, e, f), (a, e, f)],
        [(a, b, c), (d, b, c), (d, e, c), (a, e, c)], [(a, b, f), (d, b, f), (d, e, f), (a, e, f)][::-1],
    ]


def floor_plan(scene):
    """The corners of both rooms and the doorway, counter-clockwise seen with x to the right and z up the page, and of each wall its room."""
    (x, _, z), wall, door = scene["size"], scene["wall"], scene["door"]
    low, high = (z - door) / 2, (z + door) / 2
    corners = [
        (0, 0), (x, 0), (x, low), (x + wall, low), (x + wall, 0), (2 * x + wall, 0), (2 * x + wall, z), (x + wall, z),
        (x + wall, high), (x, high), (x, z), (0, z)]
    return corners, [0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0]


def coupled_faces(scene):
    """Quadrilaterals that look in, and the room of each."""
    corners, rooms = floor_plan(scene)
    (x, height, z), wall, door = scene["size"], scene["wall"], scene["door"]
    faces = []
    for (a, c), (b, d), room in zip(corners, corners[1:] + corners[:1], rooms):
        faces.append(([(a, 0, c), (b, 0, d), (b, height, d), (a, height, c)], room))
    low, high = (z - door) / 2, (z + door) / 2
    for (a, c, b, d), room in zip(((0, 0, x, z), (x, low, x + wall, high), (x + wall, 0, 2 * x + wall, z)), (0, 0, 1)):
        # Strips that meet at the corners of the doorway, so that no edge ends inside another.
        cuts = [c, *(cut for cut in (low, high) if c < cut < d), d]
        for e, f in zip(cuts, cuts[1:]):
            faces.append(([(a, 0, e), (a, 0, f), (b, 0, f), (b, 0, e)], room))
            faces.append(([(a, height, e), (b, height, e), (b, height, f), (a, height, f)], room))
    return faces


def oriented(faces, inside):
    """Faces turned so that their normals (right-hand rule) look to a point for each."""
    turned = []
    for corners, towards in zip(faces, inside):
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corners[:3]
        u, v = (bx - ax, by - ay, bz - az), (cx - ax, cy - ay, cz - az)
        normal = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        middle = [sum(corner[axis] for corner in corners) / len(corners) for axis in range(3)]
        looks = sum(n * (t - m) for n, t, m in zip(normal, towards, middle))
        turned.append(corners if looks > 0 else corners[::-1])
    return turned
