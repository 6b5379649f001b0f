// Puts the page together: what comes by the link goes into the state, and the state is drawn with the screen's next picture.

import { connect, on, send } from "./link.js";
import { current, engineOf, noteFrame, noteGeometry, noteRays, noteState, noteWords, state } from "./state.js";
import * as plan from "./plan.js";
import * as space from "./space.js";
import * as graph from "./graph.js";
import * as panels from "./panels.js";
import { drawSound } from "./sound.js";

const byId = (id) => document.getElementById(id);
let view = "plan";
let isDue = false;
let [lastBars, lastText] = [0, 0];

// Draws with the screen's next picture; where nothing has come, there is none.
function due() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(draw);
}

// MARK: What comes

on("engines", (list) => {
  state.rate = list.rate;
  for (const id of [...state.engines.keys()]) if (!list.engines.includes(id)) state.engines.delete(id);
  list.engines.forEach(engineOf);
  if (!list.engines.includes(state.engine)) { state.engine = list.engines[0] ?? null; select(null); }
  const choice = byId("engine");
  choice.textContent = "";
  for (const id of list.engines) choice.append(new Option(`Engine ${id}`, id, false, id === state.engine));
  byId("engine-choice").hidden = list.engines.length < 2;
  due();
});
on("frame", (frame, id, bytes, numbers) => {
  noteFrame(frame, id, bytes, numbers);
  // Without it no more come: so a page that is slow is never far behind.
  send({ seen: 1 });
  due();
});
on("state", noteState);
on("words", noteWords);
on("rays", noteRays);
on("geometry", noteGeometry);
on("pace", (pace) => { state.pace = pace; });
on("detail", (detail) => { state.detail = detail ?? null; due(); });
on("refused", (text) => {
  const notice = byId("notice");
  notice.textContent = text;
  notice.hidden = false;
  clearTimeout(notice.timer);
  notice.timer = setTimeout(() => { notice.hidden = true; }, 4000);
});

// MARK: What is chosen

function select(target) {
  state.selection = target;
  state.detail = null;
  if (state.engine !== null) send({ select: { engine: state.engine, target } });
  due();
}
for (const part of [plan, graph, panels]) part.hooks.select = select;

byId("engine").addEventListener("change", (event) => { state.engine = Number(event.target.value); select(null); });

for (const [id, action] of [["mute", "mute"], ["solo", "solo"]]) {
  byId(id).addEventListener("click", () => {
    const meant = panels.silencing();
    if (meant) panels.command(action, meant.target, { value: byId(id).getAttribute("aria-pressed") === "true" ? 0 : 1 });
  });
}

// MARK: Views

function show(name) {
  if (name === "space" && !space.canDrawSpace()) {
    byId("show-space").disabled = true;
    byId("show-space").title = "This browser has no WebGL.";
    return;
  }
  view = name;
  for (const one of ["plan", "space", "graph"]) byId(`show-${one}`).setAttribute("aria-pressed", String(name === one));
  due();
}
byId("show-plan").addEventListener("click", () => show("plan"));
byId("show-space").addEventListener("click", () => show("space"));
byId("show-graph").addEventListener("click", () => show("graph"));
byId("fit").addEventListener("click", () => { plan.fit(); space.fitSpace(); due(); });
for (const kind of ["direct", "reflection", "diffraction", "rays"]) {
  byId(`filter-${kind}`).addEventListener("click", (event) => {
    state.filters[kind] = !state.filters[kind];
    event.currentTarget.setAttribute("aria-pressed", String(state.filters[kind]));
    due();
  });
}

// MARK: The recording

const scrub = byId("scrub");

function pause(isPaused) {
  state.paused = isPaused;
  state.shown = state.moments.length - 1;
  byId("pause").setAttribute("aria-pressed", String(isPaused));
  byId("pause").textContent = isPaused ? "Live" : "Pause";
  due();
}
byId("pause").addEventListener("click", () => pause(!state.paused));
scrub.addEventListener("input", () => {
  if (!state.paused) pause(true);
  state.shown = Number(scrub.value);
  due();
});
addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("button, input, select, .node");
  if (event.key === " " && !isTyping) { event.preventDefault(); pause(!state.paused); }
  if (event.key === "Escape") select(null);
});
addEventListener("fitted", () => { due(); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { due(); });

// MARK: Drawing

function drawStatus(frame) {
  const status = byId("status");
  const dot = status.querySelector(".dot");
  const [tint, text] = !state.connected ? ["off", "The program has ended, or was left"]
    : !frame ? ["", "Waiting for an engine"]
    : state.paused ? ["held", "Recording held"]
    : frame.state === "running" ? ["on", "Running"] : ["", frame.state === "paused" ? "Paused" : "Stopped"];
  if (dot.className !== `dot ${tint}`) dot.className = `dot ${tint}`;
  if (byId("status-text").textContent !== text) byId("status-text").textContent = text;
}

// The recording grows with every frame, and a slider that moves is drawn anew: as seldom as the lists.
function drawTransport(frame) {
  const last = Math.max(state.moments.length - 1, 0);
  if (Number(scrub.max) !== last) scrub.max = last;
  if (!state.paused && Number(scrub.value) !== last) scrub.value = last;
  const clock = frame ? `${frame.time.toFixed(1)} s` : "";
  if (byId("clock").textContent === clock) return;
  byId("clock").textContent = clock;
  scrub.setAttribute("aria-valuetext", clock);
}

let arranged = null;

// Which of the three views there is room for.
function arrange(name) {
  if (arranged === name) return;
  arranged = name;
  for (const [id, owner] of [["plan", "plan"], ["space", "space"], ["labels", "space"], ["graph", "graph"]]) byId(id).hidden = owner !== name;
  for (const id of ["filters", "fit"]) byId(id).hidden = name === "graph";
  document.querySelector("main").classList.toggle("graph", name === "graph");
  byId("stage-title").textContent = name === "graph" ? "Graph" : "Scene";
}

function draw(now) {
  isDue = false;
  state.counts.draws += 1;
  state.counts.lastDraw = performance.now();
  const moment = current();
  const frame = moment && moment.frame;
  drawStatus(frame);
  byId("empty").hidden = Boolean(frame);
  if (!frame) return;
  const isScene = Boolean(frame.scene);
  // A graph with an environment is both.
  byId("views").hidden = !isScene;
  byId("show-graph").hidden = !frame.graph;
  arrange(isScene && (view !== "graph" || !frame.graph) ? (view === "graph" ? "plan" : view) : "graph");
  const scene = arranged === "graph" ? null : frame.scene;
  if (arranged === "plan") plan.drawPlan();
  if (arranged === "space") space.drawSpace();
  // Bars ten times a second, and words, which are for reading, five times.
  const areBars = now - lastBars >= 95 || state.paused, isText = areBars && (now - lastText > 190 || state.paused);
  if (arranged === "graph") graph.drawGraph(isText);
  drawSound();
  if (!areBars) return;
  lastBars = now;
  panels.drawVoices(scene, isText);
  if (!isText) return;
  lastText = now;
  drawTransport(frame);
  panels.drawFigures(frame);
  panels.drawGroups(scene);
  panels.drawDetail(state.detail);
  panels.drawLegend(scene !== null);
  const meant = panels.silencing();
  const [mute, solo] = [byId("mute"), byId("solo")];
  mute.disabled = !meant;
  solo.disabled = !meant || !meant.solo;
  panels.setText(mute, meant ? meant.title : "Mute");
  panels.setPressed(mute, Boolean(meant && meant.object.isMuted));
  panels.setPressed(solo, Boolean(meant && meant.object.isSoloed));
}

connect((isConnected) => {
  state.connected = isConnected;
  if (isConnected && state.selection) select(state.selection);
  due();
});
due();

// For tests, and for whoever looks at the console.
globalThis.liveView = Object.assign(state, { onScreen: plan.onScreen });
