// The scene in three dimensions: lines, triangles and points by WebGL, with a camera that circles what it looks at.

import { areDense, colours, current, fitted, forEachPath, forEachRay, rampPlace, rgb as bytesOf, selectedSource, settle, settled, state } from "./state.js";
import { levels } from "./plan.js";

const canvas = document.getElementById("space");
const labels = document.getElementById("labels");
const camera = { heading: 0.7, height: 0.85, distance: 12, target: [0, 1, 0], isFree: false };
let gl = null, program = null, places = {}, buffers = {}, walls = { geometry: null };
let kept = { key: null, count: 0 };
let drag = null;

const vertexSource = `attribute vec3 position; attribute vec4 colour; attribute float size;
uniform mat4 camera; varying vec4 shade;
void main() { gl_Position = camera * vec4(position, 1.0); gl_PointSize = size; shade = colour; }`;
const fragmentSource = `precision mediump float; varying vec4 shade; uniform float round;
void main() { if (round > 0.5 && length(gl_PointCoord - 0.5) > 0.5) discard; gl_FragColor = vec4(shade.rgb * shade.a, shade.a); }`;

export function canDrawSpace() {
  if (gl) return true;
  gl = canvas.getContext("webgl", { antialias: true, premultipliedAlpha: true });
  if (!gl) return false;
  const shader = (kind, text) => { const made = gl.createShader(kind); gl.shaderSource(made, text); gl.compileShader(made); gl.attachShader(program, made); };
  program = gl.createProgram();
  shader(gl.VERTEX_SHADER, vertexSource);
  shader(gl.FRAGMENT_SHADER, fragmentSource);
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) { gl = null; return false; }
  for (const name of ["position", "colour", "size"]) places[name] = gl.getAttribLocation(program, name);
  for (const name of ["camera", "round"]) places[name] = gl.getUniformLocation(program, name);
  for (const name of ["faces", "edges", "settled", "paths", "points"]) buffers[name] = gl.createBuffer();
  return true;
}

// As shaders take it: 0 to 1.
const parsed = new Map();
function rgb(text) {
  if (!parsed.has(text)) parsed.set(text, bytesOf(text).map((part) => part / 255));
  return parsed.get(text);
}

// Vertices on their way to a buffer, in memory that is used again with every picture. Eight numbers a vertex: place,
// colour, size.
const batches = {};
function batch(name) {
  batches[name] ??= { data: new Float32Array(8192), used: 0 };
  batches[name].used = 0;
  return batches[name];
}

function vertex(list, x, y, z, colour, alpha, size = 1) {
  if (list.used + 8 > list.data.length) {
    const larger = new Float32Array(2 * list.data.length);
    larger.set(list.data);
    list.data = larger;
  }
  const { data, used } = list;
  data[used] = x; data[used + 1] = y; data[used + 2] = z;
  data[used + 3] = colour[0]; data[used + 4] = colour[1]; data[used + 5] = colour[2];
  data[used + 6] = alpha; data[used + 7] = size;
  list.used = used + 8;
}

function prepareWalls(geometry, c) {
  if (walls.geometry === geometry && walls.wall === c.wall) return;
  const faces = batch("faces"), edges = batch("edges");
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const [bodies, colour, alpha] of [[geometry.walls, rgb(c.wall), 0.05], [geometry.zones, rgb(c.accent), 0.045]]) {
    for (const body of bodies) {
      const known = new Map();
      const t = body.triangles;
      for (let i = 0; i < t.length; i += 9) {
        const normal = normalOf(t, i);
        for (let k = 0; k < 3; k += 1) {
          const a = i + 3 * k, b = i + 3 * ((k + 1) % 3);
          vertex(faces, t[a], t[a + 1], t[a + 2], colour, alpha);
          for (let axis = 0; axis < 3; axis += 1) { box[axis] = Math.min(box[axis], t[a + axis]); box[axis + 3] = Math.max(box[axis + 3], t[a + axis]); }
          const ends = [name(t, a), name(t, b)].sort();
          const key = ends.join("|");
          // Where two triangles lie in one plane there is no edge to see.
          const other = known.get(key);
          if (other === undefined) known.set(key, { a, b, normal, isSeen: true });
          else other.isSeen = Math.abs(other.normal[0] * normal[0] + other.normal[1] * normal[1] + other.normal[2] * normal[2]) < 0.999;
        }
      }
      for (const edge of known.values()) {
        if (!edge.isSeen) continue;
        for (const end of [edge.a, edge.b]) vertex(edges, t[end], t[end + 1], t[end + 2], colour, bodies === geometry.zones ? 0.35 : 0.5);
      }
    }
  }
  upload(buffers.faces, faces);
  upload(buffers.edges, edges);
  walls = { geometry, wall: c.wall, faces: faces.used / 8, edges: edges.used / 8, box: box[0] <= box[3] ? box : null };
}

const name = (t, i) => `${Math.round(t[i] * 1000)},${Math.round(t[i + 1] * 1000)},${Math.round(t[i + 2] * 1000)}`;

function normalOf(t, i) {
  const u = [t[i + 3] - t[i], t[i + 4] - t[i + 1], t[i + 5] - t[i + 2]], v = [t[i + 6] - t[i], t[i + 7] - t[i + 1], t[i + 8] - t[i + 2]];
  const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const length = Math.hypot(...n) || 1;
  return n.map((part) => part / length);
}

function upload(buffer, list) {
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, list.data.subarray(0, list.used), gl.DYNAMIC_DRAW);
}

function draw(buffer, mode, count, isRound = 0) {
  if (!count) return;
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  for (const [place, parts, offset] of [[places.position, 3, 0], [places.colour, 4, 12], [places.size, 1, 28]]) {
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, parts, gl.FLOAT, false, 32, offset);
  }
  gl.uniform1f(places.round, isRound);
  gl.drawArrays(mode, 0, count);
}

export function fitSpace() { camera.isFree = false; }

function aim(scene) {
  if (camera.isFree) return;
  const box = walls.box ? [...walls.box] : [-1, 0, -1, 1, 2, 1];
  for (const object of scene.sources.concat(scene.listeners)) {
    for (let axis = 0; axis < 3; axis += 1) { box[axis] = Math.min(box[axis], object.position[axis]); box[axis + 3] = Math.max(box[axis + 3], object.position[axis]); }
  }
  camera.target = [0, 1, 2].map((axis) => (box[axis] + box[axis + 3]) / 2);
  camera.distance = 1.2 * Math.max(Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]), 2);
}

// The camera's matrix by columns, as WebGL takes it.
function matrix(size) {
  const [ch, sh, cp, sp] = [Math.cos(camera.heading), Math.sin(camera.heading), Math.cos(camera.height), Math.sin(camera.height)];
  const back = [sh * cp, sp, ch * cp];
  const eye = camera.target.map((value, axis) => value + back[axis] * camera.distance);
  const right = [ch, 0, -sh];
  const up = [back[1] * right[2] - back[2] * right[1], back[2] * right[0] - back[0] * right[2], back[0] * right[1] - back[1] * right[0]];
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const zoom = 1 / Math.tan(0.45), aspect = size.width / size.height, narrow = Math.min(aspect, 1);
  const [near, far] = [camera.distance / 100, camera.distance * 20];
  const depth = (far + near) / (near - far), shift = (2 * far * near) / (near - far);
  const rows = [right.map((v) => (v * zoom * narrow) / aspect), up.map((v) => v * zoom * narrow), back];
  const offset = [-dot(rows[0], eye), -dot(rows[1], eye), -dot(back, eye)];
  return [
    rows[0][0], rows[1][0], back[0] * depth, -back[0], rows[0][1], rows[1][1], back[1] * depth, -back[1],
    rows[0][2], rows[1][2], back[2] * depth, -back[2], offset[0], offset[1], offset[2] * depth + shift, -offset[2],
  ];
}

export function drawSpace() {
  const size = fitted(canvas);
  const moment = current();
  const scene = moment && moment.frame.scene;
  if (!size || !scene || !gl) return;
  const c = colours();
  prepareWalls(moment.geometry ?? { walls: [], zones: [] }, c);
  aim(scene);
  const view = matrix(size);
  gl.viewport(0, 0, canvas.width, canvas.height);
  gl.clearColor(...rgb(c.panel), 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.useProgram(program);
  gl.uniformMatrix4fv(places.camera, false, view);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  gl.disable(gl.DEPTH_TEST);
  draw(buffers.faces, gl.TRIANGLES, walls.faces);
  draw(buffers.edges, gl.LINES, walls.edges);
  const chosen = selectedSource(scene);
  const { paths, rays } = moment, lines = batch("lines"), ramp = c.ramp.map(rgb);
  if (state.filters.rays) {
    forEachRay(rays, (start, count) => {
      for (let i = start + 4; i < start + 4 * count; i += 4) {
        const colour = ramp[rampPlace(rays[i + 3])];
        vertex(lines, rays[i - 4], rays[i - 3], rays[i - 2], colour, 0.5);
        vertex(lines, rays[i], rays[i + 1], rays[i + 2], colour, 0.5);
      }
    });
  }
  settle(paths);
  const key = [settled.version, chosen, ...Object.values(state.filters), c.ramp.join(), areDense(paths)].join("|");
  if (kept.key !== key) {
    const still = batch("settled");
    addPaths(still, paths, true, chosen, ramp);
    upload(buffers.settled, still);
    kept = { key, count: still.used / 8 };
  }
  draw(buffers.settled, gl.LINES, kept.count);
  addPaths(lines, paths, false, chosen, ramp);
  upload(buffers.paths, lines);
  draw(buffers.paths, gl.LINES, lines.used / 8);
  drawObjects(scene, chosen, size, c, view);
}

// Those that are settled, which stay in a buffer, or those that are not.
function addPaths(list, paths, areSettled, chosen, ramp) {
  const isDense = areDense(paths);
  for (const [pair, age] of settled.ages) {
    if (age.isSettled !== areSettled) continue;
    const { rows } = pair, share = chosen === null || chosen === pair.source ? 0.9 : 0.12;
    forEachPath(pair, (kind, level, start, end) => {
      const alpha = share * (kind === 0 ? 1 : isDense ? 0.3 : 0.75), colour = ramp[rampPlace(level)];
      for (let i = start; i + 3 < end; i += 3) {
        vertex(list, rows[i], rows[i + 1], rows[i + 2], colour, alpha);
        vertex(list, rows[i + 3], rows[i + 4], rows[i + 5], colour, alpha);
      }
    });
  }
}

function drawObjects(scene, chosen, size, c, view) {
  const points = batch("points"), sticks = batch("sticks");
  const loudness = levels(scene);
  const many = scene.sources.length > 24;
  for (const source of scene.sources) {
    const [x, y, z] = source.position;
    const { gain, now: level } = loudness.get(source.id) ?? { gain: -200, now: -200 };
    const share = Math.min(Math.max((level + 60) / 60, 0), 1);
    if (level > -90) vertex(points, x, y, z, rgb(c.ramp[rampPlace(level)]), 0.3, ((many ? 9 : 16) + 22 * share) * size.ratio);
    vertex(points, x, y, z, rgb(source.id === chosen ? c.accent : gain > -90 ? c.ink : c.faint), 1, (many ? 7 : 11) * size.ratio);
    if (source.directivity) {
      vertex(sticks, x, y, z, rgb(c.accent), 0.9);
      vertex(sticks, x + source.forward[0] * 0.5, y + source.forward[1] * 0.5, z + source.forward[2] * 0.5, rgb(c.accent), 0.9);
    }
  }
  for (const listener of scene.listeners) {
    const [x, y, z] = listener.position;
    vertex(points, x, y, z, rgb(c.warm), 1, 19 * size.ratio);
    for (const [axis, length] of [[listener.forward, 0.45], [listener.up, 0.25]]) {
      vertex(sticks, x, y, z, rgb(c.warm), 1);
      vertex(sticks, x + axis[0] * length, y + axis[1] * length, z + axis[2] * length, rgb(c.warm), 1);
    }
  }
  upload(buffers.points, sticks);
  draw(buffers.points, gl.LINES, sticks.used / 8);
  upload(buffers.points, points);
  draw(buffers.points, gl.POINTS, points.used / 8, 1);
  drawLabels(scene, chosen, many, c, view);
}

function drawLabels(scene, chosen, many, c, view) {
  const size = fitted(labels);
  if (!size) return;
  const pen = labels.getContext("2d");
  pen.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
  pen.clearRect(0, 0, size.width, size.height);
  pen.textAlign = "center";
  pen.lineJoin = "round";
  const write = (object, colour) => {
    const [x, y, z] = object.position;
    const w = view[3] * x + view[7] * y + view[11] * z + view[15];
    if (w <= 0) return;
    const px = (0.5 + (view[0] * x + view[4] * y + view[8] * z + view[12]) / w / 2) * size.width;
    const py = (0.5 - (view[1] * x + view[5] * y + view[9] * z + view[13]) / w / 2) * size.height;
    pen.font = `600 12px ${c.font}`;
    pen.lineWidth = 3.5;
    pen.strokeStyle = c.panel;
    pen.strokeText(object.name, px, py + 24);
    pen.fillStyle = colour;
    pen.fillText(object.name, px, py + 24);
  };
  for (const source of scene.sources) if (!many || source.id === chosen) write(source, source.id === chosen ? c.accent : c.ink);
  for (const listener of scene.listeners) write(listener, c.warm);
}

// MARK: Hands

canvas.addEventListener("pointerdown", (event) => { drag = [event.clientX, event.clientY]; canvas.setPointerCapture(event.pointerId); });
canvas.addEventListener("pointermove", (event) => {
  if (!drag) return;
  turn((event.clientX - drag[0]) * -0.008, (event.clientY - drag[1]) * 0.008);
  drag = [event.clientX, event.clientY];
});
canvas.addEventListener("pointerup", () => { drag = null; });
canvas.addEventListener("wheel", (event) => { event.preventDefault(); zoom(Math.exp(event.deltaY * 0.0012)); }, { passive: false });
canvas.addEventListener("keydown", (event) => {
  const turns = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
  if (turns[event.key]) { event.preventDefault(); turn(...turns[event.key]); }
  if (event.key === "+" || event.key === "=") zoom(0.85);
  if (event.key === "-") zoom(1.18);
});

function turn(heading, height) {
  camera.heading += heading;
  camera.height = Math.min(Math.max(camera.height + height, 0.05), 1.55);
}

function zoom(factor) {
  camera.isFree = true;
  camera.distance = Math.min(Math.max(camera.distance * factor, 0.5), 2000);
}
