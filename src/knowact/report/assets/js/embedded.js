"use strict";

/* The transcripts inside the page: compressed, and read when a trial is opened. */

/** The chunks of compressed transcripts, and where in them each trial's is; read when a trial is first opened. */
knowact.embedded = function () {
  if (knowact.chunks === undefined) {
    knowact.chunks = JSON.parse(document.getElementById("transcripts").textContent);
    knowact.chunkOf = new Map();
    for (const chunk of knowact.chunks) chunk.places.forEach((place, at) => knowact.chunkOf.set(place, { chunk, at }));
  }
  return knowact.chunkOf;
};

/** The transcripts of one chunk; kept, because the trials beside one are often in it. */
knowact.unpacked = (chunk) => (chunk.transcripts ??= knowact.inflated(chunk.data).then(JSON.parse));

/** A trial's transcript; null where the page has none, or the browser cannot decompress it. */
knowact.transcript = async function (item) {
  const found = knowact.embedded().get(knowact.data.items.indexOf(item));
  if (found === undefined || typeof DecompressionStream === "undefined") return null;
  return (await knowact.unpacked(found.chunk))[found.at];
};
