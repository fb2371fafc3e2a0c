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
    { class: `turn ${turn.decided ? "deciding " : ""}${["system", "user", "assistant", "tool", "judge"].includes(turn.role) ? turn.role : "other"}` },
    knowact.element("p", { class: "role" }, turn.role, turn.problem ? knowact.element("span", { class: "problem", text: turn.problem }) : null),
    turn.decided ? knowact.element("p", { class: "decided", dir: "auto", text: `Failed here: ${turn.decided}` }) : null,
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
  const asked = knowact.blockOf(suite).fields.needed.values.some((names) => names !== null);
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
    ["Offered", item.offered.join(", ") || "nothing"],
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

knowact.transcriptParts = function (transcript) {
  if (transcript === null) return [knowact.element("p", { class: "quiet", text: "The transcript is in the log. Open it with:" })];
  const error = transcript.error ? [knowact.element("p", { class: "warning", text: transcript.error })] : [];
  const probes = transcript.probes.map((probe) =>
      knowact.element(
        "section",
        {},
        knowact.element("h4", { text: `Probe ${knowact.spaced(probe.name)}` }),
        knowact.element("ol", { class: "turns" }, ...probe.turns.map(knowact.turn)),
      ),
    );
  return [...error, ...knowact.failures(probes), ...probes];
};

/** What decided that the trial failed, each with the way to its message. */
knowact.failures = (probes) =>
  probes.flatMap((probe) =>
    [...probe.querySelectorAll(".decided")].map((mark) => {
      const go = () => mark.closest(".turn").scrollIntoView({ block: "center" });
      const show = knowact.element("button", { type: "button", text: "Show the message", on: { click: go } });
      return knowact.element("p", { class: "failure", dir: "auto" }, mark.textContent.replace(/^Failed here: /, "Failed: "), " ", show);
    }),
  );

/** "base_013, removed, epoch 2", as nodes. */
knowact.trialName = function (item) {
  const name = knowact.element("bdi", { text: item.item });
  const rest = item.condition + (item.epoch > 1 ? `, epoch ${item.epoch}` : "");
  return { name, rest };
};

/**
 * Fill the dialog and open it.
 * @param {object} given - `title` and `source` (nodes or texts), `wide`, `link` (a hash), `step` (from -1 or 1 to
 *   what opens the previous or next one, or null) and `body` (nodes).
 */
knowact.showDialog = function (given) {
  const dialog = document.getElementById("trial-dialog");
  const button = (text, label, run, disabled) =>
    knowact.element("button", { type: "button", text, title: label, "aria-label": label, disabled, on: { click: run } });
  const { step } = given;
  const heading = knowact.element("h3", { tabindex: -1 }, given.title);
  const steps = step
    ? [
        button("← Previous", "Previous (left arrow, or k)", () => step(-1)?.(), step(-1) === null),
        button("Next →", "Next (right arrow, or j)", () => step(1)?.(), step(1) === null),
      ]
    : [];
  const link = given.link
    ? [button("Copy link", "Copy a link that opens this", (event) => knowact.copy(knowact.address(given.link), event.currentTarget))]
    : [];
  const buttons = knowact.element("div", { class: "steps" }, ...steps, ...link, button("Close", "Close (Escape)", knowact.closeDialog));
  dialog.classList.toggle("wide", Boolean(given.wide));
  dialog.replaceChildren(
    knowact.element("header", {}, knowact.element("div", {}, heading, knowact.element("p", { class: "source" }, given.source)), buttons),
    ...given.body,
  );
  knowact.dialogStep = step ?? (() => null);
  if (given.link) knowact.remember(given.link);
  if (!dialog.open) dialog.showModal();
  heading.focus();
  dialog.scrollTop = 0;
};

/** Close it at once: the event that says so waits for the next frame. */
knowact.closeDialog = function () {
  document.getElementById("trial-dialog").close();
  knowact.asked = null;
  knowact.forget();
};

/** What opens the trial before or after one in the table as it is filtered and sorted; null at its ends. */
knowact.trialStep = (item) => (by) => {
  const found = knowact.trials.found ?? [];
  const at = found.indexOf(item);
  const next = at < 0 ? undefined : found[at + by];
  return next === undefined ? null : () => knowact.openTrial(next);
};

/** Open one trial. The last one asked for wins, however long a transcript takes to decompress. */
knowact.openTrial = async function (item) {
  const asked = (knowact.asked = Symbol());
  const transcript = await knowact.transcript(item);
  if (asked !== knowact.asked) return;
  const { name, rest } = knowact.trialName(item);
  knowact.showDialog({
    title: name,
    source: rest,
    link: knowact.trialLink(item),
    step: knowact.trialStep(item),
    body: [knowact.trialFacts(item), knowact.trialDetails(item), ...knowact.transcriptParts(transcript), knowact.viewCommand(item)],
  });
};

knowact.startTranscript = function () {
  const dialog = document.getElementById("trial-dialog");
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) knowact.closeDialog(); // the backdrop
  });
  dialog.addEventListener("close", () => {
    if (!dialog.open) knowact.closeDialog(); // Escape; it may have been opened again since
  });
  const ways = { ArrowLeft: -1, k: -1, ArrowRight: 1, j: 1 };
  dialog.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
    const next = event.key in ways ? knowact.dialogStep(ways[event.key]) : null;
    if (next === null) return;
    event.preventDefault();
    next();
  });
};
