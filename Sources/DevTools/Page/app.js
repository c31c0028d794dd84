// The page: signs in, follows one account, and shows its past, its present and what might be.

import { Client, Problem } from "./client.js";
import { changeList, element, patched, tree, write } from "./json.js";

const $ = (id) => document.getElementById(id);
const shownMax = 1000; // actions in the list; older ones are loaded again when they are asked for
const pageSize = 200;

/** What is known of the account that is signed in to; null before. */
let session = null;

// ---- Signing in and out

function showSignIn(problem = "") {
  session?.stop.abort();
  session = null;
  $("tools").hidden = true;
  $("sign-in").hidden = false;
  $("token").value = "";
  $("sign-in-problem").textContent = problem;
  for (const id of ["actions", "tree", "diff", "entry", "answer", "effects"]) $(id).replaceChildren();
  $("token").focus();
}

async function signIn(token) {
  session?.stop.abort();
  const client = new Client(token);
  const [present, types] = await Promise.all([client.get("/state"), client.get("/actions/types")]);
  session = {
    client, types: types.actions, stop: new AbortController(), account: present.account, epoch: present.epoch, head: present.revision,
    state: present.state, before: undefined, patch: [], entries: [], states: new Map(), viewing: null, hasOlder: true, effects: [],
  };
  $("sign-in").hidden = true;
  $("tools").hidden = false;
  $("who").textContent = `Account ${present.account}`;
  $("answer").replaceChildren();
  showLive("", "Connecting");
  fillTypes();
  await loadOlder();
  if (session.head > 0) await loadLastChange();
  render();
  refreshEffects();
  follow(session);
  $("actions").focus();
}

$("sign-in-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  try { await signIn($("token").value.trim()); } catch (error) { showSignIn(error.body?.detail ?? error.message); }
});

$("open-account").addEventListener("click", async () => {
  try { await signIn((await new Client(null).post("/accounts")).token); } catch (error) { showSignIn(error.message); }
});

$("sign-out").addEventListener("click", () => showSignIn());

// ---- Following the account

async function follow(mine) {
  let pause = 500;
  let id = `${mine.epoch}.${mine.head}`;
  while (session === mine) {
    try {
      for await (const event of mine.client.events(id, mine.stop.signal)) {
        if (session !== mine) return;
        pause = 500;
        id = event.id ?? id;
        take(mine, event);
      }
      showLive("lost", "The stream ended; following again");
    } catch (error) {
      if (mine.stop.signal.aborted || session !== mine) return;
      if (error instanceof Problem && error.status === 401) return showSignIn("The session has ended.");
      showLive("lost", "No connection; trying again");
    }
    await new Promise((resume) => setTimeout(resume, pause));
    pause = Math.min(pause * 2, 10_000);
  }
}

function take(mine, event) {
  if (event.name === "snapshot") {
    Object.assign(mine, { epoch: event.data.epoch, head: event.data.revision, state: event.data.state, before: undefined, patch: [] });
    mine.states.clear();
    mine.entries = [];
    mine.hasOlder = true;
    loadOlder().then(render);
  }
  if (event.name === "transition" && event.data.revision === mine.head + 1) {
    mine.head = event.data.revision;
    mine.before = mine.state;
    mine.patch = event.data.patch;
    mine.state = patched(mine.state, mine.patch);
    mine.entries.unshift(event.data);
    if (mine.entries.length > shownMax) { mine.entries.length = shownMax; mine.hasOlder = true; }
    later("effects", refreshEffects, 150);
  }
  showLive("live", `Live, revision ${mine.head}`);
  later("render", render, 0);
}

function showLive(state, text) {
  $("live").dataset.state = state;
  $("live").textContent = text;
}

const timers = new Map();
/** Runs `job` once, a little later, however often it is asked for meanwhile. */
function later(name, job, milliseconds) {
  if (timers.has(name)) return;
  timers.set(name, setTimeout(() => { timers.delete(name); if (session !== null) job(); }, milliseconds));
}

// ---- The log

async function loadOlder() {
  const mine = session;
  const before = mine.entries.at(-1)?.revision ?? mine.head + 1;
  const after = Math.max(0, before - 1 - pageSize);
  const page = await mine.client.get(`/actions?after=${after}&before=${Math.max(1, before)}&limit=${pageSize}`);
  mine.entries.push(...page.actions.reverse());
  mine.hasOlder = after > 0 && page.actions.length > 0;
}

async function loadLastChange() {
  const mine = session;
  try { mine.patch = await mine.client.get(`/state/diff?from=${mine.head - 1}&to=${mine.head}`); } catch { mine.patch = []; }
}

$("older").addEventListener("click", async () => { await loadOlder(); renderActions(); });
$("search").addEventListener("input", () => renderActions());

function found() {
  const words = $("search").value.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return session.entries.filter((entry) => {
    const text = `${entry.revision} ${entry.type} ${write(entry.payload)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function renderActions() {
  const chosen = session.viewing ?? session.head;
  const entries = found();
  $("actions").replaceChildren(...entries.map((entry) => {
    const payload = write(entry.payload);
    const option = element("div", { id: `action-${entry.revision}`, role: "option" },
      element("span", {}, String(entry.revision)), element("span", {}, entry.type),
      element("small", {}, `${new Date(entry.at).toLocaleTimeString()}  ${payload === "{}" ? "" : payload}`));
    option.setAttribute("aria-selected", String(entry.revision === chosen));
    option.addEventListener("click", () => travel(entry.revision));
    return option;
  }));
  $("actions").setAttribute("aria-activedescendant", `action-${chosen}`);
  $("actions-count").textContent = entries.length === session.entries.length ? `(${entries.length})` : `(${entries.length} of ${session.entries.length})`;
  $("older").hidden = !session.hasOlder;
}

$("actions").addEventListener("keydown", (event) => {
  const entries = found();
  const at = entries.findIndex((entry) => entry.revision === (session.viewing ?? session.head));
  const to = { ArrowDown: at + 1, ArrowUp: Math.max(0, at - 1), Home: 0, End: entries.length - 1 }[event.key];
  if (to === undefined || entries[to] === undefined) return;
  event.preventDefault();
  travel(entries[to].revision);
  $(`action-${entries[to].revision}`)?.scrollIntoView({ block: "nearest" });
});

// ---- Time travel

/** The state at a revision, its predecessor's, and what lies between them. */
async function stateAt(mine, revision) {
  if (revision === mine.head) return { state: mine.state, before: mine.before, patch: mine.patch };
  if (!mine.states.has(revision)) {
    const state = mine.client.get(`/state?revision=${revision}`).then((past) => past.state);
    const patch = revision === 0 ? [] : mine.client.get(`/state/diff?from=${revision - 1}&to=${revision}`).catch(() => []);
    const before = revision === 0 ? undefined : mine.client.get(`/state?revision=${revision - 1}`).then((past) => past.state, () => undefined);
    mine.states.set(revision, Promise.all([state, patch, before]).then(([state, patch, before]) => ({ state, patch, before })));
    if (mine.states.size > 100) mine.states.delete(mine.states.keys().next().value);
  }
  return mine.states.get(revision);
}

/** Shows a revision; the newest one is the live view. */
function travel(revision) {
  const bounded = Math.max(0, Math.min(revision, session.head));
  session.viewing = bounded === session.head ? null : bounded;
  render();
}

$("slider").addEventListener("input", () => travel(Number($("slider").value)));
$("earlier").addEventListener("click", () => travel((session.viewing ?? session.head) - 1));
$("later").addEventListener("click", () => travel((session.viewing ?? session.head) + 1));
$("now").addEventListener("click", () => travel(session.head));
document.addEventListener("keydown", (event) => { if (event.key === "Escape" && session !== null) travel(session.head); });

$("restore").addEventListener("click", () => answer("Restored", async () => {
  const receipt = await session.client.post(`/account/restore?revision=${session.viewing ?? session.head}`);
  travel(session.head);
  return receipt;
}));

$("fork").addEventListener("click", () => answer("Forked", async () => {
  const copy = await session.client.post(`/accounts?fork=${session.viewing ?? session.head}`);
  const change = element("button", { type: "button" }, `Go to account ${copy.account}`);
  change.addEventListener("click", () => signIn(copy.token).catch((error) => showSignIn(error.message)));
  return element("p", {}, `Account ${copy.account} is a copy of this one at revision ${copy.fork.revision}. `, change);
}));

async function render() {
  const mine = session;
  const revision = mine.viewing ?? mine.head;
  Object.assign($("slider"), { max: mine.head, value: revision });
  $("place").textContent = mine.viewing === null ? `live, revision ${mine.head}` : `revision ${revision} of ${mine.head}`;
  $("time").classList.toggle("past", mine.viewing !== null);
  $("now").disabled = mine.viewing === null;
  $("earlier").disabled = revision === 0;
  $("later").disabled = mine.viewing === null;
  $("restore").disabled = mine.viewing === null;
  renderActions();
  let shown;
  try { shown = await stateAt(mine, revision); } catch (error) {
    if (session === mine) $("tree").replaceChildren(problemText(error));
    return;
  }
  if (session !== mine || (mine.viewing ?? mine.head) !== revision) return;
  const place = $("tree").scrollTop;
  $("tree").replaceChildren(tree("state", shown.state, shown.patch.map((step) => step.path)));
  $("tree").scrollTop = place;
  $("diff").replaceChildren(changeList(shown.patch, shown.before));
  const entry = mine.entries.find((entry) => entry.revision === revision);
  $("entry").replaceChildren(entry === undefined
    ? element("p", { className: "hint" }, revision === 0 ? "The initial state." : "The entry is not loaded, or not kept.")
    : element("pre", {}, write({ ...entry, patch: undefined }, "  ").replace(/,?\n *"patch": undefined/, "")));
}

// ---- Tabs

const tabs = ["tree", "diff", "entry"];
function choose(name) {
  for (const tab of tabs) {
    $(`tab-${tab}`).setAttribute("aria-selected", String(tab === name));
    $(`tab-${tab}`).tabIndex = tab === name ? 0 : -1;
    $(tab).hidden = tab !== name;
  }
}
for (const [index, tab] of tabs.entries()) {
  $(`tab-${tab}`).addEventListener("click", () => choose(tab));
  $(`tab-${tab}`).addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = tabs[(index + step + tabs.length) % tabs.length];
    choose(next);
    $(`tab-${next}`).focus();
  });
}

// ---- Dispatching

function fillTypes() {
  const group = (label, origin, disabled) => element("optgroup", { label, disabled }, ...session.types
    .filter((type) => type.origin === origin).map((type) => element("option", { value: type.type }, type.type)));
  $("type").replaceChildren(group("Intentions", "intention", false), group("Facts, which only the service reports", "fact", true));
  for (const name of ["undo", "redo"]) $(name).hidden = !session.types.some((type) => type.type === `history/${name}`);
  fillPayload();
}

function fillPayload() {
  const type = session.types.find((type) => type.type === $("type").value);
  $("summary").textContent = type?.summary ?? "";
  $("payload").value = type?.example === undefined ? "" : write(type.example, "  ");
}

$("type").addEventListener("change", fillPayload);

/** The action as it was written: what is wrong with it is for the service to say. */
function written() {
  const payload = $("payload").value.trim();
  return `{"type":${write($("type").value)}${payload === "" ? "" : `,"payload":${payload}`}}`;
}

const dispatch = (body) => answer("Accepted", () => session.client.post("/actions", body));

$("dispatch-form").addEventListener("submit", (event) => { event.preventDefault(); dispatch(written()); });
$("payload").addEventListener("keydown", (event) => { if (event.key === "Enter" && event.ctrlKey) dispatch(written()); });
$("undo").addEventListener("click", () => dispatch('{"type":"history/undo"}'));
$("redo").addEventListener("click", () => dispatch('{"type":"history/redo"}'));

$("dry-run").addEventListener("click", () => answer("Dry run: nothing was kept", async () => {
  const receipt = await session.client.post("/actions?dryRun=true", written());
  const effects = receipt.effects.map((effect) => `${effect.kind} ${write(effect.effect)}`);
  return element("div", {}, element("p", {}, `It would lead to revision ${receipt.revision}${receipt.changed ? "" : ", changing nothing"}.`),
    element("p", {}, effects.length === 0 ? "It would ask for no effect." : "It would ask for:"),
    ...effects.map((effect) => element("pre", {}, effect)),
    element("details", {}, element("summary", {}, "The state it would give"), element("pre", {}, write(receipt.state, "  "))));
}));

/** Does something and says how it went, in the one place for that. */
async function answer(title, work) {
  const place = $("answer");
  try {
    const result = await work();
    place.className = "";
    const text = result instanceof Node ? result
      : element("p", {}, result.actions.map((action) => `${action.type} is revision ${action.revision}`).join(", ") + (result.changed ? "" : "; it changed nothing"));
    place.replaceChildren(element("strong", {}, title), text);
  } catch (error) {
    place.className = "problem";
    place.replaceChildren(problemText(error));
    if (error instanceof Problem && error.status === 401) showSignIn("The session has ended.");
  }
}

function problemText(error) {
  if (!(error instanceof Problem)) return element("p", {}, `The service could not be reached: ${error.message}`);
  const { title, detail, pointer, type } = error.body;
  const rows = [element("strong", {}, `${error.status} ${title ?? "Refused"}`), element("p", {}, detail ?? "")];
  if (pointer !== undefined) rows.push(element("p", {}, "At ", element("code", {}, pointer === "" ? "the whole body" : pointer)));
  if (type !== undefined) rows.push(element("p", { className: "hint mono" }, type));
  return element("div", {}, ...rows);
}

// ---- What waits to be run

async function refreshEffects() {
  const mine = session;
  try {
    const list = await mine.client.get("/account/effects");
    if (session !== mine) return;
    mine.effects = list.effects;
  } catch { return; }
  renderEffects();
}

function renderEffects() {
  const now = Date.now();
  if (session.effects.length === 0) return $("effects").replaceChildren(element("p", { className: "hint" }, "Nothing waits."));
  const rows = session.effects.map((effect) => {
    const seconds = Math.ceil((effect.due - now) / 1000);
    const when = effect.dead !== null ? `dead: ${effect.dead}` : seconds > 0 ? `in ${seconds} s` : "running";
    return element("tr", {}, element("td", {}, effect.kind), element("td", {}, when), element("td", {}, String(effect.revision)), element("td", {}, String(effect.attempt)));
  });
  const heads = ["Effect", "Due", "Asked at", "Attempts"].map((text) => element("th", { scope: "col" }, text));
  $("effects").replaceChildren(element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows)));
  later("countdown", renderEffects, 1000);
}

showSignIn();
