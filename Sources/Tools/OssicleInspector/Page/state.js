// What is known of each engine, and a recording of the last minute.

import { unpack } from "./link.js";

const MOMENTS = 60 * 30;
const BYTES = 64 * 1024 * 1024;

export const state = {
  engines: new Map(),
  engine: null,          // number of the one that is shown
  selection: null,       // { kind, id }
  detail: null,
  moments: [],           // { engine, frame, paths, rays, sound, bytes }; a frame as it came, with its numbers in rows
  bytes: 0,
  paused: false,
  shown: -1,             // place in the recording while paused
  connected: false,
  filters: { direct: true, reflection: true, diffraction: true, rays: false },
  counts: { frames: 0, paths: 0, draws: 0, bytes: 0, lastFrame: 0, lastDraw: 0 },   // the last two: when, in milliseconds
  pace: null,            // what became of the program's ticks (Pace.swift)
};

export function engineOf(id) {
  if (!state.engines.has(id)) {
    state.engines.set(id, { id, value: null, frame: null, words: [], paths: { pairs: [], numbers: 0 }, rays: new Float32Array(0), stateBytes: 0, geometry: null, sound: null });
  }
  return state.engines.get(id);
}

// Words that rows of numbers refer to, as they are added; where the first is 0 there is a new table, and what was
// recorded keeps the one before.
export function noteWords({ first, words }, id) {
  const engine = engineOf(id);
  if (first === 0) engine.words = [];
  words.forEach((word, i) => { engine.words[first + i] = word; });
}

// What changes seldom, or is there to be read: it holds until the next.
export function noteState(value, id, bytes) {
  const engine = engineOf(id);
  engine.value = value;
  engine.stateBytes = bytes;
  state.counts.bytes += bytes;
}

// What moves. Its time and rows go with the state that came last.
export function noteFrame(rows, id, bytes, numbers) {
  const engine = engineOf(id);
  state.counts.frames += 1;
  state.counts.lastFrame = performance.now();
  state.counts.bytes += bytes;
  const before = engine.paths;
  if (rows.paths) engine.paths = replaced(before, unpack(rows.paths, numbers));
  if (rows.pathChanges) engine.paths = changed(before, unpack(rows.pathChanges, numbers));
  if (rows.paths || rows.pathChanges) state.counts.paths += 1;
  if (rows.sound) engine.sound = { ...rows.sound, samples: unpack(rows.sound.samples, numbers) };
  const frame = { value: engine.value, rows, numbers, words: engine.words };
  engine.frame = frame;
  if (state.paused) return;
  const moment = {
    engine: id, frame, paths: engine.paths, rays: engine.rays, sound: engine.sound,
    bytes: bytes + engine.stateBytes + (engine.paths === before ? 0 : 8 * engine.paths.pairs.length),
  };
  engine.stateBytes = 0;
  state.moments.push(moment);
  state.bytes += moment.bytes;
  while (state.moments.length > MOMENTS || (state.bytes > BYTES && state.moments.length > 1)) {
    state.bytes -= state.moments.shift().bytes;
  }
}

// The frame that was opened last: what is recorded stays as it came, which is smaller by far than objects. The objects
// are those of the frame before, with other values.
let opened = { from: null, frame: null };
const pools = { sources: [], listeners: [], voices: [] };

function open(from) {
  if (opened.from === from) return opened.frame;
  const { value, rows, numbers, words } = from;
  const frame = { ...value, time: rows.time };
  if (value.scene && rows.sourceRows) {
    frame.scene = {
      ...value.scene, sources: objects(pools.sources, rows.sourceRows, numbers, words),
      listeners: objects(pools.listeners, rows.listenerRows, numbers, words),
      voices: voices(pools.voices, rows.voiceRows, numbers, words),
    };
  }
  opened = { from, frame };
  return frame;
}

const known = (number) => (Number.isNaN(number) ? undefined : number);

function vector(into, n, at) { into[0] = n[at]; into[1] = n[at + 1]; into[2] = n[at + 2]; }

function objects(pool, rows, n, words) {
  let count = 0;
  for (let i = rows[0], end = rows[0] + rows[1]; i < end; i += 16 + n[i + 15]) {
    const one = (pool[count] ??= { position: [0, 0, 0], forward: [0, 0, 0], up: [0, 0, 0] });
    count += 1;
    one.id = n[i];
    one.name = words[n[i + 1]];
    vector(one.position, n, i + 2);
    vector(one.forward, n, i + 5);
    vector(one.up, n, i + 8);
    one.gain = n[i + 11];
    one.isMuted = (n[i + 12] & 1) !== 0;
    one.isSoloed = (n[i + 12] & 2) !== 0;
    one.radius = n[i + 13];
    one.cullDistance = known(n[i + 14]);
    one.directivity = n[i + 15] ? n.subarray(i + 16, i + 16 + n[i + 15]) : undefined;
  }
  pool.length = count;
  return pool;
}

function voices(pool, rows, n, words) {
  let count = 0;
  for (let i = rows[0], end = rows[0] + rows[1]; i < end; i += 15) {
    const one = (pool[count] ??= {});
    count += 1;
    one.id = n[i];
    one.event = words[n[i + 1]];
    one.node = words[n[i + 2]];
    one.sound = words[n[i + 3]];
    one.source = known(n[i + 4]);
    one.listener = known(n[i + 5]);
    one.group = words[n[i + 6]];
    one.state = words[n[i + 7]];
    one.position = n[i + 8];
    one.direct = n[i + 9];
    one.early = known(n[i + 10]);
    one.late = known(n[i + 11]);
    one.peak = known(n[i + 12]);
    one.distance = known(n[i + 13]);
    one.tier = words[n[i + 14]];
  }
  pool.length = count;
  return pool;
}

// Paths: { pairs, numbers }, the pairs of a source and a listener in their order, each with the rows of its paths, and
// how many numbers all of them have. A table is never changed, for the recording has it; a pair that has stayed the same
// stays the same object.
function pairsOf(rows) {
  const pairs = [];
  for (let i = 0; i + 5 <= rows.length;) {
    const from = i, source = rows[i + 1], listener = rows[i + 2];
    while (i + 5 <= rows.length && rows[i + 1] === source && rows[i + 2] === listener) i += 5 + 3 * rows[i + 4];
    pairs.push({ source, listener, rows: rows.subarray(from, i) });
  }
  return pairs;
}

const table = (pairs) => ({ pairs, numbers: pairs.reduce((sum, pair) => sum + pair.rows.length, 0) });
const isOf = (a, b) => a.source === b.source && a.listener === b.listener;
const isAhead = (a, b) => (a.source === b.source ? a.listener < b.listener : a.source < b.source);

// Of pairs that come with a kind of −1 there are no paths any more.
function changed(before, rows) {
  const pairs = [], known = before.pairs;
  let place = 0;
  for (const pair of pairsOf(rows)) {
    while (place < known.length && isAhead(known[place], pair)) { pairs.push(known[place]); place += 1; }
    if (place < known.length && isOf(known[place], pair)) place += 1;
    if (pair.rows[0] >= 0) pairs.push(pair);
  }
  for (; place < known.length; place += 1) pairs.push(known[place]);
  return table(pairs);
}

function replaced(before, rows) {
  const known = before.pairs;
  let place = 0;
  return table(pairsOf(rows).map((pair) => {
    while (place < known.length && isAhead(known[place], pair)) place += 1;
    const old = known[place];
    return old && isOf(old, pair) && isSame(old.rows, pair.rows) ? old : pair;
  }));
}

function isSame(a, b) {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false;
  return true;
}

export function noteRays(rays, id, bytes, numbers) { engineOf(id).rays = unpack(rays, numbers); }

export function noteGeometry(geometry, id, bytes, numbers) {
  for (const body of geometry.walls.concat(geometry.zones)) body.triangles = unpack(body.triangles, numbers);
  engineOf(id).geometry = geometry;
}

// The moment that is shown: the newest, or the one in the recording.
export function current() {
  const engine = state.engines.get(state.engine);
  if (!engine || !engine.frame) return null;
  let moment = engine;
  if (state.paused && state.moments.length) {
    const place = Math.min(Math.max(state.shown, 0), state.moments.length - 1);
    moment = state.moments[place];
    for (let i = place; moment.engine !== engine.id && i > 0; i -= 1) moment = state.moments[i];
  }
  return { engine: engine.id, frame: open(moment.frame), paths: moment.paths, rays: moment.rays, sound: moment.sound, geometry: engine.geometry };
}
state.current = current;

export function isSelected(kind, id) {
  return state.selection !== null && state.selection.kind === kind && state.selection.id === String(id);
}

// Of a selection that is a source, or a voice of one.
export function selectedSource(scene) {
  if (!state.selection || !scene) return null;
  if (state.selection.kind === "source") return Number(state.selection.id);
  if (state.selection.kind !== "voice") return null;
  const voice = scene.voices.find((voice) => String(voice.id) === state.selection.id);
  return voice && voice.source !== undefined ? voice.source : null;
}

// Each path of a pair that is shown: kind, level, where its points begin in the pair's rows, and where they end.
export function forEachPath({ rows }, body) {
  for (let i = 0; i < rows.length;) {
    const start = i + 5;
    i = start + 3 * rows[i + 4];
    if (isShown(rows[start - 5])) body(rows[start - 5], rows[start - 2], start, i);
  }
}

// So many that they are drawn thinner.
export const areDense = (paths) => paths.numbers > 6000;

// Pairs that have stayed the same for a while are settled: what is drawn of them is kept. All that are ready at once,
// for it is drawn anew then.
const UNTIL_SETTLED = 15;
export const settled = { pairs: null, ages: new Map(), version: 0, picture: 0 };

// With every picture.
export function settle({ pairs }) {
  settled.picture += 1;
  if (settled.pairs !== pairs) {
    const ages = new Map();
    for (const pair of pairs) ages.set(pair, settled.ages.get(pair) ?? { since: settled.picture, isSettled: false });
    for (const [pair, age] of settled.ages) if (age.isSettled && !ages.has(pair)) settled.version += 1;
    Object.assign(settled, { pairs, ages });
  }
  if (settled.picture % UNTIL_SETTLED !== 0) return;
  for (const age of settled.ages.values()) {
    if (age.isSettled || settled.picture - age.since < UNTIL_SETTLED) continue;
    age.isSettled = true;
    settled.version += 1;
  }
}

// Each ray: listener, its points with the level on the way to each.
export function forEachRay(rays, body) {
  for (let i = 0; i + 2 <= rays.length;) {
    const count = rays[i + 1];
    body(i + 2, count);
    i += 2 + 4 * count;
  }
}

function isShown(kind) {
  if (kind === 0) return state.filters.direct;
  if (kind === 1) return state.filters.reflection;
  return state.filters.diffraction || (kind === 3 && state.filters.reflection);
}

export const words = {
  level: (value) => (value === undefined || value === null || value <= -120 ? "−∞" : value.toFixed(1).replace("-0.0", "0.0").replace("-", "−")),
  metres: (value) => (value === undefined || value === null ? "" : `${value.toFixed(value < 10 ? 2 : 1)} m`),
};

// Colours of the page, as the scheme has them, and its font: asked for once, because asking makes the page work out its styles.
let palette = null;
export function colours() {
  if (palette) return palette;
  const style = getComputedStyle(document.documentElement);
  const get = (name) => style.getPropertyValue(`--${name}`).trim();
  palette = { ramp: [0, 1, 2, 3, 4, 5].map((i) => get(`l${i}`)), font: getComputedStyle(document.body).fontFamily };
  for (const name of ["ground", "panel", "line", "ink", "quiet", "faint", "accent", "warm", "bad", "wall", "floor", "zone", "track"]) {
    palette[name] = get(name);
  }
  return palette;
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { palette = null; });

// Red, green and blue of a colour of the page's, 0 to 255.
const parsed = new Map();
export function rgb(text) {
  if (!parsed.has(text)) {
    const value = parseInt(text.slice(1), 16);
    parsed.set(text, [value >> 16, (value >> 8) & 255, value & 255]);
  }
  return parsed.get(text);
}

export const LEVELS = { lowest: -48, highest: 0 };
export function rampPlace(level) {
  const share = (level - LEVELS.lowest) / (LEVELS.highest - LEVELS.lowest);
  return Math.min(Math.max(Math.floor(share * 6), 0), 5);
}

// Sizes of canvases as the page was last laid out: to ask a canvas would lay it out again.
const boxes = new Map();
const observer = new ResizeObserver((changes) => {
  for (const change of changes) boxes.set(change.target, change.contentRect);
  dispatchEvent(new Event("fitted"));
});

// A canvas with as many pixels as the screen has for it. Returns null while it has no size.
export function fitted(canvas) {
  if (!boxes.has(canvas)) { boxes.set(canvas, canvas.getBoundingClientRect()); observer.observe(canvas); }
  const box = boxes.get(canvas);
  const ratio = Math.min(devicePixelRatio || 1, 2);
  const [width, height] = [Math.round(box.width * ratio), Math.round(box.height * ratio)];
  if (width < 2 || height < 2) return null;
  if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
  return { width: box.width, height: box.height, ratio };
}

// What an element shows is kept beside it: to ask the page costs as much as to change it.
const shown = new WeakMap();
export function differs(node, key, value) {
  let values = shown.get(node);
  if (!values) { values = {}; shown.set(node, values); }
  if (values[key] === value) return false;
  values[key] = value;
  return true;
}
