"use strict";
(() => {
  const model = JSON.parse(document.getElementById("model").textContent);
  const main = document.getElementById("main");
  const navigation = document.getElementById("kinds");
  const { element, makeIndex, pathKey, connectSearch, whenIdle } = explorer;
  const { rendered, copyButton } = elements;
  const { fieldList, fieldBody, setAllOpen } = makeFieldTree(releaseName);
  const compareSection = makeCompareSection(model, laterSection);
  const conversionSection = makeConversionSection(laterSection);
  const SECTIONS = { fields: "Fields", rules: "Rules", compare: "Compare", conversion: "Conversion", samples: "Samples" };
  const MIN_SHARE = 0.0001; // of the limit of a cost; a smaller share has no visible bar

  function releaseName(release) {
    return release === model.unreleased ? `${release} (unreleased)` : release;
  }

  // The page of a kind.
  let shown = { kind: null, version: null, list: null };
  let unfilled = [];

  function showKind(kind, version) {
    if (shown.kind === kind && shown.version === version) return;
    shown = { kind, version, list: null };
    unfilled = [];
    document.title = `${kind.kind} · ${model.group}`;
    main.replaceChildren();
    main.append(...overview(kind), fieldSection(kind, version), ...ruleSection(kind, version), ...compareSection(kind, version),
      ...conversionSection(kind), ...sampleSection(kind, version));
    showNavigation(kind);
    main.setAttribute("aria-busy", "true");
    requestAnimationFrame(() => setTimeout(fillNext));
  }

  // A section whose content is rendered after the first paint.
  function laterSection(kind, section, content) {
    const node = element("section", {}, heading(kind, section));
    unfilled.push(() => node.append(...content()));
    return [node];
  }

  function fillNext() {
    const fill = unfilled.shift();
    if (fill) fill();
    if (unfilled.length) setTimeout(fillNext);
    else {
      main.removeAttribute("aria-busy");
      whenIdle(index);
    }
  }

  function fillAll() {
    while (unfilled.length) fillNext();
  }

  function heading(kind, section) {
    return element("h2", { id: `${kind.anchor}:${section}` }, sectionLabel(kind, section));
  }

  function sectionLabel(kind, section) {
    return kind.isOverview && section === "fields" ? "RPCs" : SECTIONS[section];
  }

  // A list of the kinds; on narrow screens a select, and the sections of the shown kind.
  function showNavigation(kind) {
    const hadFocus = navigation.querySelector("select:focus");
    const select = element("select", { change: () => { location.hash = model.kinds[select.value].anchor; } }, model.kinds.map((other, at) =>
      element("option", { value: String(at), selected: other === kind }, other.kind)));
    const label = element("label", { class: "narrow" }, model.kinds[0].isOverview ? "RPC" : "Kind", " ", select);
    navigation.replaceChildren(...(model.kinds.length > 1 ? [label] : []), element("ul", {}, model.kinds.map((other) =>
      element("li", { class: other === kind ? "shown" : null }, element("a", { href: `#${other.anchor}`, "aria-current": other === kind ? "page" : null }, other.kind),
        other === kind ? element("ul", {}, Object.keys(SECTIONS).filter((section) => document.getElementById(`${kind.anchor}:${section}`))
          .map((section) => element("li", {}, element("a", { href: `#${kind.anchor}:${section}` }, sectionLabel(kind, section))))) : ""))));
    if (hadFocus) select.focus();
  }

  function overview(kind) {
    const rows = kind.versions.map(versionCells);
    const labels = ["version", "served", "stored", "since"];
    const used = labels.map((_, at) => at).filter((at) => rows.some((row) => row[at]));
    const versionRows = kind.versions.flatMap((version, index) => {
      const notes = versionNotes(version);
      const cells = used.map((at) => element(at ? "td" : "th", at ? {} : { scope: "row", rowspan: notes && "2" }, rows[index][at]));
      return [element("tr", { class: notes && "noted" }, cells), notes && element("tr", {}, element("td", { colspan: String(used.length - 1) }, notes))];
    });
    return [
      element("h1", { id: kind.anchor }, kind.kind),
      kind.description ? rendered("div", "description", kind.description) : "",
      element("dl", { class: "facts" }, kind.facts
        .flatMap(([label, value]) => [element("dt", {}, label), element("dd", {}, value)])),
      element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Versions" }, element("table", {},
        element("thead", {}, element("tr", {}, used.map((at) => element("th", { scope: "col" }, labels[at])))),
        element("tbody", {}, versionRows))),
    ];
  }

  function versionCells(version) {
    return [version.name, version.served === undefined ? "" : version.served ? "yes" : "no", version.stored ? "yes" : "", version.since ? releaseName(version.since) : ""];
  }

  function versionNotes(version) {
    const notes = [version.channel ? `channel ${version.channel}` : "", version.deprecated, version.warning,
      ...(version.notes || []), version.status ? "status subresource" : "", version.scale ? `scale subresource of ${version.scale}` : ""];
    return notes.filter(Boolean).join("; ");
  }

  function fieldSection(kind, version) {
    const list = version.root < 0 ? element("p", {}, "This version has no schema.") : fieldList(model.nodes, version.root, "");
    shown.list = list;
    const root = model.nodes[version.root];
    const choices = element("fieldset", {}, element("legend", { class: "hidden" }, "Version"), kind.versions.map((other) =>
      element("label", {}, element("input", { type: "radio", name: "version", value: other.name, checked: other === version,
        change: () => { showKind(kind, other); main.querySelector("fieldset input:checked").focus(); } }), other.name)));
    const section = element("section", {}, heading(kind, "fields"), element("div", { class: "bar-of-tools" }, choices,
      ...(kind.isOverview ? [] : [element("button", { type: "button", class: "push", click: () => setAllOpen(list, true) }, "Expand all"),
        element("button", { type: "button", click: () => setAllOpen(list, false) }, "Collapse all")])), list);
    const whole = root && fieldBody({ constraints: root.constraints, rules: root.rules });
    if (whole) section.append(element("h3", {}, "Constraints on the whole object"), whole);
    if (version.root >= 0) for (const item of list.children) item.open(list.children.length < 8);
    return section;
  }

  // Costs of rules, against the limit of API servers.
  function ruleSection(kind, version) {
    const tables = kind.costs.filter((table) => table.versions.includes(version.name));
    if (!tables.length) return [];
    const { rule, total } = model.limits;
    return laterSection(kind, "rules", () => [
      element("p", { class: "muted" }, "The estimated cost of each rule by Kubernetes version, as a share of the limit of API servers."),
      tables.flatMap((table) => [
        ...table.rules.map(([path, expression, estimates]) => element("div", { class: "rule" },
          pathLink(kind, version, path), element("pre", { tabindex: "0" }, element("code", {}, expression)),
          estimates.map(([versions, cost, error]) => costBar(versions, cost, rule, error)))),
        element("div", { class: "rule" }, element("h3", {}, "All rules together"),
          table.totals.map(([versions, cost, isOver]) => costBar(versions, cost, total, isOver ? "rejected" : ""))),
      ])].flat());
  }

  function pathLink(kind, version, path) {
    const entry = findPath(kind, path.replaceAll("[*]", "[]")) || findPath(kind, path.replaceAll("[*]", "{}"));
    const label = path === "." ? "the whole object" : path;
    return entry && entry.anchor ? element("a", { class: "path", href: `#${entry.anchor}` }, label) : element("span", { class: "path" }, label);
  }

  function costBar(versions, cost, limit, error) {
    const share = cost / limit;
    const fill = element("span", {});
    fill.style.width = `${Math.min(share, 1) * 100}%`;
    const percentage = share < MIN_SHARE ? "<0.01" : (share * 100).toFixed(share < 0.1 ? 2 : 1);
    const numbers = share < 10 ? `${percentage} %` : `${Math.round(share).toLocaleString("en")} × limit`;
    return element("div", { class: error ? "cost over" : "cost" }, element("span", {}, versions),
      element("span", { class: share < MIN_SHARE ? "track empty" : "track", "aria-hidden": "true" }, fill),
      element("span", { class: "numbers" }, `${cost.toLocaleString("en")} · ${numbers} `, error ? element("strong", {}, error) : ""));
  }

  // The samples of the shown version come first.
  function sampleSection(kind, version) {
    if (!kind.samples.length) return [];
    const own = kind.samples.filter((sample) => sample[3] === version.name);
    const others = kind.samples.filter((sample) => sample[3] !== version.name);
    const note = own.length || !others[0][3] ? "" : element("p", { class: "muted" }, `There are no samples of ${version.name}. These are those of other versions.`);
    return laterSection(kind, "samples", () => [note, ...[...own, ...others].map(([anchor, title, text]) =>
      element("div", { class: "sample", id: anchor }, element("div", { class: "bar-of-tools" }, element("h3", {}, title),
        element("span", { class: "push" }, copyButton("Copy", `Copy ${title}`, text))),
      element("pre", { tabindex: "0", role: "region", "aria-label": title }, element("code", {}, text))))]);
  }

  let entries = null;

  function index() {
    entries ||= makeIndex(model);
    return entries;
  }

  function choose(entry) {
    if (location.hash !== `#${address(entry)}`) history.pushState(null, "", `#${address(entry)}`);
    reveal(entry);
  }

  // The anchor of an entry; for a path that shares the anchor of another one, or has none, the kind and the path.
  function address(entry) {
    return index().anchors.get(entry.anchor) === entry ? entry.anchor : `${entry.kind.anchor}/${encodeURIComponent(entry.path)}`;
  }

  function findPath(kind, path) {
    return kind && index().paths.get(pathKey(kind, path));
  }

  // Anchors: those of kinds, sections, samples, types and fields.
  function reveal(entry) {
    showKind(entry.kind, hasPath(shown, entry) ? shown.version : entry.version);
    if (!entry.path) return focusOn(main.querySelector("h1"));
    const trail = [];
    for (let at = entry; at; at = at.parent) trail.unshift(at.name);
    let list = shown.list;
    let item = null;
    trail.forEach((name, depth) => {
      item = [...list.children].find((child) => child.field.name === name);
      if (depth < trail.length - 1) {
        item.open();
        list = item.querySelector(":scope > .fields");
      }
    });
    item.open();
    focusOn(item.querySelector(".name"), item);
  }

  function hasPath({ kind, version }, entry) {
    if (kind !== entry.kind || !version || version.root < 0) return false;
    if (!entry.path) return true;
    const trail = [];
    for (let at = entry; at; at = at.parent) trail.unshift(at.name);
    let at = version.root;
    return trail.every((name) => {
      const field = (model.nodes[at].fields || []).find((candidate) => candidate[0] === name);
      if (field) at = field[1];
      return field;
    });
  }

  function focusOn(node, item = node) {
    document.querySelectorAll(".target").forEach((old) => old.classList.remove("target"));
    item.classList.add("target");
    if (!node.hasAttribute("href")) node.setAttribute("tabindex", "-1");
    item.scrollIntoView({ block: "start" });
    node.focus({ preventScroll: true });
  }

  function decode(hash) {
    try {
      return decodeURIComponent(hash);
    } catch {
      return hash; // not an address of this page
    }
  }

  function route() {
    const anchor = decode(location.hash.slice(1));
    const owner = anchor.split(":")[0];
    const kind = model.kinds.find((candidate) => candidate.anchor === owner || candidate.samples.some(([sample]) => sample === anchor));
    if (kind) {
      if (shown.kind !== kind) showKind(kind, kind.versions[0]);
      if (anchor !== kind.anchor) fillAll();
      const target = document.getElementById(anchor);
      if (anchor === kind.anchor) window.scrollTo(0, 0);
      else if (target) target.scrollIntoView();
      return;
    }
    const type = model.types.find(([name]) => name === anchor);
    const [parent, ...path] = anchor.split("/");
    const field = path.length && findPath(model.kinds.find((candidate) => candidate.anchor === parent), path.join("/"));
    const entry = field || (anchor && (index().anchors.get(anchor) || (type && findPath(model.kinds[type[1]], type[2]))));
    if (field) history.replaceState(null, "", `#${address(field)}`);
    if (entry) reveal(entry);
    else if (!shown.kind) showKind(model.kinds[0], model.kinds[0].versions[0]);
  }

  function clearHeader() {
    document.documentElement.style.scrollPaddingTop = `${document.querySelector("header").offsetHeight + 16}px`;
  }

  connectSearch(index, choose, model.group);
  window.addEventListener("hashchange", route);
  window.addEventListener("resize", clearHeader);
  clearHeader();
  window.addEventListener("beforeprint", () => { fillAll(); if (shown.list && shown.list.matches("ul")) setAllOpen(shown.list, true); });
  route();
})();
