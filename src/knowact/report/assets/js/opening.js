"use strict";

/* A link to something that is folded opens it. */

knowact.openTo = function (place) {
  for (let at = place; at; at = at.parentElement?.closest("details")) if (at.tagName === "DETAILS") at.open = true;
};

/** The part of the page that the address names; null where it names none, or is damaged. */
knowact.addressed = function () {
  try {
    return document.getElementById(decodeURIComponent(location.hash.slice(1).split("?")[0]));
  } catch {
    return null;
  }
};

knowact.openHash = function () {
  const place = knowact.addressed();
  if (!place) return;
  knowact.openTo(place);
  place.scrollIntoView();
};

/** Figures push down what stands below them: once they are drawn, what the address names is brought back into
 * view, unless the reader has gone elsewhere meanwhile. */
knowact.settle = function () {
  if (!knowact.went) knowact.addressed()?.scrollIntoView({ behavior: "instant" });
};

knowact.startOpening = function () {
  for (const event of ["wheel", "touchmove", "keydown", "pointerdown"]) {
    addEventListener(event, () => (knowact.went = true), { once: true, passive: true });
  }
  addEventListener("hashchange", knowact.openHash);
  knowact.openHash();
};
