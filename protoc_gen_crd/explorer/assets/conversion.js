"use strict";
// The conversion graph: the hub, and the spokes beside it.
const makeConversionSection = (laterSection) => {
  const { element } = explorer;
  const { count } = elements;

  function conversionSection(kind) {
    if (!kind.conversion) return kind.unconverted ? laterSection(kind, "conversion", () => missingConversion(kind.unconverted)) : [];
    const { hub, directions } = kind.conversion;
    return laterSection(kind, "conversion", () => [
      element("p", { class: "muted" }, `Every conversion goes through ${hub}, the hub.`), conversionGraph(hub, directions),
      directions.map(([source, target, steps]) => element("details", {}, element("summary", {}, `${source} → ${target}`), stepTable(source, target, steps)))].flat());
  }

  function stepTable(source, target, steps) {
    const paths = (list) => list.flatMap((path, at) => [at ? ", " : "", element("span", { class: "path" }, path)]);
    return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Steps from ${source} to ${target}` }, element("table", { class: "steps" },
      element("thead", {}, element("tr", {}, [source, target, "effect"].map((label) => element("th", { scope: "col" }, label)))),
      element("tbody", {}, steps.map(([reads, writes, effect]) => element("tr", {}, element("td", {}, paths(reads)), element("td", {}, paths(writes)), element("td", {}, effect))))));
  }

  function missingConversion(problems) {
    return [element("p", {}, "The API declares no complete conversion between its versions."), problems.length
      ? element("details", {}, element("summary", {}, count(problems.length, "problem")), element("ul", {}, problems.map((problem) => element("li", {}, problem)))) : ""];
  }

  function svg(name, attributes, ...content) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...content);
    return node;
  }

  function conversionGraph(hub, directions) {
    const spokes = [...new Set(directions.flatMap(([source, target]) => [source, target]))].filter((name) => name !== hub);
    const height = Math.max(spokes.length, 1) * 76;
    const middle = height / 2;
    const box = (x, y, label, note, className) => svg("g", { class: className }, svg("rect", { x, y: y - 22, width: 140, height: 44, rx: 6 }),
      svg("text", { x: x + 70, y: y + (note ? -1 : 5), "text-anchor": "middle" }, label),
      note ? svg("text", { x: x + 70, y: y + 15, "text-anchor": "middle", class: "muted" }, note) : "");
    const arrow = svg("defs", {}, svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" },
      svg("path", { d: "M0 0 L8 4 L0 8 z" })));
    const edges = spokes.map((_, at) => svg("path", { d: `M146 ${middle} C 240 ${middle}, 240 ${at * 76 + 38}, 334 ${at * 76 + 38}`,
      "marker-start": "url(#arrow)", "marker-end": "url(#arrow)" }));
    return svg("svg", { class: "graph", viewBox: `0 0 484 ${height}`, role: "img", "aria-label": `The hub ${hub} converts to and from ${spokes.join(", ")}` },
      arrow, ...edges, box(3, middle, hub, "hub", "hub"), ...spokes.map((name, at) => box(340, at * 76 + 38, name, "", "spoke")));
  }

  return conversionSection;
};
