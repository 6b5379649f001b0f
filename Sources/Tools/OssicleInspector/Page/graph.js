// The graph of an AVAudioEngine from left to right: each node with its level, cost and silence.

import { current, differs, isSelected, words } from "./state.js";

const host = document.getElementById("graph");
const NAMES = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT, GAP, ROW] = [176, 74, 66, 94];
let drawn = { key: null, nodes: new Map(), wires: [] };
export const hooks = { select: () => {} };

function make(name, attributes, parent, text) {
  const element = document.createElementNS(NAMES, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent.appendChild(element);
  return element;
}

// The column of each node: one behind the last of what feeds it.
function columns(graph) {
  const place = new Map(graph.nodes.map((node) => [node.id, 0]));
  for (let round = 0; round < graph.nodes.length; round += 1) {
    let changed = false;
    for (const wire of graph.wires) {
      const wanted = (place.get(wire.from) ?? 0) + 1;
      if (wanted > (place.get(wire.to) ?? 0) && wanted < graph.nodes.length) { place.set(wire.to, wanted); changed = true; }
    }
    if (!changed) break;
  }
  return place;
}

function build(graph) {
  const place = columns(graph);
  const rows = new Map();
  const spot = new Map();
  for (const node of graph.nodes) {
    const column = place.get(node.id);
    const row = rows.get(column) ?? 0;
    rows.set(column, row + 1);
    spot.set(node.id, [column, row]);
  }
  const tallest = Math.max(1, ...rows.values());
  const width = (Math.max(0, ...place.values()) + 1) * (WIDTH + GAP) - GAP + 32;
  const height = tallest * ROW + 8;
  host.textContent = "";
  const svg = make("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": "Graph of the engine" }, host);
  const at = (id) => {
    const [column, row] = spot.get(id);
    return [16 + column * (WIDTH + GAP), 16 + row * ROW + ((tallest - rows.get(column)) * ROW) / 2];
  };
  drawn = { key: key(graph), nodes: new Map(), wires: [], svg, width, height };
  for (const wire of graph.wires) {
    if (!spot.has(wire.from) || !spot.has(wire.to)) continue;
    const [x1, y1] = at(wire.from), [x2, y2] = at(wire.to);
    const [sx, sy, ex, ey] = [x1 + WIDTH, y1 + HEIGHT / 2, x2, y2 + HEIGHT / 2];
    const bend = Math.max((ex - sx) / 2, 24);
    const line = make("path", { class: "wire", d: `M${sx},${sy} C${sx + bend},${sy} ${ex - bend},${ey} ${ex},${ey}` }, svg);
    make("title", {}, line, `bus ${wire.fromBus} to bus ${wire.toBus}, ${wire.format}`);
    make("text", { class: "wire-text", x: (sx + ex) / 2, y: (sy + ey) / 2 - 6 }, svg, short(wire.format));
    drawn.wires.push({ line, from: wire.from });
  }
  for (const node of graph.nodes) {
    const [x, y] = at(node.id);
    const group = make("g", { class: "node", transform: `translate(${x},${y})`, tabindex: 0, role: "button" }, svg);
    make("rect", { class: "box", width: WIDTH, height: HEIGHT, rx: 9 }, group);
    make("text", { class: "name", x: 12, y: 21 }, group, node.name.replace(/^AVAudio(Unit)?/, "").slice(0, 24));
    make("rect", { class: "track", x: 12, y: 31, width: WIDTH - 24, height: 5, rx: 2.5 }, group);
    const bar = make("rect", { x: 12, y: 31, width: 0, height: 5, rx: 2.5 }, group);
    const level = make("text", { class: "sub", x: 12, y: 53 }, group);
    const cost = make("text", { class: "sub", x: WIDTH - 12, y: 53, "text-anchor": "end" }, group);
    const note = make("text", { class: "sub", x: 12, y: 67 }, group);
    const choose = () => hooks.select({ kind: "node", id: String(node.id) });
    group.addEventListener("click", choose);
    group.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); event.stopPropagation(); choose(); } });
    drawn.nodes.set(node.id, { group, bar, level, cost, note });
  }
}

// "2 ch 48000 Hz" as "2 ch, 48 kHz".
function short(format) {
  const parts = format.match(/^(\d+) ch (\d+) Hz$/);
  return parts ? `${parts[1]} ch, ${Number(parts[2]) / 1000} kHz` : format;
}

// As large as it can be read, and no larger than the space for it where that will do.
function scale() {
  const share = Math.min(host.clientWidth / drawn.width, 1);
  const shown = share >= 0.7 ? share : 1;
  if (drawn.shown === shown) return;
  drawn.shown = shown;
  drawn.svg.setAttribute("width", drawn.width * shown);
  drawn.svg.setAttribute("height", drawn.height * shown);
}

const key = (graph) => graph.nodes.map((node) => node.id).join(",") + "/" + graph.wires.map((wire) => [wire.from, wire.to, wire.fromBus, wire.toBus, wire.format].join("-")).join(",");

const set = (node, name, value) => { if (differs(node, name, value)) node.setAttribute(name, value); };
const write = (node, text) => { if (differs(node, "text", text)) node.textContent = text; };

// Words are for reading, and change less often than bars.
export function drawGraph(isText) {
  const graph = current()?.frame.graph;
  if (!graph) return;
  const isNew = drawn.key !== key(graph);
  if (isNew) build(graph);
  scale();
  const loud = new Set();
  for (const node of graph.nodes) {
    const shown = drawn.nodes.get(node.id);
    if (!shown) continue;
    if (node.peak > -90) loud.add(node.id);
    const share = Math.min(Math.max((node.peak + 60) / 60, 0), 1);
    set(shown.bar, "width", Math.round((WIDTH - 24) * share));
    set(shown.bar, "fill", node.peak > -1 ? "var(--bad)" : node.peak > -6 ? "var(--l4)" : "var(--accent)");
    set(shown.group, "class", `node${node.isActive ? "" : " inactive"}${isSelected("node", node.id) ? " selected" : ""}`);
    if (!isText && !isNew) continue;
    const level = node.peak > -90 ? `${words.level(node.peak)} dB` : "silent";
    write(shown.level, level);
    write(shown.cost, node.isActive ? `${(node.cost * 100).toFixed(node.cost < 0.1 ? 1 : 0)} % of cost` : "");
    const notes = [];
    if (!node.isActive) notes.push("feeds nothing heard");
    if (node.isMuted) notes.push(node.kind === "effect" ? "bypassed" : "muted");
    if (node.isSoloed) notes.push("solo");
    if (node.silence > 0.005 && node.isActive) notes.push(`${Math.round(node.silence * 100)} % silence`);
    if (node.latency > 0) notes.push(`${(node.latency * 1000).toFixed(1)} ms late`);
    write(shown.note, notes.join(", "));
    set(shown.group, "aria-label", `${node.name}, ${level}`);
  }
  for (const wire of drawn.wires) set(wire.line, "class", loud.has(wire.from) ? "wire live" : "wire");
}

export function nodeOf(id) { return current()?.frame.graph?.nodes.find((node) => String(node.id) === id) ?? null; }

export const canSilence = (node) => node !== null && (node.kind === "source" || node.kind === "effect");
