"use strict";

/* Two runs side by side: the items on which they differ, and both transcripts of one of them. */

knowact.sides = { a: null, b: null, by: null, ahead: "", where: [], shown: 0, found: [] };

knowact.FIRST = 15; // rows at first
knowact.ROWS = 50; // added at a time

/** The items of one run, in order. */
knowact.itemsOf = function (run) {
  if (!knowact.byRun) {
    knowact.byRun = new Map(knowact.data.runs.map((_, at) => [at, []]));
    for (const item of knowact.data.items) knowact.byRun.get(item.run).push(item);
  }
  return knowact.byRun.get(run) ?? [];
};

/** What two runs of a suite can be compared by. A quadrant is no result: it is what was known and done. */
knowact.waysToDiffer = (suite) => [
  ...knowact.data.compared[suite].filter((way) => way.results.some((name) => Object.hasOwn(knowact.blockOf(suite).groups.results, name))),
  { name: "knew or acted", results: ["knew", "acted"] },
];

/** One value as a number; null where it was not measured. */
knowact.measured = function (item, name) {
  const value = item.results[name]?.value ?? item[name];
  return typeof value === "boolean" ? Number(value) : typeof value === "number" ? value : null;
};

/** Whether two runs are of one suite and on the same data: an id alone makes no pair. */
knowact.sameData = function (a, b) {
  const [one, other] = [knowact.data.runs[a], knowact.data.runs[b]];
  return one.suite === other.suite && one.dataset === other.dataset;
};

/** The same trials in both runs; none on different data. Runs of one condition each are paired by item and epoch, as `knowact compare` does. */
knowact.pairsOf = function (a, b) {
  if (!knowact.sameData(a, b)) return [];
  const [one, other] = [knowact.itemsOf(a), knowact.itemsOf(b)];
  const conditions = [one, other].map((items) => [...new Set(items.map((item) => item.condition))]);
  const alone = conditions.every((names) => names.length === 1) && conditions[0][0] !== conditions[1][0];
  const key = (item) => JSON.stringify([item.item, alone ? "" : item.condition, item.epoch]);
  const found = new Map(other.map((item) => [key(item), item]));
  return one.map((item) => [item, found.get(key(item))]).filter((pair) => pair[1] !== undefined);
};

/** How far the second is ahead in what is compared; null where they do not differ, or one has no value. */
knowact.gap = function ([one, other], results) {
  const gaps = results.map((name) => {
    const values = [knowact.measured(one, name), knowact.measured(other, name)];
    return values.includes(null) ? 0 : values[1] - values[0];
  });
  return gaps.some((gap) => gap !== 0) ? gaps.reduce((sum, gap) => sum + gap, 0) : null;
};

/** The pairs that differ as chosen. */
knowact.differing = function () {
  const { a, b, by, ahead, where } = knowact.sides;
  const fits = (item) => where.every(([field, value]) => knowact.field(item, field) === value);
  return knowact.pairsOf(a, b).filter((pair) => {
    const gap = knowact.gap(pair, by.results);
    return gap !== null && fits(pair[0]) && (ahead === "" || (ahead === "a" ? gap < 0 : gap > 0));
  });
};

/** A run's model, and its id where other runs of the suite have the same model. */
knowact.runName = function (at) {
  const run = knowact.data.runs[at];
  const alike = knowact.data.runs.filter((other) => other.suite === run.suite && other.model === run.model);
  return alike.length > 1 ? `${run.model} (${run.id})` : run.model;
};

/** Why a trial came out as it did: the reasons of what is compared, and probes that ended without an answer. */
knowact.reasons = function (item, results) {
  const why = results.map((name) => item.results[name]?.why).filter(Boolean);
  const decided = item.decided.map((one) => one.why);
  const ended = Object.entries(item.outcomes).filter(([, outcome]) => !["answered", "not_run"].includes(outcome));
  const endings = ended.map(([probe, outcome]) => `${knowact.spaced(probe)}: ${knowact.spaced(outcome)}`);
  const said = why.length ? why : decided;
  return [...new Set([...said, ...endings])].join("; ");
};

knowact.valuesOf = (item, results) => results.map((name) => knowact.number(knowact.measured(item, name))).join(", ");

knowact.sidesLink = function (pair) {
  const { a, b, by, ahead, where } = knowact.sides;
  const trial = pair ? [["item", pair[0].item], ["condition", pair[0].condition], ["epoch", pair[0].epoch]] : [];
  const runs = [["a", knowact.data.runs[a].id], ["b", knowact.data.runs[b].id]];
  const groups = where.map(([field, value]) => [`with.${field}`, value]);
  return knowact.hash(["sides"], [...runs, ["by", by.results.join(" ")], ["ahead", ahead], ...groups, ...trial]);
};

knowact.pane = function (item, letter, transcript) {
  const name = knowact.element("h4", { class: "pane-name" }, `${letter}: `, knowact.element("bdi", { text: knowact.runName(item.run) }));
  return knowact.element(
    "section",
    { class: "pane", "aria-label": `${letter}: ${knowact.runName(item.run)}` },
    name,
    knowact.trialFacts(item),
    knowact.trialDetails(item),
    ...knowact.transcriptParts(transcript),
    knowact.viewCommand(item),
  );
};

knowact.openPair = async function (pair) {
  const asked = (knowact.asked = Symbol());
  const transcripts = await Promise.all(pair.map(knowact.transcript));
  if (asked !== knowact.asked) return;
  const { name, rest } = knowact.trialName(pair[0]);
  const step = (by) => {
    const at = knowact.sides.found.indexOf(pair);
    const next = at < 0 ? undefined : knowact.sides.found[at + by];
    return next === undefined ? null : () => knowact.openPair(next);
  };
  const panes = pair.map((item, at) => knowact.pane(item, "AB"[at], transcripts[at]));
  const body = [knowact.element("div", { class: "panes" }, ...panes)];
  knowact.showDialog({ title: name, source: rest, link: knowact.sidesLink(pair), step, wide: true, body });
};

knowact.sidesRow = function (pair, several) {
  const { results } = knowact.sides.by;
  const click = () => knowact.openPair(pair);
  const open = knowact.element("button", { type: "button", class: "open", on: { click } }, knowact.element("bdi", { text: pair[0].item }));
  const values = pair.map((item, at) => knowact.element("td", { class: "number", "data-head": "AB"[at], text: knowact.valuesOf(item, results) }));
  const reasons = pair.map((item, at) => knowact.element("td", { class: "reason", "data-head": `${"AB"[at]} because`, dir: "auto", text: knowact.reasons(item, results) || "–" }));
  const condition = several ? [knowact.element("td", { text: pair[0].condition, dir: "auto" })] : [];
  const row = knowact.element("tr", {}, knowact.element("th", { scope: "row", class: "head" }, open), ...condition, ...values, ...reasons);
  row.addEventListener("click", (event) => {
    if (!event.target.closest("button")) click();
  });
  return row;
};

knowact.renderSides = function () {
  const { a, b, by, shown } = knowact.sides;
  const found = (knowact.sides.found = knowact.differing());
  const several = new Set(found.map((pair) => pair[0].condition)).size > 1;
  const measure = knowact.spaced(by.name);
  const values = by.results.map(knowact.spaced).join(", ");
  const heads = ["Trial", ...(several ? ["Condition"] : []), `A: ${values}`, `B: ${values}`, "A because", "B because"];
  const head = knowact.element("tr", {}, ...heads.map((text) => knowact.element("th", { scope: "col", text })));
  document.getElementById("sides-table").replaceChildren(
    knowact.element("caption", { class: "unseen", text: "Trials on which the two runs differ" }),
    knowact.element("thead", {}, head),
    knowact.element("tbody", {}, ...found.slice(0, shown).map((pair) => knowact.sidesRow(pair, several))),
  );
  const both = knowact.pairsOf(a, b).length.toLocaleString("en");
  document.getElementById("sides-count").textContent = `${found.length.toLocaleString("en")} of ${both} trials that both runs have differ in ${measure}.`;
  const left = found.length - shown;
  const more = () => {
    knowact.sides.shown += knowact.ROWS;
    knowact.renderSides();
  };
  const next = knowact.element("button", { type: "button", text: `Show ${Math.min(left, knowact.ROWS)} more of ${left}`, on: { click: more } });
  document.getElementById("sides-more").replaceChildren(...(left > 0 ? [next] : []), knowact.linkButton(() => knowact.sidesLink()));
};

knowact.sidesChoice = function (title, options, chosen, take) {
  const made = options.map(([value, text]) => knowact.element("option", { value, text, selected: value === chosen }));
  const change = (event) => {
    take(event.target.value);
    knowact.renderSidesControls();
    knowact.renderSides();
  };
  return knowact.element("label", {}, knowact.element("span", { text: title }), knowact.element("select", { on: { change } }, ...made));
};

knowact.renderSidesControls = function () {
  const { a, b, by, ahead, where } = knowact.sides;
  const { suite } = knowact.data.runs[a];
  const ways = knowact.waysToDiffer(suite);
  if (!ways.some((way) => way.name === by.name)) ways.push(by);
  const named = (keep) => knowact.data.runs.map((run, at) => [String(at), knowact.runName(at), run]).filter(([, , run]) => keep(run));
  const suites = knowact.comparable();
  const groups = where.map(([field, value]) =>
    knowact.element("bdi", { class: "chip", text: `${knowact.spaced(field.replace(/^label:/, ""))}: ${value}` }),
  );
  const all = () => {
    knowact.sides.where = [];
    knowact.renderSidesControls();
    knowact.renderSides();
  };
  const chooseFirst = (at) => {
    knowact.sides.a = Number(at);
    if (knowact.sameData(Number(at), knowact.sides.b)) return;
    const there = knowact.data.runs.findIndex((_, other) => other !== Number(at) && knowact.sameData(Number(at), other));
    knowact.sides.b = there < 0 ? Number(at) : there;
  };
  const clear = knowact.element("button", { type: "button", text: "All groups", on: { click: all } });
  const runs = named((run) => run.suite === suite);
  const others = runs.filter(([at]) => knowact.sameData(a, Number(at)));
  document.getElementById("sides-controls").replaceChildren(
    ...(suites.length > 1
      ? [knowact.sidesChoice("Suite", suites.map((name) => [name, knowact.spaced(name)]), suite, knowact.chooseSuite)]
      : []),
    knowact.sidesChoice("A", runs, String(a), chooseFirst),
    knowact.sidesChoice("B", others, String(b), (at) => (knowact.sides.b = Number(at))),
    knowact.sidesChoice("Differ in", ways.map((way) => [way.name, knowact.spaced(way.name)]), by.name, (name) => {
      knowact.sides.by = ways.find((way) => way.name === name);
    }),
    knowact.sidesChoice("Better", [["", "A or B"], ["a", "A"], ["b", "B"]], ahead, (side) => (knowact.sides.ahead = side)),
    ...(groups.length ? [knowact.element("p", { class: "trace" }, ...groups, clear)] : []),
  );
};

/** The suites of which there are two runs on the same data. */
knowact.comparable = function () {
  const paired = knowact.data.runs.filter((_, a) => knowact.data.runs.some((_other, b) => a !== b && knowact.sameData(a, b)));
  return [...new Set(paired.map((run) => run.suite))];
};

/** Begin with the first two runs of a suite that differ, in the first result in which they do. */
knowact.chooseSuite = function (suite) {
  const runs = knowact.data.runs.flatMap((run, at) => (run.suite === suite ? [at] : []));
  const ways = knowact.waysToDiffer(suite);
  const a = runs.find((one) => runs.some((other) => other !== one && knowact.sameData(one, other)));
  const others = runs.filter((one) => one !== a && knowact.sameData(a, one));
  Object.assign(knowact.sides, { a, b: others[0], by: ways[0], ahead: "", where: [], shown: knowact.FIRST });
  for (const b of others) {
    const pairs = knowact.pairsOf(a, b);
    const by = ways.find((way) => pairs.some((pair) => knowact.gap(pair, way.results) !== null));
    if (by) return Object.assign(knowact.sides, { b, by });
  }
};

/** Choose runs, and open a trial of both, as a link says. */
knowact.chooseSides = async function (given) {
  const at = (id) => knowact.data.runs.findIndex((run) => run.id === id);
  const [a, b] = [at(given.a), at(given.b)];
  const lost = a < 0 ? given.a : given.b;
  if (a < 0 || b < 0) return knowact.noSuch(`This page has no run ${lost}.`);
  if (knowact.data.runs[a].suite !== knowact.data.runs[b].suite) return knowact.noSuch("The two runs are not of one suite.");
  if (!knowact.sameData(a, b)) return knowact.noSuch("The two runs are on different data: none of their items are the same.");
  const ways = knowact.waysToDiffer(knowact.data.runs[a].suite);
  const results = (given.by ?? "").split(" ").filter(Boolean);
  const by = knowact.wayOf(ways, results, results.join(", "));
  const where = Object.entries(given).filter(([field]) => field.startsWith("with."));
  Object.assign(knowact.sides, { a, b, by, ahead: given.ahead ?? "", shown: knowact.FIRST, where: where.map(([field, value]) => [field.slice(5), value]) });
  knowact.renderSidesControls();
  knowact.renderSides();
  if (given.item === undefined) return;
  const trial = ([one]) => one.item === given.item && one.condition === (given.condition ?? one.condition) && String(one.epoch) === (given.epoch ?? "1");
  const pair = knowact.sides.found.find(trial) ?? knowact.pairsOf(a, b).find(trial);
  if (pair === undefined) return knowact.noSuch(`The two runs have no trial ${given.item} in common.`);
  knowact.before = knowact.sidesLink(); // closed, it leaves the two runs in view
  await knowact.openPair(pair);
};

/** A way to differ by its results; the first one for none, a new one for those that no way has. */
knowact.wayOf = function (ways, results, name) {
  if (!results.length) return ways[0];
  return ways.find((way) => way.results.join() === results.join()) ?? { name, results };
};

/** From a number that compares two runs to the trials on which they differ. */
knowact.showPaired = function (trace, cell) {
  for (const old of document.querySelectorAll(".cell.asked")) old.classList.remove("asked");
  cell.classList.add("asked");
  const { first, second, results } = trace.paired;
  const at = (id) => knowact.data.runs.findIndex((run) => run.id === id);
  const ways = knowact.waysToDiffer(trace.suite);
  const by = results.length ? knowact.wayOf(ways, results, results.join(", ")) : ways.at(-1);
  Object.assign(knowact.sides, { a: at(first), b: at(second), by, ahead: "", where: trace.where, shown: knowact.FIRST });
  knowact.renderSidesControls();
  knowact.renderSides();
  knowact.reveal(document.getElementById("sides"));
  document.querySelector("#sides h2").focus({ preventScroll: true });
};

knowact.startSides = function () {
  if (document.getElementById("sides") === null) return;
  document.querySelector("#sides h2").setAttribute("tabindex", "-1");
  knowact.chooseSuite(knowact.comparable()[0]);
  knowact.renderSidesControls();
  knowact.renderSides();
};
