// JSON as values: read and written without loss, patched (RFC 6902), shown as a tree and as a list of changes.

/** Parses JSON; integers beyond what a number holds exactly become BigInts, where the browser tells their text. */
export function parse(text) {
  return JSON.parse(text, (_, value, context) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "") ? BigInt(context.source) : value);
}

/** JSON text, indented where `indent` is not empty. */
export function write(value, indent = "", margin = "") {
  if (typeof value === "bigint") return value.toString();
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const inner = margin + indent;
  const parts = Array.isArray(value)
    ? value.map((element) => write(element, indent, inner))
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${indent && " "}${write(member, indent, inner)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (parts.length === 0) return open + close;
  return indent ? `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${margin}${close}` : open + parts.join(",") + close;
}

const tokens = (pointer) => pointer.split("/").slice(1).map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
const pointerToken = (name) => String(name).replaceAll("~", "~0").replaceAll("/", "~1");

function look(value, path) {
  return path.reduce((place, token) => place?.[token], value);
}

/** Applies a patch to a copy of the value. */
export function patched(value, patch) {
  const root = { value: structuredClone(value) };
  const put = (path, content, replaces) => {
    const place = look(root, path.slice(0, -1));
    const last = path.at(-1);
    if (Array.isArray(place)) place.splice(last === "-" ? place.length : Number(last), replaces ? 1 : 0, content);
    else place[last] = content;
  };
  const take = (path) => {
    const place = look(root, path.slice(0, -1));
    const last = path.at(-1);
    const content = place[last];
    if (Array.isArray(place)) place.splice(Number(last), 1); else delete place[last];
    return content;
  };
  for (const step of patch) {
    const path = ["value", ...tokens(step.path)];
    if (step.op === "add") put(path, structuredClone(step.value), false);
    if (step.op === "replace") put(path, structuredClone(step.value), true);
    if (step.op === "remove") take(path);
    if (step.op === "move") put(path, take(["value", ...tokens(step.from)]), false);
    if (step.op === "copy") put(path, structuredClone(look(root, ["value", ...tokens(step.from)])), false);
  }
  return root.value;
}

/** An element with properties and children; texts stay texts. */
export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** Which places of a tree are open; the first level is, unless it was closed. */
const open = new Map();

/** A value as nested disclosures; what lies in a closed one is made when it is opened. `changes` are the pointers to mark. */
export function tree(name, value, changes, pointer = "") {
  const isChanged = changes.some((change) => change === pointer || change.startsWith(pointer + "/"));
  const label = element("span", { className: "name" }, String(name));
  if (value === null || typeof value !== "object" || Object.keys(value).length === 0) {
    return element("div", { className: isChanged ? "leaf changed" : "leaf" }, label, ": ",
      element("span", { className: typeof value === "string" ? "text" : "value" }, write(value)));
  }
  const count = Object.keys(value).length;
  const kind = Array.isArray(value) ? `[${count}]` : `{${count}}`;
  const made = element("details", { open: open.get(pointer) ?? pointer === "" },
    element("summary", { className: isChanged ? "changed" : "" }, label, " ", element("span", { className: "kind" }, kind)));
  const fill = () => {
    if (made.childElementCount > 1 || !made.open) return;
    made.append(...Object.entries(value).map(([key, member]) => tree(key, member, changes, `${pointer}/${pointerToken(key)}`)));
  };
  made.addEventListener("toggle", () => { open.set(pointer, made.open); fill(); });
  fill();
  return made;
}

/** A patch as a list of changes, each with what was there before where that is known. */
export function changeList(patch, before) {
  if (patch.length === 0) return element("p", { className: "hint" }, "Nothing changed.");
  const words = { add: "added", remove: "removed", replace: "changed", move: "moved here", copy: "copied here", test: "as before" };
  return element("div", {}, ...patch.map((step) => {
    const old = before === undefined || step.op === "add" ? undefined : look({ value: before }, ["value", ...tokens(step.path)]);
    const texts = step.op === "remove" ? [old] : step.op === "replace" ? [old, step.value] : [step.value];
    const known = texts.filter((text) => text !== undefined).map((text) => write(text));
    return element("div", { className: `op ${step.op}` }, `${words[step.op]} `, element("span", { className: "name" }, step.path || "/"),
      known.length > 0 ? `: ${known.join(" → ")}` : "", step.from === undefined ? "" : ` (from ${step.from})`);
  }));
}
