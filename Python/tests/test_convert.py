import json
import tempfile
import unittest
from pathlib import Path

import numpy as np

import ossicle
import ossicle.convert
from tests.common import HOUSE, QUICK

TRIANGLE = """#usda 1.0
(
    metersPerUnit = 0.01
    upAxis = "Z"
)
def Xform "hall" {
    double3 xformOp:translate = (100, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    def Mesh "wall" (prepend apiSchemas = ["MaterialBindingAPI"]) {
        int[] faceVertexCounts = [4]
        int[] faceVertexIndices = [0, 1, 2, 3]
        point3f[] points = [(0, 0, 0), (300, 0, 0), (300, 0, 200), (0, 0, 200)]
        rel material:binding = </brick>
    }
}
def Material "brick" {}
"""


class ConversionTests(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def room(self, scene):
        scene.write(self.folder / "room.glb")
        return ossicle.Room.open(self.folder / "room.glb")

    def test_an_obj_gives_the_response_of_the_file(self):
        path = HOUSE / "Examples/Scenes/two-rooms.obj"
        ours, theirs = self.room(ossicle.convert.scene(path)), ossicle.Room.open(path)
        self.assertEqual(ours.facts["triangles"], theirs.facts["triangles"])
        found = [ossicle.rir(room, (2, 1.5, 2), (4, 1.5, 4), **QUICK) for room in (ours, theirs)]
        np.testing.assert_allclose(found[0], found[1], atol=1e-5)

    def test_usd_has_its_units_axis_pose_and_materials(self):
        try:
            import pxr  # noqa: F401
        except ImportError:
            self.skipTest("no USD here")
        path = self.folder / "hall.usda"
        path.write_text(TRIANGLE)
        scene = ossicle.convert.scene(path)
        self.assertEqual([material["name"] for material in scene.document["materials"]], ["brick"])
        facts = self.room(scene).facts
        np.testing.assert_allclose(facts["lower"], [1, 0, 0], atol=1e-6)
        np.testing.assert_allclose(facts["upper"], [4, 2, 0], atol=1e-6)

    def test_ifc_has_its_axis_and_materials(self):
        try:
            import ifcopenshell.api.context
            import ifcopenshell.api.geometry
            import ifcopenshell.api.project
            import ifcopenshell.api.root
            import ifcopenshell.api.unit
        except ImportError:
            self.skipTest("no IfcOpenShell here")
        file = ifcopenshell.api.project.create_file()
        ifcopenshell.api.root.create_entity(file, ifc_class="IfcProject", name="house")
        ifcopenshell.api.unit.assign_unit(file)
        model = ifcopenshell.api.context.add_context(file, context_type="Model")
        body = ifcopenshell.api.context.add_context(
            file, context_type="Model", context_identifier="Body", target_view="MODEL_VIEW", parent=model)
        wall = ifcopenshell.api.root.create_entity(file, ifc_class="IfcWall", name="wall")
        ifcopenshell.api.geometry.edit_object_placement(file, product=wall)
        shape = ifcopenshell.api.geometry.add_wall_representation(
            file, context=body, length=5, height=3, thickness=0.2)
        ifcopenshell.api.geometry.assign_representation(file, product=wall, representation=shape)
        # A room has no surface of its own, and is left out.
        ifcopenshell.api.root.create_entity(file, ifc_class="IfcSpace", name="hall")
        path = self.folder / "house.ifc"
        file.write(str(path))
        facts = self.room(ossicle.convert.scene(path, materials={"*": "brick"})).facts
        size = np.subtract(facts["upper"], facts["lower"])
        np.testing.assert_allclose(size, [5, 3, 0.2], atol=1e-4)

    def test_materials_are_renamed(self):
        path = self.folder / "a.obj"
        path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl Fancy\nf 1 2 3\n")
        scene = ossicle.convert.scene(path, materials={"Fancy": "glass"})
        self.assertEqual(json.loads(scene.bytes(binary=False))["materials"][0]["name"], "glass")

    def test_what_is_no_geometry_is_refused(self):
        (self.folder / "empty.obj").write_text("v 0 0 0\n")
        (self.folder / "bad.obj").write_text("f 1 2 3\n")
        for name in ("empty.obj", "bad.obj", "none.obj"):
            with self.assertRaises(ossicle.SceneError, msg=name):
                ossicle.convert.scene(self.folder / name)
        with self.assertRaises(ossicle.ArgumentError):
            ossicle.convert.scene("house.skp")
