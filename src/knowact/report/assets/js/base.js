"use strict";

/* What the other scripts share. Text from the data is only ever set as text. */
const knowact = {
  data: JSON.parse(document.getElementById("payload").textContent),
};

/**
 * Make an element.
 * @param {string} name - The element's name.
 * @param {object} given - Attributes; `text` sets the text, `on` maps events to handlers.
 * @param {...(Node|string|null)} children - Strings become text nodes.
 */
knowact.element = function (name, given = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "text") made.textContent = value;
    else if (key === "on") for (const [event, run] of Object.entries(value)) made.addEventListener(event, run);
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== null));
  return made;
};

knowact.spaced = (name) => String(name).replaceAll("_", " ");

/** A number as people read it: three decimals at most, a true minus sign, a dash for null. */
knowact.number = function (value) {
  if (value === null || value === undefined) return "–";
  return String(Math.round(value * 1000) / 1000).replace("-", "−");
};

/** Yes, no, or a dash where it was not measured. */
knowact.truth = (value) => (value === null ? "–" : value ? "yes" : "no");

/** Text that Python compressed (zlib, base64). */
knowact.inflated = function (text) {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
};

/** Copy text and say so on the button that asked for it. */
knowact.copy = async function (text, button) {
  const label = button.textContent;
  let done = "Copied";
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    done = knowact.copyOldWay(text) ? "Copied" : "Copying is not allowed here";
  }
  button.textContent = done;
  setTimeout(() => (button.textContent = label), 1600);
};

/** Some browsers have no clipboard for pages that were opened from a file. */
knowact.copyOldWay = function (text) {
  const area = knowact.element("textarea", { class: "unseen" });
  area.value = text;
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  return copied;
};
