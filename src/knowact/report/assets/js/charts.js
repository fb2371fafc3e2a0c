"use strict";

/* Draws the figures. Specifications say what; fonts, lines and the dark theme are set here. */

knowact.chartConfig = function () {
  // Names, not values: figures follow the theme, and go black on paper, without being drawn again.
  const [ink, muted, line] = ["var(--ink)", "var(--muted)", "var(--line)"];
  const font = getComputedStyle(document.body).fontFamily;
  return {
    background: "transparent",
    font,
    axis: {
      labelColor: muted, titleColor: muted, gridColor: line, domainColor: line, tickColor: line,
      labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", titlePadding: 10, labelLimit: knowact.labelLimit,
    },
    axisX: { grid: false },
    header: { labelColor: ink, labelFontSize: 13, labelFontWeight: 600, labelPadding: 6 },
    legend: {
      orient: "top", labelColor: ink, titleColor: muted, labelFontSize: 12, symbolType: "square",
      columns: knowact.legendColumns, labelLimit: 220,
    },
    title: { color: muted, subtitleColor: muted },
    rule: { color: ink },
    text: { color: muted },
    view: { stroke: null },
  };
};

/** The tooltip of all figures: one small box, filled with text. */
knowact.chartTooltip = function (handler, event, item, value) {
  const box = knowact.tooltipBox;
  if (!value || typeof value !== "object") {
    box.hidden = true;
    return;
  }
  const pairs = Object.entries(value).flatMap(([key, shown]) => [
    knowact.element("dt", { text: key }),
    knowact.element("dd", { text: shown }),
  ]);
  box.replaceChildren(knowact.element("dl", {}, ...pairs));
  box.hidden = false;
  const wide = box.offsetWidth;
  const left = Math.min(event.clientX + 14, document.documentElement.clientWidth - wide - 8);
  const above = event.clientY + 18 + box.offsetHeight > document.documentElement.clientHeight;
  box.style.left = `${Math.max(8, left)}px`;
  box.style.top = `${above ? event.clientY - box.offsetHeight - 12 : event.clientY + 18}px`;
};

knowact.AXIS = 48; // pixels of the axis beside the first of several panels, less the gap behind the last one
knowact.GAP = 20; // pixels between panels
knowact.LETTER = 7; // pixels of a label, a little more than most take

/** Labels that are slanted for paper and phones lie level where there is room for all of them. */
knowact.levelled = function (spec, width) {
  const names = [...new Set((spec.data?.values ?? []).map((value) => String(value.bar ?? "")))];
  const room = (width - 80) / names.length;
  if (spec.facet || names.some((name) => name.length * knowact.LETTER > room)) return;
  for (const layer of [spec, ...(spec.layer ?? [])]) {
    const axis = layer.encoding?.x?.axis;
    if (axis?.labelAngle) axis.labelAngle = 0;
  }
};

/** Square panels say how wide they are at least: as many as there is room for stand side by side, and grow a
 * little. Others are as wide as the page, which Vega-Lite cannot do: they are given the width that there is,
 * first with all the room that labels may take, then, with `slack`, what they left of it. */
knowact.fitted = function (spec, width, slack) {
  const copy = structuredClone(spec);
  knowact.levelled(copy, width);
  if (!copy.facet) return copy;
  const least = copy.spec.width;
  if (least) {
    const room = width - knowact.AXIS;
    copy.columns = Math.max(1, Math.min(copy.columns, Math.floor(room / (least + knowact.GAP))));
    const side = Math.min(1.15 * least, Math.floor(room / copy.columns) - knowact.GAP);
    copy.spec.width = copy.spec.height = Math.max(least, side);
  } else {
    copy.spec.width = Math.max(140, width + slack - knowact.labelLimit - 24);
  }
  return copy;
};

knowact.draw = async function (place, slack = 0) {
  const spec = knowact.data.figures[Number(place.dataset.figure)];
  const width = place.clientWidth;
  place.dataset.width = String(width);
  const { columns, width: usual } = knowact.data.paper;
  knowact.legendColumns = Math.max(1, Math.floor((columns[Number(place.dataset.figure)] * width) / usual));
  knowact.labelLimit = Math.min(220, Math.round(width / 3));
  try {
    const description = place.closest(".figure").querySelector("h3").textContent; // for screen readers
    const config = knowact.chartConfig();
    config.legend.disable = place.dataset.key === "no";
    await vegaEmbed(place, { description, ...knowact.fitted(spec, width, slack) }, {
      mode: "vega-lite", renderer: "svg", actions: false, defaultStyle: false, ast: true,
      config, tooltip: knowact.chartTooltip,
    });
    const left = width - Number(place.querySelector("svg").getAttribute("width"));
    if (spec.facet && !spec.spec.width && slack === 0 && left > 8) return await knowact.draw(place, left);
    place.dataset.drawn = "yes";
  } catch (problem) {
    place.textContent = `This figure could not be drawn: ${problem.message}`;
    place.dataset.drawn = "no";
  }
};

/** A figure as `knowact report --latex` draws it: on white paper, whatever the screen has. */
knowact.paperFigure = async function (index) {
  const { width, panel, config, columns } = knowact.data.paper;
  const spec = structuredClone(knowact.data.figures[index]);
  if (spec.facet) spec.spec.width ??= panel;
  else spec.width = width;
  config.legend.columns = Math.floor(columns[index]);
  const drawn = await vegaEmbed(document.createElement("div"), spec, {
    mode: "vega-lite", renderer: "svg", actions: false, defaultStyle: false, ast: true, config, tooltip: false,
  });
  const svg = await drawn.view.toSVG();
  drawn.finalize();
  return svg;
};

/** Whether a figure lies in something closed: it is drawn when somebody opens that. */
knowact.folded = (place) => place.closest("details:not([open])") !== null;

knowact.drawAll = () =>
  Promise.all([...document.querySelectorAll("[data-figure]")].filter((place) => !knowact.folded(place)).map((place) => knowact.draw(place)));

/** Draw a figure that is open and was not drawn at its present width. */
knowact.redraw = function (place) {
  if (!knowact.folded(place) && place.dataset.width !== String(place.clientWidth)) knowact.draw(place);
};

knowact.startCharts = function () {
  knowact.tooltipBox = knowact.element("div", { class: "tooltip", role: "tooltip", hidden: true });
  document.body.append(knowact.tooltipBox);
  const observer = new ResizeObserver((entries) => {
    requestAnimationFrame(() => entries.forEach(({ target }) => knowact.redraw(target)));
  });
  for (const place of document.querySelectorAll("[data-figure]")) observer.observe(place);
  document.addEventListener("toggle", ({ target }) => target.querySelectorAll("[data-figure]").forEach(knowact.redraw), true);
  return knowact.drawAll();
};
