// The moment that is shown: the group of the controls that chooses a pose or an animation, and the bar below the picture, which plays it, or the
// way from the rest of a document to a pose, and steps through it.
import { REST } from "./data.js";
import { element, slider, toggle } from "./elements.js";

const SPEEDS = [0.25, 0.5, 1, 2];
/** Frames from the rest of a document to a pose, and in a second of an animation. */
const [STEPS, RATE] = [11, 30];

export class Moments {
  /** `controls` hold the state. */
  constructor(controls) {
    this.controls = controls;
    const { data } = controls;
    const parts = [];
    if (data.kind === "document") {
      const names = ["Rest", ...data.poses.map((pose) => pose.name)];
      this.poseButtons = names.map((name, index) =>
        element("button", { type: "button", title: name, onclick: () => controls.set({ pose: index, t: 1 }) }, name || "(no id)"));
      parts.push(element("div", { className: "poses", role: "group", "aria-label": "Poses" }, ...this.poseButtons));
    } else if (data.clips.length) {
      const options = ["Rest", ...data.clips.map((clip) => clip.name)].map((name, index) => element("option", { value: index }, name));
      this.clips = element("select", { onchange: () => this.#chooseClip(Number(this.clips.value)) }, ...options);
      parts.push(element("label", { className: "field" }, element("span", {}, "Animation"), this.clips));
      this.bakedButtons = element("div", { className: "poses", role: "group", "aria-label": "Baked times" });
      parts.push(this.bakedButtons);
    }
    this.hasChoice = parts.length > 0;
    this.node = element("div", { className: "group" }, element("h2", {}, data.kind === "document" ? "Pose" : "Animation"), ...parts,
      parts.length ? null : element("p", {}, "The file has no animations: it is shown as its nodes are stored."));
  }

  #chooseClip(clip) {
    const { controls } = this;
    controls.set({ clip, t: controls.data.clips[clip - 1]?.start ?? 0 });
  }

  /** Returns the moment that is shown: at a time with baked vertices, exactly that. */
  now() {
    const { state, data } = this.controls;
    const clip = (data.kind === "document" ? state.pose : state.clip) - 1;
    if (clip < 0) return REST;
    const near = data.bakedTimes(clip).find((time) => Math.abs(time - state.t) <= 1e-4 * Math.max(1, Math.abs(time)));
    return { clip, t: near ?? state.t };
  }

  /** Returns the change of the state to the nearest moment that has baked vertices. */
  nearestBaked() {
    const { data, state } = this.controls;
    if (data.kind === "document") return { t: 1 };
    const times = data.bakedTimes(state.clip - 1);
    const distance = (time) => Math.abs(time - state.t);
    return times.length ? { t: times.reduce((a, b) => (distance(b) < distance(a) ? b : a)) } : {};
  }

  /** Brings the group to the state. */
  apply() {
    const { state, data } = this.controls;
    this.poseButtons?.forEach((button, index) => button.setAttribute("aria-pressed", String(index === state.pose)));
    if (!this.clips) return;
    const clip = data.clips[state.clip - 1];
    this.clips.value = state.clip;
    this.bakedButtons.hidden = !clip;
    if (!clip) return;
    if (this.bakedClip !== state.clip) {
      this.bakedClip = state.clip;
      const button = (t) => element("button", { type: "button", onclick: () => this.controls.set({ t }) }, `${t.toFixed(2)} s`);
      const buttons = data.bakedTimes(state.clip - 1).map(button);
      this.bakedButtons.replaceChildren(...(buttons.length ? [element("span", { className: "small" }, "Baked at")] : []), ...buttons);
    }
  }
}

export class Transport {
  /** `controls` hold the state. */
  constructor(controls) {
    this.controls = controls;
    const button = (text, label, onclick) => element("button", { type: "button", title: label, "aria-label": label, onclick }, text);
    this.play = element("button", { type: "button", className: "play", onclick: () => this.toggle() }, "Play");
    this.time = slider(controls.data.kind === "document" ? "From rest to pose" : "Time", { max: 1, step: "any" }, (t) => controls.set({ t }));
    this.loop = toggle("Loop", () => {});
    this.loop.input.checked = controls.data.kind !== "document";
    const speeds = SPEEDS.map((speed) => element("option", { value: speed }, `${speed}×`));
    this.speed = element("select", { "aria-label": "Speed" }, ...speeds);
    this.speed.value = 1;
    this.node = element("div", { className: "transport", role: "group", "aria-label": "Time" },
      button("‹", "One frame back", () => this.step(-1)), this.play, button("›", "One frame on", () => this.step(1)), this.time.node, this.loop.node, this.speed);
    this.node.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by || event.target === this.speed || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.step(by);
    });
  }

  /** The present animation or way to a pose, in its unit of time; null if there is none. */
  get span() {
    const { state, data } = this.controls;
    if (data.kind === "document") return state.pose ? { start: 0, end: 1, count: STEPS } : null;
    const clip = data.clips[state.clip - 1];
    return clip ? { ...clip, count: Math.max(1, Math.ceil((clip.end - clip.start) * RATE - 1e-6)) + 1 } : null;
  }

  /** Goes to the next frame, or with -1 to the one before. */
  step(by) {
    const { span, controls: { state } } = this;
    if (!span) return;
    this.stop();
    const place = placeOf(span, state.t);
    // From between two frames, to the nearest one on that side.
    const next = Math.abs(place - Math.round(place)) < 1e-3 ? Math.round(place) + by : by > 0 ? Math.ceil(place) : Math.floor(place);
    this.controls.set({ t: timeOf(span, Math.min(Math.max(next, 0), span.count - 1)) });
  }

  /** Plays or pauses. */
  toggle() {
    const { state } = this.controls;
    if (state.playing || !this.span) return this.stop();
    state.playing = true;
    if (state.t >= this.span.end) state.t = this.span.start;
    let last = performance.now();
    const draw = (now) => {
      if (!state.playing || !this.span) return;
      this.#advance(((now - last) / 1000) * Number(this.speed.value));
      last = now;
      requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);
    this.controls.apply();
  }

  #advance(seconds) {
    const { span: { start, end }, controls } = this;
    const t = Math.max(controls.state.t + Math.max(seconds, 0), start);
    if (t < end) return controls.set({ t });
    if (this.loop.input.checked && end > start) return controls.set({ t: start + ((t - start) % (end - start)) });
    controls.state.playing = false;
    controls.set({ t: end });
  }

  stop() {
    if (!this.controls.state.playing) return;
    this.controls.state.playing = false;
    this.controls.set({});
  }

  /** Brings the bar to the state. */
  apply() {
    const { span, controls: { state, data } } = this;
    // It keeps its room, so that the picture does not change its size.
    this.node.style.visibility = span ? "" : "hidden";
    this.play.textContent = state.playing ? "Pause" : "Play";
    if (!span) return;
    Object.assign(this.time.input, { min: span.start, max: span.end, value: state.t });
    const frame = `frame ${Math.round(placeOf(span, state.t)) + 1} of ${span.count}`;
    this.time.output.textContent = data.kind === "document" ? `${Math.round(100 * state.t)} %` : `${state.t.toFixed(2)} of ${span.end.toFixed(2)} s, ${frame}`;
  }
}

/** Returns the time of a frame. */
function timeOf({ start, end, count }, index) {
  return count > 1 ? start + ((end - start) * index) / (count - 1) : start;
}

/** Returns the place of a time among the frames, a whole number at a frame. */
function placeOf({ start, end, count }, t) {
  return end > start ? Math.min(Math.max((t - start) / (end - start), 0), 1) * (count - 1) : 0;
}
