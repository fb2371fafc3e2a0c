"use strict";

/* Trials as objects, read from columns. A column has each distinct value once, and per trial the place of its
   value; so what is asked of thousands of trials (which values are there, which contain a word) is asked of the
   few values. The data are parsed when first asked for, not while the page opens. */

knowact.Column = class {
  constructor([values, packed]) {
    this.values = values;
    this.packed = packed;
  }

  /** Per trial, the place of its value; null where there is one value for all trials, or one for each. */
  get codes() {
    if (this.unpacked === undefined) {
      const bytes = this.packed === null ? null : Uint8Array.from(atob(this.packed), (sign) => sign.charCodeAt(0));
      const count = this.values.length;
      const kind = count <= 1 << 8 ? Uint8Array : count <= 1 << 16 ? Uint16Array : Uint32Array;
      this.unpacked = bytes === null ? null : new kind(bytes.buffer);
    }
    return this.unpacked;
  }

  code(at) {
    return this.codes === null ? (this.values.length === 1 ? 0 : at) : this.codes[at];
  }

  at(at) {
    return this.values[this.code(at)];
  }
};

/** One trial: reads its fields from the columns of its suite. */
knowact.Trial = class {
  constructor(block, at) {
    this.block = block;
    this.at = at;
  }

  /** One entry of a group (labels, outcomes, results, flags); null where the trial does not have it. */
  entry(group, name) {
    const columns = this.block.groups[group];
    return Object.hasOwn(columns, name) ? columns[name].at(this.at) : null;
  }

  get view() {
    const [before, after] = this.block.fields.view.at(this.at);
    return after === undefined ? before : before + this.item + after;
  }

  get decided() {
    return this.block.fields.decided.at(this.at).map(([probe, why]) => ({ probe, why }));
  }
};

for (const name of [
  ...["run", "item", "condition", "epoch", "cluster", "scored", "offered", "required", "needed", "used"],
  ...["calls", "knew", "acted", "tokens", "seconds", "cost"],
]) {
  Object.defineProperty(knowact.Trial.prototype, name, { get() { return this.block.fields[name].at(this.at); } });
}

for (const name of ["labels", "outcomes", "results", "flags"]) {
  const get = function () {
    const found = Object.entries(this.block.groups[name]).map(([key, column]) => [key, column.at(this.at)]);
    return Object.fromEntries(found.filter(([, value]) => value !== null));
  };
  Object.defineProperty(knowact.Trial.prototype, name, { get });
}

knowact.block = function ({ suite, count, fields, groups }) {
  const columns = (found) => Object.fromEntries(Object.entries(found).map(([name, column]) => [name, new knowact.Column(column)]));
  const grouped = Object.fromEntries(Object.entries(groups).map(([name, found]) => [name, columns(found)]));
  const block = { suite, fields: columns(fields), groups: grouped };
  block.items = Array.from({ length: count }, (_, at) => new knowact.Trial(block, at));
  return block;
};

/** The trials of all suites: a block for each. */
knowact.blocks = function () {
  knowact.parsedBlocks ??= JSON.parse(document.getElementById("trial-data").textContent).map(knowact.block);
  return knowact.parsedBlocks;
};

knowact.blockOf = (suite) => knowact.blocks().find((block) => block.suite === suite);

Object.defineProperty(knowact.data, "items", { get: () => (knowact.allItems ??= knowact.blocks().flatMap((block) => block.items)) });
