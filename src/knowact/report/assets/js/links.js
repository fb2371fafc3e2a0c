"use strict";

/* Links: every trial, every choice of trials, every pair of runs and every table has one, after the `#` of the address.

   #car/base_013?run=car-gpt-5-1f3a&epoch=2    a trial; what is left out is the first one that fits
   #trials?text=lock&label:type=base           trials, chosen and sorted
   #sides?a=RUN&b=RUN&item=base_013            two runs side by side, and one trial of both
   #suite-1-table-main                         any part of the page */

knowact.address = (hash) => location.href.split("#")[0] + hash;

/** Percent-encoded, a hash of ours can hold any text. */
knowact.hash = function (path, pairs) {
  const query = pairs.filter(([, value]) => value !== undefined && value !== null && value !== "");
  const said = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
  return `#${path.map(encodeURIComponent).join("/")}${said ? `?${said}` : ""}`;
};

/** What a hash says: its path, and [name, value] pairs; null where it is not encoded as `knowact.hash` does. */
knowact.parsed = function (hash) {
  try {
    const [path, query] = hash.replace(/^#/, "").split(/\?(.*)/s);
    const pairs = (query ?? "").split("&").filter(Boolean);
    const decoded = pairs.map((pair) => pair.split(/=(.*)/s).slice(0, 2).map((part) => decodeURIComponent(part)));
    return { path: path.split("/").map(decodeURIComponent), pairs: decoded.map(([name, value]) => [name, value ?? ""]) };
  } catch {
    return null;
  }
};

/** Put the hash of what is open into the address; `knowact.forget` brings back the one before. */
knowact.remember = function (hash) {
  knowact.before ??= location.hash;
  knowact.setHash(hash);
};
knowact.forget = function () {
  if (knowact.before === undefined || knowact.before === null) return;
  knowact.setHash(knowact.before);
  knowact.before = null;
};
knowact.setHash = function (hash) {
  try {
    history.replaceState(null, "", hash || location.pathname + location.search);
  } catch {
    // a page without an address of its own; the copied links work all the same
  }
};

knowact.USUAL = "clean"; // the condition that links leave out

knowact.trialLink = function (item) {
  const { suite, id } = knowact.run(item);
  const condition = item.condition === knowact.USUAL ? "" : item.condition;
  const epoch = item.epoch > 1 ? item.epoch : "";
  return knowact.hash([suite, item.item], [["run", id], ["condition", condition], ["epoch", epoch]]);
};

/** The trial that a link names; undefined where there is none. */
knowact.linkedTrial = function ([suite, name], given) {
  const wanted = { condition: knowact.USUAL, epoch: "1", ...given };
  const fits = knowact.data.items.filter((item) => {
    const run = knowact.run(item);
    return run.suite === suite && item.item === name && (given.run === undefined || run.id === given.run);
  });
  const exact = (item) => item.condition === wanted.condition && String(item.epoch) === wanted.epoch;
  const asked = given.condition !== undefined || given.epoch !== undefined;
  return fits.find(exact) ?? (asked ? undefined : fits[0]);
};

/** The link to the trials as they are now chosen and sorted. */
knowact.trialsLink = function () {
  const { text, chosen, trace, sort, first } = knowact.trials;
  const behind = trace ? [["behind", trace.measure], ["suite", trace.suite], ...trace.where.map(([field, value]) => [`with.${field}`, value])] : [];
  const order = sort ? [["sort", sort.title], ["down", sort.down ? "yes" : ""]] : [];
  return knowact.hash(["trials"], [["text", text], ...Object.entries(chosen), ...behind, ...order, ["from", first > 0 ? first + 1 : ""]]);
};

/** Choose and sort trials as a link says. */
knowact.chooseTrials = function (pairs) {
  const { text = "", behind, suite, sort, down, from, ...others } = Object.fromEntries(pairs);
  const where = Object.entries(others).filter(([field]) => field.startsWith("with."));
  const chosen = Object.fromEntries(Object.entries(others).filter(([field]) => !field.startsWith("with.")));
  if (behind === undefined && suite !== undefined) chosen.suite = suite;
  const trace = behind === undefined ? null : { measure: behind, suite, where: where.map(([field, value]) => [field.slice(5), value]) };
  Object.assign(knowact.trials, { text, chosen, trace, first: Math.max(0, Math.floor(Number(from ?? 1) - 1) || 0), sort: sort ? { title: sort, down: down === "yes" } : null });
  knowact.renderControls();
  knowact.renderTrials();
};

/** Bring a part of the page into view, whatever it is folded into. */
knowact.reveal = function (part) {
  for (let around = part; around; around = around.parentElement) if (around.tagName === "DETAILS") around.open = true;
  part.scrollIntoView();
};

knowact.noSuch = function (what) {
  knowact.showDialog({
    title: "Not in this report",
    source: "The link may belong to another report, or to an earlier state of this one.",
    body: [knowact.element("p", { class: "warning", dir: "auto", text: what })],
  });
};

/** Open what the address names. */
knowact.follow = async function () {
  const found = knowact.parsed(location.hash);
  if (location.hash.length < 2) return;
  if (found === null) return knowact.noSuch("The link is damaged: a percent sign is not followed by two digits.");
  const { path, pairs } = found;
  const given = Object.fromEntries(pairs);
  const part = document.getElementById(path.join("/"));
  if (path.length === 2 && part === null) {
    const item = knowact.linkedTrial(path, given);
    const more = pairs.map(([name, value]) => `${name} ${value}`).join(", ");
    if (item === undefined) return knowact.noSuch(`This page has no trial ${path.join("/")}${more ? ` (${more})` : ""}.`);
    knowact.before = ""; // closed, it leaves a plain address
    return knowact.openTrial(item);
  }
  if (part === null) return knowact.noSuch(`This page has no part ${path.join("/")}.`);
  knowact.reveal(part);
  if (path[0] === "trials" && pairs.length) knowact.chooseTrials(pairs);
  if (path[0] === "sides" && pairs.length) await knowact.chooseSides(given);
};

knowact.linkButton = (hash) =>
  knowact.element("button", {
    type: "button",
    class: "link",
    text: "Copy link",
    title: "Copy a link that opens the page here",
    on: { click: (event) => knowact.copy(knowact.address(hash()), event.currentTarget) },
  });

knowact.startLinks = function () {
  for (const actions of document.querySelectorAll("main p.actions")) {
    const { id } = actions.closest("[id]");
    actions.append(knowact.linkButton(() => knowact.hash([id], [])));
  }
  document.getElementById("trial-count")?.after(knowact.linkButton(knowact.trialsLink));
  addEventListener("hashchange", knowact.follow);
  knowact.follow();
};
