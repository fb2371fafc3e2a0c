"use strict";

/* The table of trials: those of one suite at a time, filtered and sorted, a page of rows at a time. */

knowact.PAGE = 100; // rows on the page: thousands at once make a phone slow
knowact.MEASURES_SHOWN = 4; // the rest is in the trial's own box
knowact.LABELS = 3; // with more select boxes for labels, they are folded
knowact.CHOICES = 40; // a field with more values has no select box; the search finds them

knowact.trials = { text: "", chosen: {}, trace: null, sort: null, first: 0 };

knowact.run = (item) => knowact.data.runs[item.run];

/** The block of the suite in view: of the cell that was clicked, as chosen, or the first. */
knowact.inView = function () {
  const { trace, chosen } = knowact.trials;
  const suite = trace?.suite ?? chosen.suite;
  return knowact.blockOf(suite) ?? knowact.blocks()[0];
};

/** The value of one field that a trace or a choice may ask for. */
knowact.field = function (item, field) {
  if (field.startsWith("label:")) return item.entry("labels", field.slice(6)) ?? "";
  if (field.startsWith("outcome:")) return item.entry("outcomes", field.slice(8)) ?? "";
  if (field.startsWith("result:")) return (item.entry("results", field.slice(7))?.value ?? null) === null ? "no" : "yes";
  if (field === "knew" || field === "acted") return knowact.truth(item[field]);
  const run = knowact.run(item);
  return (field === "run" ? run.id : run[field]) ?? item[field] ?? "";
};

/** All values of a field in the suite in view; their number is small even where there are many trials. */
knowact.distinct = function (field) {
  if (field === "knew" || field === "acted") return knowact.inView().fields[field].values.map(knowact.truth);
  const { items, fields, groups } = knowact.inView();
  if (!items.length) return [];
  const [kind, name] = [field.slice(0, field.indexOf(":")), field.slice(field.indexOf(":") + 1)];
  const column = { label: groups.labels, outcome: groups.outcomes }[kind]?.[name];
  if (column !== undefined) return column.values.map((value) => value ?? "");
  if (fields[field] !== undefined && field !== "run") return fields[field].values;
  const runs = fields.run.values.map((at) => knowact.data.runs[at]);
  return [...new Set(runs.map((run) => (field === "run" ? run.id : run[field])))];
};

knowact.keysOf = (part) => Object.keys(knowact.inView().groups[part]);

/** The columns that the search box searches, each with the text of a value. */
knowact.searched = function ({ fields, groups }) {
  const named = (names) => (names ?? []).join("\n");
  const word = (value) => value ?? "";
  return [
    ...["item", "condition", "cluster"].map((name) => [fields[name], word]),
    ...["offered", "required", "needed", "used"].map((name) => [fields[name], named]),
    [fields.run, (at) => knowact.data.runs[at].model],
    ...Object.values(groups.labels).map((column) => [column, word]),
    ...Object.values(groups.outcomes).map((column) => [column, (value) => knowact.spaced(word(value)) + word(value)]),
    ...Object.entries(groups.flags).map(([name, column]) => [column, (value) => (value === null ? "" : name)]),
  ];
};

/** For each word of the search box, a test of a trial: the word is looked for in the distinct values alone. */
knowact.wordTests = function (block, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return words.map((word) => {
    const columns = knowact.searched(block).map(([column, said]) => [column, column.values.map((value) => said(value).toLowerCase().includes(word))]);
    const hitting = columns.filter(([, hits]) => hits.includes(true));
    return (item) => hitting.some(([column, hits]) => hits[column.code(item.at)]);
  });
};

knowact.matching = function () {
  const { text, chosen, trace } = knowact.trials;
  const block = knowact.inView();
  const words = knowact.wordTests(block, text);
  const wanted = Object.entries(chosen).filter(([field, value]) => field !== "suite" && value !== "");
  const where = [...wanted, ...(trace?.where ?? [])];
  return block.items.filter(
    (item) => where.every(([field, value]) => String(knowact.field(item, field)) === String(value)) && words.every((test) => test(item)),
  );
};

/** The columns; those with the same value in all trials are left out. */
knowact.columns = function () {
  const { groups, suite } = knowact.inView();
  const columns = [{ title: "Trial", value: (item) => item.item, kind: "trial" }];
  for (const probe of Object.keys(groups.outcomes)) {
    if (knowact.distinct(`outcome:${probe}`).length < 2) continue;
    columns.push({ title: knowact.spaced(probe), value: (item) => knowact.spaced(item.entry("outcomes", probe) ?? "") });
  }
  columns.push({ title: "Knew", value: (item) => knowact.truth(item.knew), kind: "truth" });
  columns.push({ title: "Acted", value: (item) => knowact.truth(item.acted), kind: "truth" });
  const measures = new Set(knowact.data.measures[suite].slice(0, knowact.MEASURES_SHOWN));
  if (knowact.trials.trace) measures.add(knowact.trials.trace.measure);
  for (const name of measures) {
    if (!Object.hasOwn(groups.results, name)) continue;
    columns.push({ title: knowact.spaced(name), value: (item) => item.entry("results", name)?.value ?? null, kind: "number", spare: 2 });
  }
  const add = (title, field, spare) => {
    if (knowact.distinct(field).length > 1) columns.push({ title, value: (item) => knowact.field(item, field), spare });
  };
  add("Model", "model");
  if (knowact.distinct("run").length > knowact.distinct("model").length) add("Run", "run");
  add("Condition", "condition");
  add("Epoch", "epoch");
  for (const label of Object.keys(groups.labels)) add(knowact.spaced(label), `label:${label}`, 1);
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

/** Take columns out until the table does not scroll sideways: labels, then measures, the last one first. A trial's
 * own box has them all. */
knowact.fitTrials = function (columns) {
  const table = document.getElementById("trial-table");
  const box = table.closest(".scroll");
  const spare = (rank) => columns.filter((column) => column.spare === rank && column.title !== knowact.trials.sort?.title);
  const left = [...columns];
  for (const column of [...spare(2), ...spare(1)].reverse()) {
    if (box.scrollWidth <= box.clientWidth) return;
    const place = left.indexOf(column);
    left.splice(place, 1);
    for (const row of table.rows) row.cells[place].remove();
  }
};

/** Sort trials by a column; its values are read once each. */
knowact.sorted = function (found, column, down) {
  const keyed = found.map((item) => [column.value(item), item]);
  return keyed.sort(([a], [b]) => knowact.compare(a, b, down)).map(([, item]) => item);
};

knowact.renderTrials = function () {
  const columns = knowact.columns();
  const { sort, first } = knowact.trials;
  const by = columns.find((column) => column.title === sort?.title);
  const matching = knowact.matching();
  const found = by ? knowact.sorted(matching, by, sort.down) : matching;
  knowact.trials.found = found; // in this order the dialog goes from trial to trial
  const head = knowact.element("tr", {}, ...columns.map(knowact.sortHead));
  const rows = found.slice(first, first + knowact.PAGE).map((item) => knowact.trialRow(item, columns));
  document.getElementById("trial-table").replaceChildren(
    knowact.element("caption", { class: "unseen", text: "Trials" }),
    knowact.element("thead", {}, head),
    knowact.element("tbody", {}, ...rows),
  );
  knowact.fitTrials(columns);
  const all = knowact.inView().items.length;
  const [some, total] = [found.length, all].map((count) => count.toLocaleString("en"));
  document.getElementById("trial-count").textContent = found.length === all ? `${total} trials` : `${some} of ${total} trials`;
  knowact.renderPager(found.length);
  knowact.renderTrace();
};

/** Which rows these are, and the way to those before and after. */
knowact.renderPager = function (count) {
  const place = document.getElementById("trial-more");
  const { PAGE, trials } = knowact;
  place.replaceChildren();
  if (count <= PAGE) return;
  const button = (text, first) => {
    const click = () => {
      trials.first = first;
      knowact.renderTrials();
      const again = [...place.children].find((one) => one.textContent === text && !one.disabled);
      (again ?? place.querySelector("button:not([disabled])")).focus();
    };
    return knowact.element("button", { type: "button", text, disabled: first < 0 || first >= count, on: { click } });
  };
  const last = Math.min(trials.first + PAGE, count);
  const shown = `${(trials.first + 1).toLocaleString("en")} to ${last.toLocaleString("en")} of ${count.toLocaleString("en")}`;
  place.append(
    button("First", trials.first > 0 ? 0 : -1),
    button("Previous", trials.first - PAGE),
    knowact.element("span", { class: "source", text: shown }),
    button("Next", trials.first + PAGE),
    button("Last", trials.first + PAGE >= count ? count : Math.floor((count - 1) / PAGE) * PAGE),
  );
};

/** The trials that the last clicked cell selects, with a button to show all. */
knowact.renderTrace = function () {
  const place = document.getElementById("trial-trace");
  const { trace } = knowact.trials;
  place.replaceChildren();
  if (trace === null) return;
  const names = trace.where.map(([field, value]) => `${knowact.spaced(field.replace(/^(label|result):/, ""))}: ${value}`);
  const clear = () => {
    const { suite } = knowact.trials.trace;
    Object.assign(knowact.trials, { trace: null, chosen: { suite }, first: 0 });
    knowact.renderControls();
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
  Object.assign(knowact.trials, { trace, text: "", chosen: {}, first: 0 });
  const title = knowact.spaced(trace.measure);
  knowact.trials.sort = knowact.columns().some((column) => column.title === title) ? { title, down: false } : null;
  knowact.renderControls();
  knowact.renderTrials();
  const section = document.getElementById("trials");
  section.scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  section.querySelector("h2").focus({ preventScroll: true });
};

/** A select box: its options are [value, text] pairs. */
knowact.select = function (title, options, chosen, change) {
  const made = options.map(([value, text]) => knowact.element("option", { value, text }));
  const select = knowact.element("select", { on: { change: (event) => change(event.target.value) } }, ...made);
  select.value = chosen;
  return knowact.element("label", {}, knowact.element("span", { text: title }), select);
};

/** A select box for a field with few values. */
knowact.choice = function (title, field) {
  const values = [...knowact.distinct(field)].sort((a, b) => knowact.collator.compare(a, b));
  if (values.length < 2 || values.length > knowact.CHOICES) return null;
  const options = [["", "all"], ...values.map((value) => [value, knowact.spaced(value) || "none"])];
  const change = (value) => {
    knowact.trials.chosen[field] = value;
    knowact.trials.first = 0;
    knowact.renderTrials();
  };
  return knowact.select(title, options, knowact.trials.chosen[field] ?? "", change);
};

/** Which suite's trials are in view; what was chosen in another means nothing in this one. */
knowact.suiteChoice = function () {
  const suites = knowact.blocks().map((block) => [block.suite, knowact.spaced(block.suite)]);
  if (suites.length < 2) return null;
  const change = (suite) => {
    Object.assign(knowact.trials, { trace: null, sort: null, chosen: { suite }, first: 0 });
    knowact.renderControls();
    knowact.renderTrials();
    document.querySelector("#trial-controls select").focus();
  };
  return knowact.select("Suite", suites, knowact.inView().suite, change);
};

/** The choices by label; many of them are folded, unless one is in use. */
knowact.labelChoices = function (choices) {
  const made = choices.map(([, choice]) => choice);
  if (made.length <= knowact.LABELS) return made;
  const open = choices.some(([field]) => knowact.trials.chosen[field]);
  const head = knowact.element("summary", { text: `More filters (${made.length})` });
  return [knowact.element("details", { class: "more", open }, head, knowact.element("div", { class: "controls" }, ...made))];
};

knowact.renderControls = function () {
  const input = (event) => {
    knowact.trials.text = event.target.value;
    knowact.trials.first = 0;
    knowact.renderTrials();
  };
  const search = knowact.element("input", { type: "search", placeholder: "item, tool, label, flag", on: { input } });
  search.value = knowact.trials.text;
  const choices = [
    ...knowact.keysOf("outcomes").map((probe) => knowact.choice(`Outcome of ${knowact.spaced(probe)}`, `outcome:${probe}`)),
    knowact.choice("Knew", "knew"),
    knowact.choice("Acted", "acted"),
    knowact.choice("Run", "run"),
    knowact.choice("Condition", "condition"),
  ];
  const labels = knowact.keysOf("labels").map((label) => [`label:${label}`, knowact.choice(knowact.spaced(label), `label:${label}`)]);
  document.getElementById("trial-controls").replaceChildren(
    ...[knowact.suiteChoice()].filter((choice) => choice !== null),
    knowact.element("label", { class: "search" }, knowact.element("span", { text: "Search" }), search),
    ...choices.filter((choice) => choice !== null),
    ...knowact.labelChoices(labels.filter(([, choice]) => choice !== null)),
    knowact.element("p", { id: "trial-trace", class: "trace" }),
  );
};

/** Trials are read and shown once the other scripts have started: what stands above them need not wait. */
knowact.startItems = function () {
  document.querySelector("#trials h2").setAttribute("tabindex", "-1");
  setTimeout(() => {
    if (knowact.trials.found !== undefined) return; // a link or a cell was quicker
    knowact.renderControls();
    knowact.renderTrials();
  });
};
