// Figures, lists and the selection, as elements of the page.

import { send } from "./link.js";
import { colours, current, differs, isSelected, LEVELS, state, words } from "./state.js";
import { canSilence, nodeOf } from "./graph.js";

const byId = (id) => document.getElementById(id);
export const hooks = { select: () => {} };

function element(name, parent, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  parent.appendChild(made);
  return made;
}

export const setText = (node, text) => { if (differs(node, "text", text)) node.textContent = text; };
export const setPressed = (node, isOn) => { if (differs(node, "pressed", isOn)) node.setAttribute("aria-pressed", String(isOn)); };

function meter(parent) {
  const track = element("div", parent, "meter");
  return (share, heat) => {
    // Through the object model, for the page allows no style in text. The bar is a background: an element of its own
    // would be one more layer for the browser to order, and its width would lay out the page.
    const size = `${Math.round(128 * Math.min(Math.max(share, 0), 1)) / 1.28}% 100%`;
    if (differs(track, "size", size)) track.style.backgroundSize = size;
    if (differs(track, "heat", heat ?? "")) track.className = `meter ${heat ?? ""}`;
  };
}

const levelShare = (level) => (Math.max(level ?? -200, -60) + 60) / 60;

// MARK: Figures

const figures = {};
for (const [key, title] of [["direct", "Direct"], ["reverb", "Reverb"], ["peak", "Peak"], ["load", "Callback load"], ["xruns", "Xruns"], ["latency", "Latency"]]) {
  const box = element("div", byId("figures"), "figure");
  element("div", box, "k", title);
  const value = element("div", box, "v");
  figures[key] = { box, value, set: ["xruns", "latency"].includes(key) ? null : meter(box) };
}

function figure(key, text, unit, share, isBad, heat) {
  const { box, value, set } = figures[key];
  box.hidden = text === null;
  if (text === null) return;
  const whole = `${text}|${unit}`;
  if (differs(value, "whole", whole)) { value.textContent = text; element("small", value, "", unit ? ` ${unit}` : ""); }
  if (differs(value, "bad", Boolean(isBad))) value.classList.toggle("bad", Boolean(isBad));
  if (set) set(share, heat);
}

function heat(level) { return level > -1 ? "hot" : level > -6 ? "warm" : ""; }

// What was measured last: where nothing was rendered between two looks there is nothing new.
const measured = { engine: null, output: null, load: null };

export function drawFigures(frame) {
  let { output, load } = frame;
  if (measured.engine !== state.engine) Object.assign(measured, { engine: state.engine, output: null, load: null });
  if (load.mean !== undefined) Object.assign(measured, { output, load });
  else if (measured.load && frame.state === "running") ({ output, load } = { output: { ...output, direct: measured.output.direct, reverb: measured.output.reverb }, load: { ...load, mean: measured.load.mean, worst: measured.load.worst } });
  const level = (key, value) => figure(key, value === undefined ? null : words.level(value), "dB", levelShare(value), false, heat(value));
  level("direct", output.direct);
  level("reverb", output.reverb);
  level("peak", output.peak);
  const mean = load.mean;
  figure("load", mean === undefined ? null : `${(mean * 100).toFixed(mean < 0.1 ? 1 : 0)}`, mean === undefined ? "" : `%, worst ${Math.round((load.worst ?? 0) * 100)} %`, mean ?? 0, load.isOverloaded, (load.worst ?? 0) > 0.9 ? "hot" : (load.worst ?? 0) > 0.6 ? "warm" : "");
  figure("xruns", mean === undefined ? null : String(load.dropouts), load.lag > 0.01 ? `${load.lag.toFixed(2)} s behind` : "", 0, load.dropouts > 0);
  figure("latency", mean === undefined ? null : (output.latency * 1000).toFixed(1), "ms", 0, false);
  const parts = [output.form, `${(output.sampleRate / 1000).toFixed(1)} kHz`];
  if (load.isSilent) parts.push("no device: a silent clock keeps time");
  if (load.scheduling && !load.isSilent) parts.push(`${load.scheduling} thread`);
  if (output.limitedFrames > 0) parts.push("limiter at work");
  if (output.nonFiniteFrames > 0) parts.push("samples that are no numbers");
  setText(byId("output-form"), output.channels ? parts.join(" · ") : "");
}

// MARK: Voices

const rows = new Map();
const ROW = 33;                    // pixels, as the style has it
const scroller = document.querySelector("#voices .scroll");
const window_ = { first: 0, last: 16 };
// Of a hundred rows few are to be seen, and the others are filled in when they are.
new ResizeObserver(look).observe(scroller);
scroller.addEventListener("scroll", look);
function look() {
  window_.first = Math.floor(scroller.scrollTop / ROW) - 2;
  window_.last = window_.first + Math.ceil(scroller.clientHeight / ROW) + 4;
  const moment = current();
  if (moment) drawVoices(moment.frame.scene, true);
}

export function drawVoices(scene, isText) {
  byId("voices").hidden = !scene;
  if (!scene) return;
  const body = byId("voice-rows");
  const known = new Set();
  const sources = new Map(scene.sources.map((source) => [source.id, source]));
  let place = 0;
  for (const row of rows.values()) { row.place = place; place += 1; }
  for (const voice of scene.voices) {
    known.add(voice.id);
    let row = rows.get(voice.id);
    const isNew = !row;
    if (isNew) {
      const line = element("tr", body);
      const button = element("button", element("td", line, "name"), "", voice.event);
      button.type = "button";
      button.addEventListener("click", () => hooks.select({ kind: "voice", id: String(voice.id) }));
      const stateCell = element("td", line, "state"), distance = element("td", line, "n");
      const level = element("div", element("td", line), "level");
      row = { line, button, stateCell, distance, bar: meter(level), value: element("span", level) };
      rows.set(voice.id, row);
    }
    const source = sources.get(voice.source);
    const name = source ? source.name : voice.event;
    setText(row.button, name);
    const isChosen = isSelected("voice", voice.id) || (voice.source !== undefined && isSelected("source", voice.source));
    if (differs(row.line, "chosen", isChosen)) row.line.classList.toggle("selected", isChosen);
    setPressed(row.button, isChosen);
    if (!isNew && (row.place < window_.first || row.place > window_.last)) continue;
    const metered = voice.peak === undefined ? voice.direct : Math.min(voice.direct, voice.peak + 60);
    row.bar(levelShare(metered), heat(metered));
    if (!isNew && !isText) continue;
    const title = `${voice.event}: ${voice.sound}`;
    if (differs(row.button, "title", title)) row.button.title = title;
    setText(row.stateCell, voice.tier === "bus" && voice.state === "playing" ? "playing, bus" : voice.state);
    setText(row.distance, words.metres(voice.distance));
    setText(row.value, words.level(voice.direct));
  }
  for (const [id, row] of rows) if (!known.has(id)) { row.line.remove(); rows.delete(id); }
  if (!isText) return;
  const parts = [`${scene.voices.length} playing`, `${scene.pathCount} paths`];
  if (scene.omittedPaths) parts.push(`${scene.omittedPaths} quieter not shown`);
  setText(byId("voices-count"), parts.join(" · "));
}

// MARK: Groups and rooms

const groups = new Map();

export function drawGroups(scene) {
  byId("groups").hidden = !scene;
  if (!scene) return;
  const known = new Set();
  for (const group of scene.groups) {
    known.add(group.id);
    let row = groups.get(group.id);
    if (!row) {
      const line = element("div", byId("group-rows"), "group");
      const target = { kind: "group", id: group.id };
      const button = element("button", line, "", group.id);
      button.type = "button";
      button.addEventListener("click", () => hooks.select(target));
      const mute = toggle(line, "Mute", `Mute group ${group.id}`, (isOn) => command("mute", target, { value: isOn ? 1 : 0 }));
      const solo = toggle(line, "Solo", `Solo group ${group.id}`, (isOn) => command("solo", target, { value: isOn ? 1 : 0 }));
      const level = element("div", line, "level");
      row = { line, button, mute, solo, bar: meter(level), value: element("span", level), note: element("p", line, "quiet") };
      groups.set(group.id, row);
    }
    setPressed(row.mute, group.isMuted);
    setPressed(row.solo, group.isSoloed);
    row.bar(levelShare(group.level), "");
    setText(row.value, `${words.level(group.level)} dB`);
    setText(row.note, group.note);
    row.note.hidden = !group.note;
  }
  for (const [id, row] of groups) if (!known.has(id)) { row.line.remove(); groups.delete(id); }
  drawRooms(scene);
}

function toggle(parent, text, name, act) {
  const button = element("button", parent, "plain", text);
  button.type = "button";
  button.setAttribute("aria-label", name);
  button.addEventListener("click", () => act(button.getAttribute("aria-pressed") !== "true"));
  return button;
}

const BANDS = ["31", "63", "125", "250", "500", "1k", "2k", "4k", "8k", "16k"];
let roomsShown = "";

function drawRooms(scene) {
  const parts = [scene.acoustics.split(",")[0]];
  if (scene.rays) parts.push(`${scene.rays.toLocaleString("en")} rays`);
  if (scene.simulationLoad !== undefined) parts.push(`${Math.round(scene.simulationLoad * 100)} % of its budget`);
  setText(byId("acoustics"), parts.join(" · "));
  const text = JSON.stringify([scene.rooms.map((room) => room.decay.map((value) => value.toFixed(2))), scene.sacrifices]);
  if (text === roomsShown) return;
  roomsShown = text;
  const host = byId("rooms");
  host.textContent = "";
  for (const room of scene.rooms) {
    const box = element("div", host, "room");
    const listener = scene.listeners.find((object) => object.id === room.listener);
    element("div", box, "quiet", `Reverberation time${listener && scene.rooms.length > 1 ? ` at ${listener.name}` : ""}, s by octave`);
    bands(box, room.decay);
  }
  if (!scene.rooms.length) element("p", element("div", host, "room"), "quiet", "No reverberation.");
  for (const sacrifice of scene.sacrifices) element("p", element("div", host, "room"), "quiet", `Less for want of time: ${sacrifice}`);
}

function bands(parent, decay) {
  const box = element("div", parent, "bands");
  const longest = Math.max(...decay, 0.3);
  decay.forEach((value, band) => {
    const column = element("div", box);
    element("span", column, "", value.toFixed(value < 1 ? 2 : 1));
    element("i", column).style.height = `${(100 * value / longest * 0.55).toFixed(1)}%`;
    element("span", column, "", BANDS[band]);
  });
  box.setAttribute("role", "img");
  box.setAttribute("aria-label", decay.map((value, band) => `${BANDS[band]} hertz ${value.toFixed(2)} seconds`).join(", "));
}

// MARK: The selection

export function command(action, target, rest) { send({ engine: state.engine, command: { action, target, ...rest } }); }

let detailShape = "";
const sliders = new Map();

export function drawDetail(detail) {
  const body = byId("detail-body");
  if (!state.selection) {
    if (detailShape === "none") return;
    detailShape = "none";
    body.textContent = "";
    setText(byId("detail-title"), "Selection");
    element("p", body, "quiet", "Select a source, a voice, a group or a node to see what makes its level.");
    return;
  }
  if (!detail) { setText(byId("detail-title"), "Gone"); body.textContent = ""; detailShape = ""; return; }
  setText(byId("detail-title"), detail.title);
  const shape = JSON.stringify([detail.target, detail.chain.map((factor) => factor.name), detail.parameters.map((p) => [p.name, p.minimum, p.maximum])]);
  if (shape !== detailShape) {
    detailShape = shape;
    sliders.clear();
    body.textContent = "";
    element("div", body, "facts");
    const parameters = element("div", body, "parameters");
    if (detail.parameters.length) element("h3", parameters, "", "Set");
    for (const parameter of detail.parameters) slider(parameters, parameter, detail.target);
  }
  facts(body.querySelector(".facts"), detail);
  for (const parameter of detail.parameters) {
    const known = sliders.get(parameter.name);
    if (known && document.activeElement !== known.input) { known.input.value = parameter.value; known.show(parameter.value); }
  }
}

let factsShown = "";

function facts(host, detail) {
  const text = JSON.stringify({ ...detail, parameters: null });
  if (text === factsShown && host.childElementCount) return;
  factsShown = text;
  host.textContent = "";
  if (detail.state) element("p", host, "quiet", detail.state);
  for (const cause of detail.silentBecause) element("p", host, "why", `Silent: ${cause}`);
  if (detail.chain.length) {
    element("h3", host, "", "Gain chain, dB");
    const sum = detail.chain.reduce((total, factor) => total + factor.level, 0);
    chain(host, detail.chain, { name: "direct sound", level: Math.max(sum, -200) });
  }
  if (detail.sends.length) { element("h3", host, "", "Sends, dB"); chain(host, detail.sends); }
  if (detail.paths.length) { element("h3", host, "", "Paths, dB at 1 kHz re 1 m"); chain(host, detail.paths); }
  if (detail.decay) { element("h3", host, "", "Reverberation time, s by octave"); bands(host, detail.decay); }
  if (detail.notes.length) {
    const list = element("ul", host, "notes");
    for (const note of detail.notes) element("li", list, "", note);
  }
}

function chain(host, factors, sum) {
  const list = element("dl", host, "chain");
  for (const factor of factors) {
    const term = element("dt", list, "", factor.name);
    term.title = factor.note ? `${factor.name}, ${factor.note}` : factor.name;
    if (factor.note) element("small", term, "", factor.note);
    element("dd", list, "", words.level(factor.level));
  }
  if (sum) { element("dt", list, "sum", sum.name); element("dd", list, "sum", words.level(sum.level)); }
}

function slider(host, parameter, target) {
  const line = element("label", host, "parameter");
  element("span", line, "", parameter.title);
  const input = element("input", line);
  const value = element("output", line);
  const span = parameter.maximum - parameter.minimum;
  Object.assign(input, { type: "range", min: parameter.minimum, max: parameter.maximum, step: span > 0 ? span / 500 : 1, value: parameter.value });
  const show = (number) => setText(value, `${Number(number).toFixed(span > 50 ? 0 : 2).replace("-", "−")}${parameter.unit ? ` ${parameter.unit}` : ""}`);
  input.addEventListener("input", () => { show(input.value); command("set", target, { parameter: parameter.name, value: Number(input.value) }); });
  sliders.set(parameter.name, { input, show });
  show(parameter.value);
}

// Which thing Mute and Solo mean, and whether they are on.
export function silencing() {
  const moment = current();
  const chosen = state.selection;
  if (!moment || !chosen) return null;
  const { scene } = moment.frame;
  if (chosen.kind === "node") {
    const node = nodeOf(chosen.id);
    return canSilence(node) ? { target: chosen, object: node, title: node.kind === "effect" ? "Bypass" : "Mute", solo: node.kind === "source" } : null;
  }
  if (!scene) return null;
  if (chosen.kind === "group") { const group = scene.groups.find((one) => one.id === chosen.id); return group ? { target: chosen, object: group, title: "Mute", solo: true } : null; }
  let id = chosen.kind === "source" ? chosen.id : null;
  if (chosen.kind === "voice") { const voice = scene.voices.find((one) => String(one.id) === chosen.id); id = voice && voice.source !== undefined ? String(voice.source) : null; }
  const source = scene.sources.find((one) => String(one.id) === id);
  return source ? { target: { kind: "source", id }, object: source, title: "Mute", solo: true } : null;
}

// MARK: Legend

let legendShown = "";

export function drawLegend(isScene) {
  const c = colours();
  const key = `${isScene} ${c.ramp.join()} ${state.filters.rays}`;
  if (legendShown === key) return;
  legendShown = key;
  const host = byId("legend");
  host.textContent = "";
  if (!isScene) { element("span", host, "", "Bars: largest sample since the last look, −60 to 0 dB. Cost: share of all rendering."); return; }
  const lines = { Direct: "", Reflection: "", Diffraction: "6 4", "Both": "2 3", ...(state.filters.rays ? { Ray: "1 3" } : {}) };
  for (const [name, dash] of Object.entries(lines)) {
    const item = element("span", host);
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("width", "26"); svg.setAttribute("height", "10"); svg.setAttribute("aria-hidden", "true");
    const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
    for (const [attribute, value] of Object.entries({ x1: 0, x2: 26, y1: 5, y2: 5, stroke: "currentColor", "stroke-width": name === "Direct" ? 2.4 : 1.2, "stroke-dasharray": dash })) line.setAttribute(attribute, value);
    svg.appendChild(line);
    item.prepend(svg);
    item.append(name);
  }
  const ramp = element("span", host, "ramp");
  element("span", ramp, "", `${words.level(LEVELS.lowest).replace(".0", "")}`);
  const scale = element("i", ramp);
  for (const colour of c.ramp) element("b", scale).style.background = colour;
  element("span", ramp, "", `${LEVELS.highest} dB re 1 m`);
}
