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

knowact.startOpening = function () {
  addEventListener("hashchange", knowact.openHash);
  knowact.openHash();
};
