"""Geometry of other formats as scenes: Wavefront OBJ, IFC (ossicle[ifc]) and USD (ossicle[usd]).

    scene = ossicle.convert.scene("house.ifc", materials={"Concrete - Cast": "concrete", "Glass": "glass_window"})
    scene.listener("me", (2, 1.6, -3))

A material is one that `ossicle.materials()` lists, also by a name that modelling programs lengthen: ``Brick_01``. `materials` says
what the others are, "*" for all that it does not name; what is left is concrete, which `ossicle lint` remarks on.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional

import numpy as np

from ._errors import MissingLibrary, SceneError, refused
from ._sound import PathLike
from .scene import Scene


class Part(NamedTuple):
    """Triangles of an object, in metres with y up, and the name of each triangle's material."""

    name: str
    vertices: np.ndarray
    triangles: np.ndarray
    materials: List[str]


def scene(
    path: PathLike,
    *,
    materials: Optional[Mapping[str, str]] = None,
    units: Optional[float] = None,
    **engine: Any,
) -> Scene:
    """The geometry of a file as a scene without sounds.

    Args:
        path: ``.obj``, ``.ifc``, ``.usd``, ``.usda``, ``.usdc``, ``.usdz``.
        materials: What the file's materials are; "*" for those that are not named. Faces without a material are concrete.
        units: Metres of one unit; otherwise what the file says, and 1 for OBJ.
        engine: As for `Scene`.

    Raises:
        MissingLibrary: the package that reads such files is not there.
        SceneError: the file cannot be read, or holds no triangles.
    """
    ending = Path(path).suffix.lower()
    if ending not in _READERS:
        raise refused(str(path), f"ends in “{ending}”", f"formats are {', '.join(_READERS)}", "export it as one of these")
    if not Path(path).is_file():
        raise refused(str(path), "cannot be opened", "a scene is a file that you may read", "check the path", SceneError)
    names = dict(materials or {})
    made, count = Scene(**engine), 0
    for part in _READERS[ending](Path(path), units):
        if not len(part.triangles):
            continue
        kinds = list(dict.fromkeys(part.materials))
        chosen = np.array([kinds.index(name) for name in part.materials])
        known = [names.get(kind, names.get("*", kind)) or "concrete" for kind in kinds]
        made.mesh(part.name, part.vertices, part.triangles, known, chosen)
        count += 1
    if not count:
        raise refused(str(path), "holds no triangles", "a scene is made of surfaces", "export faces", SceneError)
    return made


def _upright(points: np.ndarray) -> np.ndarray:
    """From z up to y up."""
    return np.column_stack([points[:, 0], points[:, 2], -points[:, 1]])


def _fan(corners: List[int]) -> List[tuple]:
    return [(corners[0], corners[at], corners[at + 1]) for at in range(1, len(corners) - 1)]


def _obj(path: Path, units: Optional[float]) -> Iterator[Part]:
    vertices: List[List[float]] = []
    objects: Dict[str, tuple] = {}
    name, material = path.stem, ""
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        words = line.split("#")[0].split()
        try:
            if not words:
                continue
            if words[0] == "v":
                vertices.append([float(word) for word in words[1:4]])
            elif words[0] in ("o", "g"):
                name = " ".join(words[1:]) or name
            elif words[0] == "usemtl":
                material = " ".join(words[1:])
            elif words[0] == "f":
                numbers = [int(word.split("/")[0]) for word in words[1:]]
                corners = [at - 1 if at > 0 else len(vertices) + at for at in numbers]
                triangles, kinds = objects.setdefault(name, ([], []))
                triangles += _fan(corners)
                kinds += [material] * (len(corners) - 2)
        except ValueError:
            raise refused(
                f"{path}, line {number}", f"is “{line[:40]}”", "a face names vertices by number", "export it again",
                SceneError) from None
    points = np.array(vertices, dtype=float).reshape(-1, 3) * (units or 1)
    for name, (triangles, kinds) in objects.items():
        corners = np.array(triangles, dtype=int).reshape(-1, 3)
        if len(corners) and (corners.min() < 0 or corners.max() >= len(points)):
            raise refused(
                f"{path}, object “{name}”", "has faces of vertices that are not there",
                f"there are {len(points)} vertices", "export it again", SceneError)
        used, renumbered = np.unique(corners, return_inverse=True)
        yield Part(name, points[used], renumbered.reshape(-1, 3), kinds)


def _ifc(path: Path, units: Optional[float]) -> Iterator[Part]:
    try:
        import ifcopenshell
        import ifcopenshell.geom
    except ImportError:
        raise MissingLibrary(f"{path} needs IfcOpenShell: pip install ossicle[ifc].") from None
    try:
        file = ifcopenshell.open(str(path))
    except Exception as error:
        raise refused(str(path), f"cannot be read ({error})", "it is an IFC file", "export it again", SceneError) from None
    settings = ifcopenshell.geom.settings()
    settings.set("use-world-coords", True)
    # Rooms and holes are not made of anything.
    hollow = [kind for kind in ("IfcSpace", "IfcOpeningElement") if file.by_type(kind)]
    shapes = ifcopenshell.geom.iterator(settings, file, 1, exclude=hollow) if hollow else (
        ifcopenshell.geom.iterator(settings, file, 1))
    if not shapes.initialize():
        return
    while True:
        shape = shapes.get()
        points = np.array(shape.geometry.verts, dtype=float).reshape(-1, 3) * (units or 1)
        kinds = [material.name for material in shape.geometry.materials]
        yield Part(
            f"{shape.name or shape.type} {shape.guid}", _upright(points), np.array(shape.geometry.faces).reshape(-1, 3),
            [kinds[number] if 0 <= number < len(kinds) else "" for number in shape.geometry.material_ids])
        if not shapes.next():
            return


def _usd(path: Path, units: Optional[float]) -> Iterator[Part]:
    try:
        from pxr import Tf, Usd, UsdGeom, UsdShade
    except ImportError:
        raise MissingLibrary(f"{path} needs USD: pip install ossicle[usd].") from None
    try:
        stage = Usd.Stage.Open(str(path))
    except Tf.ErrorException as error:
        raise refused(str(path), f"cannot be read ({error})", "it is a USD file", "export it again", SceneError) from None
    scale = units or UsdGeom.GetStageMetersPerUnit(stage)
    lies = UsdGeom.GetStageUpAxis(stage) == UsdGeom.Tokens.z
    poses = UsdGeom.XformCache()
    for prim in stage.Traverse():
        mesh = UsdGeom.Mesh(prim)
        if not mesh or not mesh.GetPointsAttr().Get():
            continue
        local = np.array(mesh.GetPointsAttr().Get(), dtype=float)
        pose = np.array(poses.GetLocalToWorldTransform(prim))
        points = (np.column_stack([local, np.ones(len(local))]) @ pose)[:, :3] * scale
        corners, triangles, at = list(mesh.GetFaceVertexIndicesAttr().Get() or []), [], 0
        for count in mesh.GetFaceVertexCountsAttr().Get() or []:
            triangles += _fan(corners[at:at + count])
            at += count
        # A pose that mirrors, or left-handed faces, turn the mesh inside out.
        turned = mesh.GetOrientationAttr().Get() == UsdGeom.Tokens.leftHanded
        if turned != (np.linalg.det(pose[:3, :3]) < 0):
            triangles = [(a, c, b) for a, b, c in triangles]
        bound = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()[0]
        name = bound.GetPrim().GetName() if bound else ""
        yield Part(
            str(prim.GetPath()), _upright(points) if lies else points, np.array(triangles).reshape(-1, 3),
            [name] * len(triangles))


_READERS: Dict[str, Callable[[Path, Optional[float]], Iterator[Part]]] = {
    ".obj": _obj, ".ifc": _ifc, ".usd": _usd, ".usda": _usd, ".usdc": _usd, ".usdz": _usd,
}
