// Speaks with the service: requests with the account's token, and its events. The token is in this module's memory and nowhere else.

import { parse } from "./json.js";

/** An answer that is not a success: application/problem+json, or what is left of it. */
export class Problem extends Error {
  constructor(status, body) {
    super(body.title ?? `The service answered ${status}.`);
    this.status = status;
    this.body = body;
  }
}

export class Client {
  #token;

  constructor(token) { this.#token = token; }

  /** The parsed body of a successful answer; throws a Problem otherwise. `body` is JSON text. */
  async request(method, path, body) {
    const answer = await this.#fetch(method, path, body === undefined ? {} : { body, headers: { "Content-Type": "application/json" } });
    const text = await answer.text();
    return text === "" ? null : parse(text);
  }

  get(path) { return this.request("GET", path); }
  post(path, body) { return this.request("POST", path, body); }

  /** The account's events from an id on, until the stream ends: {id, name, data}; first of all an `open`. */
  async *events(after, signal) {
    const answer = await this.#fetch("GET", "/events?patch=true", { signal, headers: { "Last-Event-ID": after } });
    yield { name: "open" };
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) {
        const event = { name: "message", data: [] };
        for (const line of block.split("\n")) {
          const colon = line.indexOf(":");
          if (colon < 1) continue;
          const field = line.slice(0, colon);
          const content = line.slice(colon + 1).replace(/^ /, "");
          if (field === "data") event.data.push(content);
          if (field === "event") event.name = content;
          if (field === "id") event.id = content;
        }
        if (event.data.length > 0) yield { ...event, data: parse(event.data.join("\n")) };
      }
    }
  }

  async #fetch(method, path, { headers = {}, ...options }) {
    const authorization = this.#token === null ? {} : { Authorization: `Bearer ${this.#token}` };
    const answer = await fetch(path, {
      method, ...options, headers: { ...headers, ...authorization }, cache: "no-store", credentials: "omit", redirect: "error",
    });
    if (answer.ok) return answer;
    let body = {};
    try { body = parse(await answer.text()); } catch { /* no problem document: the status says all there is */ }
    throw new Problem(answer.status, body);
  }
}
