"use strict";

/* One trial: its required tools, what the agent said and did, and the results. */

/** A set of tools; those outside `reference` and those missing from it are marked in words and colour. */
knowact.toolSet = function (tools, reference) {
  if (tools === null) return knowact.element("span", { class: "quiet", text: "unreadable, or not asked" });
  const list = knowact.element("span", { class: "tools" });
  const add = (tool, kind, title) => list.append(knowact.element("bdi", { class: `chip ${kind}`, title, text: tool }));
  for (const tool of tools) {
    const extra = reference !== null && !reference.includes(tool);
    add(extra ? `+ ${tool}` : tool, extra ? "extra" : "", extra ? "not required" : "required");
  }
  for (const tool of reference ?? []) if (!tools.includes(tool)) add(`− ${tool}`, "missing", "required, but missing");
  if (!list.children.length) list.append(knowact.element("span", { class: "quiet", text: "none" }));
  return list;
};

knowact.prettyArguments = function (text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return text; // broken arguments are shown as the model wrote them
  }
};

knowact.turn = function (turn) {
  const calls = turn.calls.map((call) =>
    knowact.element(
      "div",
      { class: "call" },
      knowact.element("bdi", { class: "tool", text: call.tool }),
      knowact.element("pre", { text: knowact.prettyArguments(call.arguments), dir: "auto", tabindex: 0 }),
    ),
  );
  return knowact.element(
    "li",
    { class: `turn ${["system", "user", "assistant", "tool", "judge"].includes(turn.role) ? turn.role : "other"}` },
    knowact.element("p", { class: "role" }, turn.role, turn.problem ? knowact.element("span", { class: "problem", text: turn.problem }) : null),
    turn.text ? knowact.element("pre", { text: turn.text, dir: "auto", tabindex: 0 }) : null,
    ...calls,
  );
};

knowact.resultText = function (result) {
  const value = result.status ? knowact.spaced(result.status) : knowact.number(result.value);
  const by = result.by ? ` by ${result.by}` : "";
  return `${value}${by}${result.why ? `: ${result.why}` : ""}`;
};

/** [name, text or element] pairs as a list. */
knowact.pairs = (pairs) =>
  knowact.element(
    "dl",
    {},
    ...pairs.flatMap(([name, value]) => [
      knowact.element("dt", { text: name }),
      knowact.element("dd", { dir: "auto" }, value),
    ]),
  );

/** The facts that decide the trial, above its transcript. */
knowact.trialFacts = function (item) {
  const outcomes = Object.entries(item.outcomes).map(([probe, outcome]) => [`Outcome of ${knowact.spaced(probe)}`, knowact.spaced(outcome)]);
  const { id, suite } = knowact.run(item);
  const asked = knowact.data.items.some((one) => one.needed !== null && knowact.run(one).suite === suite);
  const said = asked ? [["Said it needs", knowact.toolSet(item.needed, item.required)]] : [];
  return knowact.pairs([
    ["Run", id],
    ["Required", knowact.toolSet(item.required, null)],
    ...said,
    ["Used", knowact.toolSet(item.used, item.required)],
    ["Knew, acted", `${knowact.truth(item.knew)}, ${knowact.truth(item.acted)}`],
    ...outcomes,
  ]);
};

/** The rest, folded. */
knowact.trialDetails = function (item) {
  const [sent, received] = item.tokens.map((count) => count.toLocaleString("en"));
  const pairs = [
    ...Object.entries(item.results).map(([name, result]) => [knowact.spaced(name), knowact.resultText(result)]),
    ...Object.entries(item.labels).map(([name, value]) => [knowact.spaced(name), value]),
    ...Object.entries(item.flags).map(([name, count]) => [`Flag ${knowact.spaced(name)}`, String(count)]),
    ["Offered", knowact.offered(item).join(", ") || "nothing"],
    ["Cluster", item.cluster],
    ["Effort", `${item.calls} calls; ${sent} tokens in, ${received} out; ${knowact.number(item.seconds)} s`],
  ];
  if (item.cost !== null) pairs.push(["Cost", `${knowact.number(item.cost)} US dollars`]);
  return knowact.element("details", {}, knowact.element("summary", { text: "Results, labels, effort" }), knowact.pairs(pairs));
};

knowact.viewCommand = function (item) {
  const button = knowact.element("button", { type: "button", text: "Copy" });
  button.addEventListener("click", () => knowact.copy(item.view, button));
  return knowact.element("p", { class: "command" }, knowact.element("code", { text: item.view }), button);
};

/** The chunks of compressed transcripts, and where in them each trial's is; read when a trial is first opened. */
knowact.embedded = function () {
  if (knowact.chunks === undefined) {
    knowact.chunks = JSON.parse(document.getElementById("transcripts").textContent);
    knowact.chunkOf = new Map();
    for (const chunk of knowact.chunks) chunk.places.forEach((place, at) => knowact.chunkOf.set(place, { chunk, at }));
  }
  return knowact.chunkOf;
};

/** The transcripts of one chunk; kept, because the trials beside one are often in it. */
knowact.unpacked = function (chunk) {
  chunk.transcripts ??= (async () => {
    const bytes = Uint8Array.from(atob(chunk.data), (sign) => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  })();
  return chunk.transcripts;
};

/** A trial's transcript; null where the page has none, or the browser cannot decompress it. */
knowact.transcript = async function (item) {
  const found = knowact.embedded().get(knowact.data.items.indexOf(item));
  if (found === undefined || typeof DecompressionStream === "undefined") return null;
  return (await knowact.unpacked(found.chunk))[found.at];
};

knowact.transcriptParts = function (transcript) {
  if (transcript === null) return [knowact.element("p", { class: "quiet", text: "The transcript is in the log. Open it with:" })];
  const error = transcript.error ? [knowact.element("p", { class: "warning", text: transcript.error })] : [];
  return [
    ...error,
    ...transcript.probes.map((probe) =>
      knowact.element(
        "section",
        {},
        knowact.element("h4", { text: `Probe ${knowact.spaced(probe.name)}` }),
        knowact.element("ol", { class: "turns" }, ...probe.turns.map(knowact.turn)),
      ),
    ),
  ];
};

knowact.openTrial = async function (item) {
  const transcript = await knowact.transcript(item);
  const dialog = document.getElementById("trial-dialog");
  const close = knowact.element("button", { type: "button", text: "Close", on: { click: () => dialog.close() } });
  const condition = item.condition + (item.epoch > 1 ? `, epoch ${item.epoch}` : "");
  const title = knowact.element("h3", { tabindex: -1 }, knowact.element("bdi", { text: item.item }));
  dialog.replaceChildren(
    knowact.element("header", {}, knowact.element("div", {}, title, knowact.element("p", { class: "source", text: condition })), close),
    knowact.trialFacts(item),
    knowact.trialDetails(item),
    ...knowact.transcriptParts(transcript),
    knowact.viewCommand(item),
  );
  dialog.showModal();
  title.focus();
  dialog.scrollTop = 0;
};

knowact.startTranscript = function () {
  const dialog = document.getElementById("trial-dialog");
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close(); // the backdrop
  });
};
