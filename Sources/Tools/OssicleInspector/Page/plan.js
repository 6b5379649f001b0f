// The scene from above: walls where a horizontal plane at the listener's height cuts them.

import { send } from "./link.js";
import { areDense, colours, current, fitted, forEachPath, forEachRay, isSelected, rampPlace, selectedSource, settle, settled, state } from "./state.js";

const canvas = document.getElementById("plan");
// What seldom changes is drawn to the ground, which is copied under the rest.
const front = canvas.getContext("2d", { alpha: false });
const ground = { canvas: document.createElement("canvas"), key: "", paths: -1, geometry: null };
let pen = front;
const view = { x: 0, z: 0, scale: 40, isFree: false };
let cuts = { key: null };
let drag = null;
export const hooks = { select: () => {} };

const toScreen = (x, z, size) => [size.width / 2 + (x - view.x) * view.scale, size.height / 2 + (z - view.z) * view.scale];
const toWorld = (px, py, size) => [(px - size.width / 2) / view.scale + view.x, (py - size.height / 2) / view.scale + view.z];

// Segments of the cut, and what of the scene lies flat, in the world's x and z.
function cut(geometry, height) {
  const key = `${geometry ? geometry.version : -1}/${geometry ? geometry.walls.length : 0}/${Math.round(height * 10)}`;
  if (cuts.key === key && cuts.geometry === geometry) return cuts;
  const segments = new Path2D(), floors = new Path2D(), rest = new Path2D(), zones = [];
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  const grow = (x, z) => { box[0] = Math.min(box[0], x); box[1] = Math.min(box[1], z); box[2] = Math.max(box[2], x); box[3] = Math.max(box[3], z); };
  for (const body of geometry ? geometry.walls : []) {
    const t = body.triangles;
    let isCut = false;
    for (let i = 0; i < t.length; i += 9) {
      const ends = [];
      for (let k = 0; k < 3; k += 1) {
        const [a, b] = [i + 3 * k, i + 3 * ((k + 1) % 3)];
        grow(t[a], t[a + 2]);
        if ((t[a + 1] > height) !== (t[b + 1] > height)) {
          const s = (height - t[a + 1]) / (t[b + 1] - t[a + 1]);
          ends.push([t[a] + s * (t[b] - t[a]), t[a + 2] + s * (t[b + 2] - t[a + 2])]);
        }
      }
      if (ends.length === 2) {
        isCut = true;
        segments.moveTo(...ends[0]);
        segments.lineTo(...ends[1]);
      } else if (Math.max(t[i + 1], t[i + 4], t[i + 7]) < height) {
        triangle(floors, t, i);
      }
    }
    if (!isCut && t.length) for (let i = 0; i < t.length; i += 9) triangle(rest, t, i);
  }
  for (const zone of geometry ? geometry.zones : []) {
    const path = new Path2D();
    let [x, z] = [0, 0];
    for (let i = 0; i < zone.triangles.length; i += 9) { triangle(path, zone.triangles, i); }
    for (let i = 0; i < zone.triangles.length; i += 3) { x += zone.triangles[i]; z += zone.triangles[i + 2]; grow(zone.triangles[i], zone.triangles[i + 2]); }
    const count = Math.max(zone.triangles.length / 3, 1);
    zones.push({ path, name: zone.name, x: x / count, z: z / count });
  }
  cuts = { key, geometry, segments, floors, rest, zones, box: box[0] <= box[2] ? box : null };
  return cuts;
}

// All triangles of a path wind alike, so that what overlaps is filled once.
function triangle(path, t, i) {
  const area = (t[i + 3] - t[i]) * (t[i + 8] - t[i + 2]) - (t[i + 6] - t[i]) * (t[i + 5] - t[i + 2]);
  const [b, c] = area > 0 ? [3, 6] : [6, 3];
  path.moveTo(t[i], t[i + 2]);
  path.lineTo(t[i + b], t[i + b + 2]);
  path.lineTo(t[i + c], t[i + c + 2]);
  path.closePath();
}

// Where a position is, in pixels of the page.
export function onScreen([x, , z]) {
  const size = fitted(canvas), box = canvas.getBoundingClientRect(), [px, py] = toScreen(x, z, size);
  return [box.left + px, box.top + py];
}

export function fit() { view.isFree = false; }

function frameAll(scene, cut, size) {
  const box = cut.box ? [...cut.box] : [-1, -1, 1, 1];
  for (const object of scene.sources.concat(scene.listeners)) {
    box[0] = Math.min(box[0], object.position[0]); box[2] = Math.max(box[2], object.position[0]);
    box[1] = Math.min(box[1], object.position[2]); box[3] = Math.max(box[3], object.position[2]);
  }
  const margin = Math.min(44, size.width / 8);
  view.x = (box[0] + box[2]) / 2;
  view.z = (box[1] + box[3]) / 2;
  view.scale = Math.min((size.width - 2 * margin) / Math.max(box[2] - box[0], 1), (size.height - 2 * margin) / Math.max(box[3] - box[1], 1), 240);
}

export function drawPlan() {
  const size = fitted(canvas);
  const moment = current();
  const scene = moment && moment.frame.scene;
  if (!size || !scene) return;
  const c = colours();
  const height = scene.listeners.length ? scene.listeners[0].position[1] : 1.2;
  const made = cut(moment.geometry, height);
  if (!view.isFree) frameAll(scene, made, size);
  settle(moment.paths);
  const chosen = selectedSource(scene);
  drawGround(made, moment.paths, chosen, size, c);
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.drawImage(ground.canvas, 0, 0);
  pen.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
  if (state.filters.rays) drawRays(moment.rays, size, c);
  drawPaths(moment.paths, false, chosen, size, c);
  pen.save();
  pen.translate(size.width / 2 - view.x * view.scale, size.height / 2 - view.z * view.scale);
  pen.scale(view.scale, view.scale);
  pen.strokeStyle = c.wall;
  pen.lineCap = "round";
  pen.lineWidth = 2.6 / view.scale;
  pen.stroke(made.segments);
  pen.restore();
  for (const zone of made.zones) {
    const [x, y] = toScreen(zone.x, zone.z, size);
    label(zone.name, x, y, size, c.accent);
  }
  const many = scene.sources.length > 24;
  const loudness = levels(scene);
  if (many) drawCrowd(scene, loudness, chosen, size, c);
  for (const source of scene.sources) if (!many || source.id === chosen) drawSource(source, loudness.get(source.id), source.id === chosen, size, c, many);
  for (const listener of scene.listeners) drawListener(listener, size, c);
}

// dB of the loudest voice of each source: what its gain chain would let through, and what sounds now.
export function levels(scene) {
  const loudest = new Map();
  for (const voice of scene.voices) {
    if (voice.source === undefined) continue;
    const known = loudest.get(voice.source) ?? { gain: -200, now: -200 };
    known.gain = Math.max(known.gain, voice.direct);
    known.now = Math.max(known.now, voice.peak === undefined ? voice.direct : Math.min(voice.peak + 6, voice.direct));
    loudest.set(voice.source, known);
  }
  return loudest;
}

function drawGrid(size, c) {
  let step = 1;
  while (step * view.scale < 34) step *= step === 2 ? 2.5 : 2;
  const [left, top] = toWorld(0, 0, size), [right, bottom] = toWorld(size.width, size.height, size);
  pen.beginPath();
  for (let x = Math.ceil(left / step) * step; x <= right; x += step) { const [px] = toScreen(x, 0, size); pen.moveTo(px, 0); pen.lineTo(px, size.height); }
  for (let z = Math.ceil(top / step) * step; z <= bottom; z += step) { const [, py] = toScreen(0, z, size); pen.moveTo(0, py); pen.lineTo(size.width, py); }
  pen.strokeStyle = c.line;
  pen.globalAlpha = 0.55;
  pen.lineWidth = 1;
  pen.stroke();
  pen.globalAlpha = 1;
  const length = step * view.scale;
  pen.strokeStyle = c.quiet;
  pen.beginPath();
  pen.moveTo(14, size.height - 14); pen.lineTo(14 + length, size.height - 14);
  pen.moveTo(14, size.height - 18); pen.lineTo(14, size.height - 10);
  pen.moveTo(14 + length, size.height - 18); pen.lineTo(14 + length, size.height - 10);
  pen.stroke();
  label(`${step} m`, 20 + length, size.height - 14, size, c.quiet, "left", 11);
}

// Rays of the late field, by what is left of them, with a point where they meet a surface.
function drawRays(rays, size, c) {
  const lines = c.ramp.map(() => new Path2D()), ends = c.ramp.map(() => new Path2D());
  const { scale } = view, left = size.width / 2 - view.x * scale, top = size.height / 2 - view.z * scale;
  forEachRay(rays, (start, count) => {
    for (let i = start + 4; i < start + 4 * count; i += 4) {
      const place = rampPlace(rays[i + 3]), x = left + rays[i] * scale, y = top + rays[i + 2] * scale;
      lines[place].moveTo(left + rays[i - 4] * scale, top + rays[i - 2] * scale);
      lines[place].lineTo(x, y);
      ends[place].rect(x - 1.5, y - 1.5, 3, 3);
    }
  });
  pen.lineWidth = 1;
  pen.globalAlpha = 0.6;
  pen.setLineDash([1, 3]);
  lines.forEach((path, place) => { pen.strokeStyle = c.ramp[place]; pen.stroke(path); });
  pen.setLineDash([]);
  pen.globalAlpha = 0.9;
  ends.forEach((path, place) => { pen.fillStyle = c.ramp[place]; pen.fill(path); });
  pen.globalAlpha = 1;
}

const dashes = { 0: [], 1: [], 2: [6, 4], 3: [2, 3] };

function drawGround(made, paths, chosen, size, c) {
  const key = [
    canvas.width, canvas.height, view.x, view.z, view.scale, chosen, ...Object.values(state.filters), c.panel, c.ink, made.key,
  ].join("|");
  if (ground.key === key && ground.paths === settled.version && ground.geometry === made.geometry) return;
  const isOther = ground.canvas.width !== canvas.width || ground.canvas.height !== canvas.height;
  if (isOther) Object.assign(ground.canvas, { width: canvas.width, height: canvas.height });
  Object.assign(ground, { key, paths: settled.version, geometry: made.geometry });
  pen = ground.canvas.getContext("2d", { alpha: false });
  pen.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
  pen.fillStyle = c.panel;
  pen.fillRect(0, 0, size.width, size.height);
  drawGrid(size, c);
  pen.save();
  pen.translate(size.width / 2 - view.x * view.scale, size.height / 2 - view.z * view.scale);
  pen.scale(view.scale, view.scale);
  pen.fillStyle = c.floor;
  pen.fill(made.floors, "nonzero");
  pen.fillStyle = c.zone;
  for (const zone of made.zones) pen.fill(zone.path, "nonzero");
  pen.fillStyle = c.track;
  pen.fill(made.rest, "nonzero");
  pen.restore();
  drawPaths(paths, true, chosen, size, c);
  pen = front;
}

// Those that are settled, which belong to the ground, or those that are not: one line for all of a kind and a colour.
function drawPaths(paths, areSettled, chosen, size, c) {
  const buckets = new Map();
  const { scale } = view, left = size.width / 2 - view.x * scale, top = size.height / 2 - view.z * scale;
  for (const [pair, age] of settled.ages) {
    if (age.isSettled !== areSettled) continue;
    const { rows } = pair, isChosen = chosen === null || chosen === pair.source ? 1 : 0;
    forEachPath(pair, (kind, level, start, end) => {
      if (isPoint(rows, start, end, scale)) return;
      const key = kind * 16 + rampPlace(level) * 2 + isChosen;
      let path = buckets.get(key);
      if (!path) { path = new Path2D(); buckets.set(key, path); }
      path.moveTo(left + rows[start] * scale, top + rows[start + 2] * scale);
      for (let p = start + 3; p < end; p += 3) path.lineTo(left + rows[p] * scale, top + rows[p + 2] * scale);
    });
  }
  const isDense = areDense(paths);
  for (const key of [...buckets.keys()].sort((a, b) => (a & 15) - (b & 15))) {
    const kind = key >> 4, place = (key & 15) >> 1, isChosen = key & 1;
    pen.strokeStyle = c.ramp[place];
    // A line of one pixel is far cheaper than a wider or a broken one, which is felt with thousands.
    pen.lineWidth = kind === 0 ? 2 : isDense ? 1 / size.ratio : 1.2;
    pen.setLineDash(isDense ? [] : dashes[kind]);
    pen.globalAlpha = (isChosen ? 0.95 : 0.16) * (isDense && kind !== 0 ? 0.35 : 1);
    pen.stroke(buckets.get(key));
  }
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

// Whether a path is no larger than a pixel.
function isPoint(rows, start, end, scale) {
  for (let p = start + 3; p < end; p += 3) {
    if (Math.abs(rows[p] - rows[start]) * scale > 1 || Math.abs(rows[p + 2] - rows[start + 2]) * scale > 1) return false;
  }
  return true;
}

// A picture that is drawn once and copied: to smooth the edges of shapes and letters costs more than a copy. At whole
// pixels of the screen, where a copy is cheapest.
const stamps = new Map();
function stamp(key, width, height, ratio, drawOn) {
  let made = stamps.get(key);
  if (!made) {
    // Names may come without end.
    if (stamps.size > 500) stamps.clear();
    made = document.createElement("canvas");
    Object.assign(made, { width: Math.ceil(width * ratio), height: Math.ceil(height * ratio) });
    const under = made.getContext("2d");
    under.scale(ratio, ratio);
    drawOn(under);
    stamps.set(key, made);
  }
  return made;
}

function press(made, x, y, ratio) {
  pen.drawImage(made, Math.round(x * ratio) / ratio, Math.round(y * ratio) / ratio, made.width / ratio, made.height / ratio);
}

const widths = new Map();
function label(text, x, y, size, colour, align = "center", points = 12, weight = 500) {
  const c = colours(), font = `${weight} ${points}px ${c.font}`, ratio = size.ratio;
  const key = `${text}|${colour}|${font}|${c.panel}|${ratio}`;
  if (!widths.has(key)) {
    if (widths.size > 500) widths.clear();
    pen.font = font;
    widths.set(key, pen.measureText(text).width);
  }
  const width = widths.get(key) + 8, height = points + 10;
  const made = stamp(key, width, height, ratio, (under) => {
    under.font = font;
    under.textAlign = "left";
    under.textBaseline = "middle";
    under.lineWidth = 3.5;
    under.lineJoin = "round";
    under.strokeStyle = c.panel;
    under.globalAlpha = 0.85;
    under.strokeText(text, 4, height / 2);
    under.globalAlpha = 1;
    under.fillStyle = colour;
    under.fillText(text, 4, height / 2);
  });
  press(made, align === "left" ? x - 4 : x - width / 2, y - height / 2, ratio);
}
function circle(x, y, radius) { pen.beginPath(); pen.arc(x, y, Math.max(radius, 0), 0, 2 * Math.PI); }

const isSilentAt = (source, level) => source.isMuted || level === undefined || level.gain < -90;

// Where there are many: a point, with what shows its level around it, as a picture that is copied.
const SIDE = 19;
function drawCrowd(scene, loudness, chosen, size, c) {
  const bodies = new Path2D(), mutes = new Path2D();
  let [hasBodies, hasMutes] = [false, false];
  for (const source of scene.sources) {
    if (source.id === chosen || !(source.radius > 0)) continue;
    const [x, y] = toScreen(source.position[0], source.position[2], size);
    hasBodies = true;
    bodies.moveTo(x + source.radius * view.scale, y);
    bodies.arc(x, y, source.radius * view.scale, 0, 2 * Math.PI);
  }
  if (hasBodies) {
    pen.globalAlpha = 0.6;
    pen.fillStyle = c.track;
    pen.fill(bodies);
    pen.globalAlpha = 1;
  }
  for (const source of scene.sources) {
    if (source.id === chosen) continue;
    const [x, y] = toScreen(source.position[0], source.position[2], size), level = loudness.get(source.id);
    if (source.isMuted) { hasMutes = true; mutes.moveTo(x - 5, y + 5); mutes.lineTo(x + 5, y - 5); }
    const isSilent = isSilentAt(source, level);
    const place = isSilent ? -1 : rampPlace(level.now);
    const steps = isSilent ? 0 : Math.round(20 * Math.min(Math.max((level.now + 60) / 60, 0), 1));
    press(point(place, steps, size, c), x - SIDE / 2, y - SIDE / 2, size.ratio);
  }
  if (!hasMutes) return;
  pen.strokeStyle = c.bad;
  pen.lineWidth = 1.6;
  pen.stroke(mutes);
}

// place: of the colour of its level, −1 for silence; steps: of a quarter of a pixel that its level adds to the radius.
function point(place, steps, size, c) {
  return stamp(`${place}|${steps}|${size.ratio}|${c.panel}|${c.ink}`, SIDE, SIDE, size.ratio, (under) => {
    const disc = (radius) => { under.beginPath(); under.arc(SIDE / 2, SIDE / 2, radius, 0, 2 * Math.PI); };
    if (place >= 0) {
      disc(3.5 + steps / 4);
      under.fillStyle = c.ramp[place];
      under.globalAlpha = 0.22;
      under.fill();
      under.globalAlpha = 1;
    }
    disc(3.5);
    under.fillStyle = place < 0 ? c.panel : c.ink;
    under.fill();
    under.lineWidth = 1.6;
    under.strokeStyle = place < 0 ? c.faint : c.panel;
    under.stroke();
  });
}

function drawSource(source, level, chosen, size, c, many) {
  const [x, y] = toScreen(source.position[0], source.position[2], size);
  if (source.cullDistance !== undefined && chosen) {
    circle(x, y, source.cullDistance * view.scale);
    pen.setLineDash([3, 5]); pen.strokeStyle = c.faint; pen.lineWidth = 1; pen.stroke(); pen.setLineDash([]);
  }
  if (source.radius > 0) { circle(x, y, source.radius * view.scale); pen.fillStyle = c.track; pen.globalAlpha = 0.6; pen.fill(); pen.globalAlpha = 1; }
  if (source.directivity && (!many || chosen)) drawDirectivity(source, x, y, c);
  const share = level === undefined ? 0 : Math.min(Math.max((level.now + 60) / 60, 0), 1);
  const isSilent = isSilentAt(source, level);
  const radius = many ? 3.5 : 5.5;
  if (!isSilent) { circle(x, y, radius + share * (many ? 5 : 13)); pen.fillStyle = c.ramp[rampPlace(level.now)]; pen.globalAlpha = 0.22; pen.fill(); pen.globalAlpha = 1; }
  circle(x, y, radius);
  pen.fillStyle = isSilent ? c.panel : chosen ? c.accent : c.ink;
  pen.fill();
  pen.lineWidth = 1.6;
  pen.strokeStyle = chosen ? c.accent : isSilent ? c.faint : c.panel;
  pen.stroke();
  if (source.isMuted) { pen.beginPath(); pen.moveTo(x - 5, y + 5); pen.lineTo(x + 5, y - 5); pen.strokeStyle = c.bad; pen.stroke(); }
  if (chosen) { circle(x, y, radius + 4); pen.strokeStyle = c.accent; pen.lineWidth = 1.6; pen.stroke(); }
  if (!many || chosen) label(source.name, x, y + radius + 12, size, chosen ? c.accent : c.ink, "center", 12, chosen ? 650 : 500);
}

function drawDirectivity(source, x, y, c) {
  const curve = source.directivity;
  const heading = Math.atan2(source.forward[2], source.forward[0]);
  pen.beginPath();
  for (let step = -18; step <= 18; step += 1) {
    const gain = curve[Math.abs(step)] ?? 1;
    const angle = heading + (step / 18) * Math.PI;
    const length = 9 + 27 * Math.min(gain, 1.5);
    const [px, py] = [x + Math.cos(angle) * length, y + Math.sin(angle) * length];
    if (step === -18) pen.moveTo(px, py); else pen.lineTo(px, py);
  }
  pen.closePath();
  pen.fillStyle = c.accent; pen.globalAlpha = 0.10; pen.fill();
  pen.globalAlpha = 0.6; pen.strokeStyle = c.accent; pen.lineWidth = 1; pen.stroke(); pen.globalAlpha = 1;
}

function drawListener(listener, size, c) {
  const [x, y] = toScreen(listener.position[0], listener.position[2], size);
  const chosen = isSelected("listener", listener.id);
  const heading = Math.atan2(listener.forward[2], listener.forward[0]);
  pen.save();
  pen.translate(x, y);
  pen.rotate(heading);
  pen.beginPath();
  pen.moveTo(17.5, 0); pen.lineTo(7, -6); pen.lineTo(7, 6); pen.closePath();
  pen.fillStyle = c.warm; pen.fill();
  for (const side of [-1, 1]) { pen.beginPath(); pen.ellipse(-0.5, side * 10, 3.8, 2.6, 0, 0, 2 * Math.PI); pen.fill(); }
  circle(0, 0, 9);
  pen.fill();
  pen.lineWidth = 2; pen.strokeStyle = c.panel; pen.stroke();
  pen.restore();
  if (chosen) { circle(x, y, 17); pen.lineWidth = 1.6; pen.strokeStyle = c.warm; pen.stroke(); }
  label(listener.name, x, y + 22, size, c.warm, "center", 12, 600);
}

// MARK: Hands

function nearest(px, py, size) {
  const scene = current()?.frame.scene;
  if (!scene) return null;
  let best = null, least = 18;
  for (const [kind, objects] of [["listener", scene.listeners], ["source", scene.sources]]) {
    for (const object of objects) {
      const [x, y] = toScreen(object.position[0], object.position[2], size);
      const distance = Math.hypot(px - x, py - y);
      if (distance < least) { least = distance; best = { kind, object }; }
    }
  }
  return best;
}

const place = (event) => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top, box]; };

canvas.addEventListener("pointerdown", (event) => {
  const [px, py, size] = place(event);
  const found = nearest(px, py, size);
  canvas.setPointerCapture(event.pointerId);
  if (found) {
    hooks.select({ kind: found.kind, id: String(found.object.id) });
    drag = { kind: found.kind, id: found.object.id, moved: false, height: found.object.position[1] };
  } else {
    drag = { from: [px, py], x: view.x, z: view.z, moved: false };
  }
});

canvas.addEventListener("pointermove", (event) => {
  const [px, py, size] = place(event);
  if (!drag) { canvas.style.cursor = nearest(px, py, size) ? "grab" : "default"; return; }
  if (drag.from) {
    if (Math.hypot(px - drag.from[0], py - drag.from[1]) < 3 && !drag.moved) return;
    drag.moved = true;
    view.isFree = true;
    view.x = drag.x - (px - drag.from[0]) / view.scale;
    view.z = drag.z - (py - drag.from[1]) / view.scale;
  } else if (!state.paused) {
    drag.moved = true;
    view.isFree = true;
    const [x, z] = toWorld(px, py, size);
    moveTo(drag.kind, drag.id, [x, drag.height, z]);
  }
});

canvas.addEventListener("pointerup", () => {
  if (drag && drag.from && !drag.moved) hooks.select(null);
  drag = null;
});

canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  const [px, py, size] = place(event);
  const [x, z] = toWorld(px, py, size);
  view.isFree = true;
  view.scale = Math.min(Math.max(view.scale * Math.exp(-event.deltaY * 0.0015), 0.5), 800);
  const [nx, nz] = toWorld(px, py, size);
  view.x += x - nx;
  view.z += z - nz;
}, { passive: false });

canvas.addEventListener("keydown", (event) => {
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const scene = current()?.frame.scene;
  if (!scene) return;
  if (event.key === "+" || event.key === "=" || event.key === "-") {
    view.isFree = true;
    view.scale = Math.min(Math.max(view.scale * (event.key === "-" ? 0.8 : 1.25), 0.5), 800);
    return;
  }
  const listener = scene.listeners.find((object) => isSelected("listener", object.id));
  const id = selectedSource(scene);
  const object = listener ?? scene.sources.find((source) => source.id === id);
  if (object && !state.paused && (event.key === "[" || event.key === "]")) {
    const heading = (Math.atan2(-object.forward[0], -object.forward[2]) * 180) / Math.PI + (event.key === "[" ? 15 : -15);
    send({ engine: state.engine, command: { action: "turn", target: { kind: listener ? "listener" : "source", id: String(object.id) }, value: heading } });
    return;
  }
  const step = steps[event.key];
  if (!step) return;
  event.preventDefault();
  const by = event.shiftKey ? 1 : 0.1;
  if (!object) { view.isFree = true; view.x += step[0] * by * 4; view.z += step[1] * by * 4; return; }
  if (state.paused) return;
  moveTo(listener ? "listener" : "source", object.id, [object.position[0] + step[0] * by, object.position[1], object.position[2] + step[1] * by]);
});

function moveTo(kind, id, position) {
  send({ engine: state.engine, command: { action: "move", target: { kind, id: String(id) }, position } });
}
