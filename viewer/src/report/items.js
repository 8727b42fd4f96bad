// An output as a line of the list or as a tile of the sheet, and a group of outputs as a line.

import { counted, duration, h, number, size, splitPath } from "./text.js";

/** Codes that a line shows; the panel has all. */
const CODES = 3;

function codes(row) {
  const level = row.errors > 0 ? "error" : "warning";
  const shown = row.codes.slice(0, CODES).map((code) => h("span", { class: `code ${code.startsWith("W") ? "warning" : level}`, title: code }, code));
  const more = row.codes.length > CODES ? `+${row.codes.length - CODES}` : null;
  return [...shown, more];
}

/** Returns the picture of a row, which is decoded when it is seen; nothing if there is none. */
function small(row, data) {
  if (row.thumbnailChunk === null) return null;
  const image = h("img", { alt: "", loading: "lazy", decoding: "async", width: "40", height: "40" });
  data.thumbnail(row).then((url) => url && (image.src = url), () => image.remove());
  return image;
}

/** Returns the name of a row's file, if `isAlone` with its directory, which may be all that differs. */
function named(row, data, isAlone) {
  const [directory, name] = data.shortPath(row);
  // Lines break after these characters, where they can.
  const parts = (name.match(/[^._-]*[._-]*/g) ?? []).flatMap((part) => [part, h("wbr")]);
  return h("bdi", { class: "name", title: row.path }, ...parts, isAlone && directory ? h("span", { class: "directory" }, directory) : null);
}

export function line(row, data, hasTimes, index) {
  const cell = (column, ...children) => h("div", { role: "gridcell", class: `column-${column}` }, ...children);
  return h(
    "div",
    { class: `line item ${index % 2 ? "odd" : "even"}`, role: "row" },
    data.hasThumbnails ? cell("picture", small(row, data)) : null,
    cell("status", h("span", { class: `status ${row.status}` }, row.status)),
    cell(
      "name",
      named(row, data, row.messages.length > 0),
      h("bdi", { class: "below" }, row.messages[0]?.text ?? splitPath(row.path)[0]),
    ),
    cell("pose", row.pose === null ? null : h("bdi", { title: row.pose }, row.pose)),
    cell("codes", ...codes(row)),
    cell("bytes", size(row.bytes)),
    hasTimes ? cell("seconds", duration(row.seconds)) : null,
  );
}

export function tile(row, data) {
  const picture = h("div", { class: "picture" });
  if (row.thumbnailChunk === null) {
    const reason = row.status === "failed" ? (row.messages[0]?.text ?? "failed") : "no picture";
    picture.append(h("bdi", { class: "no-picture", title: reason }, reason));
  } else {
    const image = h("img", { alt: "", decoding: "async" });
    picture.classList.add("drawn");
    picture.append(image);
    data.thumbnail(row).then((url) => url && (image.src = url), () => picture.classList.remove("drawn") || image.remove());
  }
  return h(
    "div",
    { class: "tile", role: "gridcell" },
    picture,
    named(row, data, true),
    h("span", { class: "tile-facts" }, h("span", { class: `status ${row.status}` }, row.status), ...codes(row)),
  );
}

/** Returns the line of a group. */
export function groupLine(group) {
  const { code, level, title, times, rows, isOpen } = group;
  const failed = rows.filter((row) => row.status === "failed").length;
  const warned = rows.filter((row) => row.rank === 1).length;
  const found = { errors: failed, codes: [...new Set(rows.flatMap((row) => row.codes))] };
  const marks = code === undefined ? [mark("failed", failed, "failed"), mark("warned", warned, "with warnings"), ...codes(found)] : [h("span", { class: times > 1 ? "times-of" : "group-mark" }, times === 1 ? "once" : `${number(times)} times`)];
  return h(
    "div",
    { class: "line item group", role: "row", "aria-expanded": String(isOpen) },
    h(
      "div",
      { role: "gridcell", class: "column-group" },
      h("span", { class: "chevron", "aria-hidden": "true" }, isOpen ? "▾" : "▸"),
      code === undefined ? null : h("span", { class: `code ${level}` }, code),
      h("bdi", { class: "group-title", title }, title),
      ...marks,
      h("span", { class: "group-count" }, counted(rows.length, "output")),
    ),
  );
}

function mark(kind, count, word) {
  return count === 0 ? null : h("span", { class: `group-mark ${kind}` }, `${number(count)} ${word}`);
}
