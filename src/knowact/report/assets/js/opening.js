"use strict";

/* A link to something that is folded opens it. */

knowact.openTo = function (place) {
  for (let at = place; at; at = at.parentElement?.closest("details")) if (at.tagName === "DETAILS") at.open = true;
};

knowact.openHash = function () {
  const place = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
  if (!place) return;
  knowact.openTo(place);
  place.scrollIntoView();
};

/** Figures push down what stands below them: once they are drawn, what the address names is brought back into
 * view, unless the reader has gone elsewhere meanwhile. */
knowact.settle = function () {
  const [path] = location.hash.slice(1).split("?");
  if (!knowact.went) document.getElementById(path)?.scrollIntoView({ behavior: "instant" });
};

knowact.startOpening = function () {
  for (const event of ["wheel", "touchmove", "keydown", "pointerdown"]) {
    addEventListener(event, () => (knowact.went = true), { once: true, passive: true });
  }
  addEventListener("hashchange", knowact.openHash);
  knowact.openHash();
};
