// Small helpers to make elements of the page. Text is always set as text, never as markup.

/** Makes an element with attributes or properties and children; children may be strings, and those that are null are left out. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key in made && key !== "list") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child));
  return made;
}

/** A group of radio buttons that look like a switch. `options` are pairs of value and label. */
export function choice(legend, name, options, onchange) {
  const inputs = options.map(([value]) => element("input", { type: "radio", name, value, onchange: () => onchange(value) }));
  const labels = options.map(([, text], index) => element("label", {}, inputs[index], element("span", {}, text)));
  const node = element("fieldset", { className: "choice" }, element("legend", {}, legend), element("div", {}, ...labels));
  return { node, set: (value) => inputs.forEach((input) => { input.checked = input.value === value; }) };
}

/** A checkbox with its label. */
export function toggle(text, onchange) {
  const input = element("input", { type: "checkbox", onchange: () => onchange(input.checked) });
  return { node: element("label", { className: "toggle" }, input, text), input };
}

/** A slider with its label and a text of its value. */
export function slider(text, { min = 0, max, step }, oninput) {
  const output = element("output", {});
  const input = element("input", { type: "range", min, max, step, oninput: () => oninput(Number(input.value)) });
  const node = element("label", { className: "slider" }, element("span", {}, text, " ", output), input);
  return { node, input, output };
}

/** A number with as many digits as a person needs. */
export function figure(number) {
  if (number === 0) return "0";
  const size = Math.abs(number);
  return size >= 1e-3 && size < 1e5 ? String(Number(number.toPrecision(3))) : number.toExponential(2);
}
