"use strict";

/* The table of trials: filter, sort, and more on demand. */

knowact.PAGE = 100; // rows added at a time: thousands at once make a phone slow
knowact.MEASURES_SHOWN = 4; // the rest is in the trial's own box

knowact.trials = { text: "", chosen: {}, trace: null, sort: null, shown: knowact.PAGE };

knowact.run = (item) => knowact.data.runs[item.run];

/** The value of one field that a trace or a choice may ask for. */
knowact.field = function (item, field) {
  const run = knowact.run(item);
  if (field.startsWith("label:")) return item.labels[field.slice(6)] ?? "";
  if (field.startsWith("outcome:")) return item.outcomes[field.slice(8)] ?? "";
  if (field === "run") return run.id;
  if (field === "knew" || field === "acted") return knowact.truth(item[field]);
  return run[field] ?? item[field] ?? "";
};

/** The tools that a trial was offered; equal sets are stored once. */
knowact.offered = (item) => knowact.data.sets[item.offered];

/** The text that the search box searches, computed once per trial. */
knowact.haystack = function (item) {
  if (item.hay === undefined) {
    const sets = [knowact.offered(item), item.required, item.needed ?? [], item.used ?? []].flat();
    const words = [item.item, item.condition, item.cluster, knowact.run(item).model];
    words.push(...Object.values(item.labels), ...Object.values(item.outcomes), ...Object.keys(item.flags), ...sets);
    item.hay = words.join("\n").toLowerCase();
  }
  return item.hay;
};

knowact.matching = function () {
  const { text, chosen, trace } = knowact.trials;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = Object.entries(chosen).filter(([, value]) => value !== "");
  return knowact.data.items.filter(
    (item) =>
      words.every((word) => knowact.haystack(item).includes(word)) &&
      wanted.every(([field, value]) => knowact.field(item, field) === value) &&
      (trace === null ||
        (knowact.run(item).suite === trace.suite &&
          trace.where.every(([field, value]) => knowact.field(item, field) === value))),
  );
};

knowact.distinct = (field) => [...new Set(knowact.data.items.map((item) => knowact.field(item, field)))];

knowact.keysOf = (part) => [...new Set(knowact.data.items.flatMap((item) => Object.keys(item[part])))];

/** The columns; those with the same value in all trials are left out. */
knowact.columns = function () {
  const columns = [{ title: "Trial", value: (item) => item.item, kind: "trial" }];
  const add = (title, field) => {
    if (knowact.distinct(field).length > 1) columns.push({ title, value: (item) => knowact.field(item, field) });
  };
  add("Model", "model");
  if (knowact.distinct("run").length > knowact.distinct("model").length) add("Run", "run");
  add("Condition", "condition");
  add("Epoch", "epoch");
  for (const label of knowact.keysOf("labels")) add(knowact.spaced(label), `label:${label}`);
  for (const probe of knowact.keysOf("outcomes")) {
    columns.push({ title: knowact.spaced(probe), value: (item) => knowact.spaced(item.outcomes[probe] ?? "") });
  }
  columns.push({ title: "Knew", value: (item) => knowact.truth(item.knew), kind: "truth" });
  columns.push({ title: "Acted", value: (item) => knowact.truth(item.acted), kind: "truth" });
  const measures = new Set(Object.values(knowact.data.measures).flatMap((names) => names.slice(0, knowact.MEASURES_SHOWN)));
  const asked = knowact.trials.trace?.measure;
  if (asked && knowact.data.items.some((item) => item.results[asked])) measures.add(asked);
  for (const name of measures) {
    if (!knowact.data.items.some((item) => item.results[name])) continue;
    columns.push({ title: knowact.spaced(name), value: (item) => item.results[name]?.value ?? null, kind: "number" });
  }
  columns.push({ title: "Calls", value: (item) => item.calls, kind: "number" });
  return columns;
};

/** Numbers by value, texts in natural order, missing values always last. */
knowact.compare = function (a, b, down) {
  if (a === null || b === null) return (a === null) - (b === null);
  const order = typeof a === "number" && typeof b === "number" ? a - b : knowact.collator.compare(a, b);
  return down ? -order : order;
};
knowact.collator = new Intl.Collator(undefined, { numeric: true });

knowact.sortHead = function (column) {
  const { sort } = knowact.trials;
  const mine = sort?.title === column.title;
  const click = () => {
    knowact.trials.sort = { title: column.title, down: mine && !sort.down };
    knowact.renderTrials();
    document.querySelector(`#trial-table th[aria-sort] button`)?.focus();
  };
  const direction = mine ? (sort.down ? "descending" : "ascending") : null;
  const kind = column.kind === "number" ? "number" : "head";
  const label = knowact.element("button", { type: "button", text: column.title, on: { click } });
  return knowact.element("th", { scope: "col", class: kind, "aria-sort": direction }, label);
};

knowact.trialRow = function (item, columns) {
  const cells = columns.map((column) => {
    const value = column.value(item);
    if (column.kind === "trial") {
      const open = () => knowact.openTrial(item);
      const name = knowact.element("button", { type: "button", class: "open", on: { click: open } });
      name.append(knowact.element("bdi", { text: value }));
      return knowact.element("th", { scope: "row", class: "head" }, name);
    }
    const text = column.kind === "number" ? knowact.number(value) : String(value);
    const kind = column.kind === "truth" ? `truth ${value === "no" ? "wrong" : ""}` : column.kind;
    const given = column.kind ? { text, class: kind } : { text: knowact.spaced(text), title: text, dir: "auto" };
    return knowact.element("td", given);
  });
  const row = knowact.element("tr", { class: item.scored ? null : "unscored" }, ...cells);
  row.addEventListener("click", (event) => {
    if (!event.target.closest("button")) knowact.openTrial(item);
  });
  return row;
};

knowact.renderTrials = function () {
  const columns = knowact.columns();
  const found = knowact.matching();
  const { sort, shown } = knowact.trials;
  const by = columns.find((column) => column.title === sort?.title);
  if (by) found.sort((a, b) => knowact.compare(by.value(a), by.value(b), sort.down));
  knowact.trials.found = found; // in this order the dialog goes from trial to trial
  const head = knowact.element("tr", {}, ...columns.map(knowact.sortHead));
  const rows = found.slice(0, shown).map((item) => knowact.trialRow(item, columns));
  document.getElementById("trial-table").replaceChildren(
    knowact.element("caption", { class: "unseen", text: "Trials" }),
    knowact.element("thead", {}, head),
    knowact.element("tbody", {}, ...rows),
  );
  const all = knowact.data.items.length;
  document.getElementById("trial-count").textContent =
    found.length === all ? `${all.toLocaleString("en")} trials` : `${found.length.toLocaleString("en")} of ${all.toLocaleString("en")} trials`;
  knowact.renderMore(found.length - rows.length);
  knowact.renderTrace();
};

knowact.renderMore = function (left) {
  const place = document.getElementById("trial-more");
  place.replaceChildren();
  if (left <= 0) return;
  const next = Math.min(left, knowact.PAGE);
  const click = () => {
    knowact.trials.shown += knowact.PAGE;
    knowact.renderTrials();
  };
  place.append(knowact.element("button", { type: "button", text: `Show ${next} more of ${left}`, on: { click } }));
};

/** The trials that the last clicked cell selects, with a button to show all. */
knowact.renderTrace = function () {
  const place = document.getElementById("trial-trace");
  const { trace } = knowact.trials;
  place.replaceChildren();
  if (trace === null) return;
  const names = trace.where.map(([field, value]) => `${knowact.spaced(field.replace(/^label:/, ""))}: ${value}`);
  const clear = () => {
    knowact.trials.trace = null;
    knowact.renderTrials();
  };
  place.append(
    knowact.element("span", { text: `Trials behind ${knowact.spaced(trace.measure)}` }),
    ...names.map((text) => knowact.element("bdi", { class: "chip", text })),
    knowact.element("button", { type: "button", text: "Show all trials", on: { click: clear } }),
  );
};

knowact.showTrace = function (trace, cell) {
  for (const old of document.querySelectorAll(".cell.asked")) old.classList.remove("asked");
  cell.classList.add("asked");
  Object.assign(knowact.trials, { trace, text: "", chosen: {}, shown: knowact.PAGE });
  const title = knowact.spaced(trace.measure);
  knowact.trials.sort = knowact.columns().some((column) => column.title === title) ? { title, down: false } : null;
  knowact.renderControls();
  knowact.renderTrials();
  const section = document.getElementById("trials");
  section.scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  section.querySelector("h2").focus({ preventScroll: true });
};

/** A select box for a field with few values. */
knowact.choice = function (title, field) {
  const values = knowact.distinct(field).sort((a, b) => knowact.collator.compare(a, b));
  if (values.length < 2 || values.length > 40) return null;
  const option = (value, text) => knowact.element("option", { value, text });
  const change = (event) => {
    knowact.trials.chosen[field] = event.target.value;
    knowact.trials.shown = knowact.PAGE;
    knowact.renderTrials();
  };
  const options = values.map((value) => option(value, knowact.spaced(value) || "none"));
  const select = knowact.element("select", { on: { change } }, option("", "all"), ...options);
  select.value = knowact.trials.chosen[field] ?? "";
  return knowact.element("label", {}, knowact.element("span", { text: title }), select);
};

knowact.renderControls = function () {
  const input = (event) => {
    knowact.trials.text = event.target.value;
    knowact.trials.shown = knowact.PAGE;
    knowact.renderTrials();
  };
  const search = knowact.element("input", { type: "search", placeholder: "item, tool, label, flag", on: { input } });
  search.value = knowact.trials.text;
  const choices = [
    knowact.choice("Run", "run"),
    knowact.choice("Condition", "condition"),
    ...knowact.keysOf("labels").map((label) => knowact.choice(knowact.spaced(label), `label:${label}`)),
    ...knowact.keysOf("outcomes").map((probe) => knowact.choice(`Outcome of ${knowact.spaced(probe)}`, `outcome:${probe}`)),
  ];
  document.getElementById("trial-controls").replaceChildren(
    knowact.element("label", { class: "search" }, knowact.element("span", { text: "Search" }), search),
    ...choices.filter((choice) => choice !== null),
    knowact.element("p", { id: "trial-trace", class: "trace" }),
  );
};

knowact.startItems = function () {
  document.querySelector("#trials h2").setAttribute("tabindex", "-1");
  knowact.renderControls();
  knowact.renderTrials();
};
