"use strict";
(() => {
  const model = JSON.parse(document.getElementById("model").textContent);
  const main = document.getElementById("main");
  const navigation = document.getElementById("kinds");
  const { element, children, makeIndex, pathKey, connectSearch, whenIdle } = explorer;
  const SECTIONS = { fields: "Fields", rules: "Rules", compare: "Compare", conversion: "Conversion", samples: "Samples" };
  const MAX_DIFF_ROWS = 500;
  const MEANINGS = [
    ["compatible", "It needs no release."],
    ["minor release", "Clients keep working: the version stays, and a minor release contains the change."],
    ["next microversion", "Clients of older microversions keep working."],
    ["new version", "It breaks clients or stored objects: the old version must stay beside a new one."],
    ["not allowed", "It breaks clients or stored objects."],
    ["rejected", "The new CRD cannot be installed."],
  ];
  const MIN_SHARE = 0.0001; // of the limit of a cost; a smaller share has no visible bar
  const CONFIRMATION = 2000; // milliseconds for which a button confirms that it copied

  function rendered(name, className, html) {
    const node = element(name, { class: className, dir: "auto" });
    node.innerHTML = html;
    return node;
  }

  // `label` is what screen readers announce; it begins with `noun`, which the button shows.
  function copyButton(noun, label, text) {
    return element("button", { type: "button", class: "copy", "aria-label": label, click: ({ currentTarget }) => copy(text).then(() => confirmCopy(currentTarget, noun)) }, noun);
  }

  function confirmCopy(button, noun) {
    button.textContent = "Copied";
    button.classList.add("copied");
    setTimeout(() => { button.textContent = noun; button.classList.remove("copied"); }, CONFIRMATION);
  }

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = element("textarea", { class: "hidden" }, text);
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    document.getElementById("status").textContent = `Copied ${text.length > 80 ? "the sample" : text}`;
  }

  function count(number, noun) {
    return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
  }

  function releaseName(release) {
    return release === model.unreleased ? `${release} (unreleased)` : release;
  }

  // Rows of the tree. The fields of a row are rendered when it is opened first.
  function fieldList(nodes, index, path) {
    const list = element("ul", { class: "fields" });
    for (const field of children(nodes, index, path)) list.append(fieldRow(nodes, field));
    return list;
  }

  function fieldRow(nodes, field) {
    const { node } = field;
    const item = element("li", { class: "field" });
    item.field = field;
    item.open = (open = true) => setOpen(nodes, item, open);
    const toggle = node.fields
      ? element("button", {
          type: "button", class: "toggle", "aria-expanded": "false", "aria-label": `Fields of ${field.path}`,
          click: () => item.open(toggle.getAttribute("aria-expanded") === "false"),
        })
      : "";
    const isFree = field.anchor && !document.getElementById(field.anchor);
    item.append(
      element("div", { class: "row" }, toggle,
        element("span", { class: "trail path" }, field.path.slice(0, -field.name.length)),
        field.anchor ? element("a", { class: "name", href: `#${field.anchor}` }, field.name) : element("span", { class: "name" }, field.name),
        rendered("span", "type", node.type || ""), ...tags(field), copyButton("Copy path", `Copy path ${field.path}`, field.path)),
      fieldBody(node));
    if (isFree) item.id = field.anchor;
    return item;
  }

  function tags({ node, required, since, deprecated }) {
    return [
      required ? element("span", { class: "tag required" }, "required") : null,
      node.default ? element("span", { class: "tag" }, "default ", element("code", {}, node.default)) : null,
      node.channel ? element("span", { class: "tag channel" }, `channel ${node.channel}`) : null,
      since ? element("span", { class: "tag" }, `since ${releaseName(since)}`) : null,
      deprecated ? element("span", { class: "tag deprecated" }, deprecated) : null,
    ];
  }

  function fieldBody(node) {
    const body = element("div", { class: "body" });
    if (node.description) body.append(rendered("div", "description", node.description));
    const notes = [
      ...[...(node.constraints || []), ...(node.older || [])].map((line) => rendered("li", "", line)),
      ...(node.values ? [valueNote(node.values)] : []),
      ...(node.rules || []).map(ruleNote),
    ];
    if (notes.length) body.append(element("ul", { class: "notes" }, notes));
    return body.hasChildNodes() ? body : "";
  }

  function valueNote(values) {
    if (values.every((value) => value.length === 1)) {
      return element("li", {}, values.length > 1 ? "one of " : "always ",
        values.flatMap(([value], index) => [index ? ", " : "", element("code", {}, value)]));
    }
    return element("li", {}, "one of", element("ul", { class: "notes" }, values.map(([value, description, channel, since, deprecated]) =>
      element("li", {}, element("code", {}, value),
        [channel ? `channel ${channel}` : "", since ? `since ${releaseName(since)}` : "", deprecated || ""].filter(Boolean).map((note) => ` · ${note}`),
        description ? rendered("div", "description", description) : ""))));
  }

  function ruleNote([expression, message, scope]) {
    return element("li", {}, scope ? `${scope}: ` : "", message ? `${message}: ` : "", element("code", {}, expression));
  }

  function setOpen(nodes, item, open) {
    const toggle = item.querySelector(":scope > .row > .toggle");
    if (!toggle) return;
    let list = item.querySelector(":scope > .fields");
    if (open && !list) item.append((list = fieldList(nodes, item.field.index, item.field.path)));
    if (list) list.hidden = !open;
    toggle.setAttribute("aria-expanded", String(open));
  }

  function setAllOpen(list, open) {
    for (const item of list.children) {
      item.open(open);
      const inner = item.querySelector(":scope > .fields");
      if (inner && open) setAllOpen(inner, open);
    }
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

  // Comparison of two versions, of this API or of releases.
  function sides(kind) {
    return [
      ...kind.versions.filter((version) => version.root >= 0).map(({ name, root }) => ({ release: "", name, root, nodes: model.nodes })),
      ...kind.releases.flatMap(([release, versions]) => versions.map(([name, root]) => ({ release, name, root, nodes: model.past }))),
    ];
  }

  function compareSection(kind, version) {
    const all = sides(kind);
    return all.length < 2 ? [] : laterSection(kind, "compare", () => comparison(kind, version, all));
  }

  function comparison(kind, version, all) {
    const to = Math.max(0, all.findIndex((side) => !side.release && side.name === version.name));
    const from = all.findIndex((side, at) => at !== to && (!side.release || side.name === version.name));
    const output = element("div", { "aria-live": "polite" });
    const choose = (label, selected) => {
      const select = element("select", { change: update }, groupSides(all).map(([release, members]) =>
        element("optgroup", { label: release ? `Release ${release}` : "This API" }, members.map(([side, at]) =>
          element("option", { value: String(at), selected: at === selected }, release ? `${release}: ${side.name}` : side.name)))));
      return { select, label: element("label", {}, label, select) };
    };
    const older = choose("From", from < 0 ? (to ? 0 : 1) : from);
    const newer = choose("To", to);
    function update() {
      output.replaceChildren(...difference(kind, all[older.select.value], all[newer.select.value]));
    }
    update();
    return [element("div", { class: "compare" }, older.label, newer.label), output];
  }

  function groupSides(all) {
    const groups = new Map();
    all.forEach((side, at) => groups.set(side.release, [...(groups.get(side.release) || []), [side, at]]));
    return [...groups];
  }

  function flatten({ nodes, root }) {
    const fields = new Map([["", facts({ node: nodes[root] })]]);
    const visit = (at, path) => {
      for (const field of children(nodes, at, path)) {
        fields.set(field.path, facts(field));
        visit(field.index, field.path);
      }
    };
    visit(root, "");
    return fields;
  }

  function facts({ node, required, deprecated }) {
    const markup = (html) => { const box = document.createElement("template"); box.innerHTML = html; return box.content.textContent; };
    return {
      single: { type: markup(node.type || ""), required: required ? "required" : "optional", default: node.default || "none", channel: node.channel || "none",
        deprecated: deprecated ? "deprecated" : "no", description: markup(node.description || "") },
      lists: { constraint: (node.constraints || []).map(markup), value: (node.values || []).map(([value]) => value), rule: (node.rules || []).map(([rule]) => rule) },
    };
  }

  function difference(kind, older, newer) {
    const [before, after] = [flatten(older), flatten(newer)];
    const rows = [];
    const reasons = verdictReasons(kind, older, newer);
    const renames = listRenames(kind, older.name, newer.name);
    const missing = (mine, other, path) => [...mine.keys()].filter((field) => field !== path && isBelow(field, path)).length;
    for (const path of new Set([...after.keys(), ...before.keys()])) {
      const [old, now] = [before.get(path), after.get(path)];
      if (old && now) {
        const notes = changes(old, now);
        if (notes.length) rows.push(["changed", path, notes]);
      } else {
        const [mine, other] = old ? [before, after] : [after, before];
        const parent = path.replace(/(\[\]|\{\})*\.[^.]*$/, "");
        if (parent === path || other.has(parent)) {
          const below = missing(mine, other, path);
          rows.push([old ? "removed" : "added", path, [fieldFacts(old || now), ...(below ? [`with ${count(below, "field")} below it`] : []), ...renameNotes(kind, renames, path, old)]]);
        }
      }
    }
    const listed = new Set(rows.slice(0, MAX_DIFF_ROWS).map(([, path]) => canonical(path)));
    const decisive = new Set(reasons.map(([path]) => canonical(path)).filter((path) => listed.has(path)));
    const others = reasons.filter(([path]) => !decisive.has(canonical(path)));
    const same = others.length ? "" : "There are no differences.";
    return [...verdicts(kind, older, newer, others), element("p", { class: "muted" }, rows.length ? count(rows.length, "difference") : same),
      rows.length ? element("table", { class: "diff" }, element("tbody", {}, rows.slice(0, MAX_DIFF_ROWS).map(([action, path, notes]) =>
        element("tr", {}, element("td", { class: action }, action), element("td", {}, path ? element("span", { class: "path" }, path) : "the whole object",
          decisive.has(canonical(path)) ? element("span", { class: "tag decisive" }, " decides the verdict") : "",
          notes.length ? element("ul", {}, notes.map((note) => element("li", {}, note))) : ""))))) : "",
      rows.length > MAX_DIFF_ROWS ? element("p", { class: "muted" }, `The first ${MAX_DIFF_ROWS} are listed.`) : ""];
  }

  // Paths of schemas, conversions and changes differ in how they write items and values.
  function canonical(path) {
    return path.replace(/\[\*?\]|\{\}/g, "[]");
  }

  function fieldFacts({ single }) {
    return [single.type, single.required === "required" ? "required" : "", single.default === "none" ? "" : `default ${single.default}`].filter(Boolean).join(", ");
  }

  // The steps of the conversion between two versions that write another path than they read.
  function listRenames(kind, from, to) {
    const directions = kind.conversion ? kind.conversion.directions : [];
    const [, , steps] = directions.find(([source, target]) => source === from && target === to) || [null, null, []];
    return steps.flatMap(([reads, writes, effect]) => reads.flatMap((read) => writes.map((write) => [canonical(read), canonical(write), effect])))
      .filter(([read, write]) => read !== write);
  }

  function renameNotes(kind, renames, path, isRemoved) {
    const own = canonical(path);
    return renames.filter(([read, write]) => (isRemoved ? read : write) === own).map(([read, write, effect]) => element("span", {},
      element("a", { href: `#${kind.anchor}:conversion` }, isRemoved ? "converted to" : "converted from"), " ",
      element("span", { class: "path" }, isRemoved ? write : read), `: ${effect}`));
  }

  function isBelow(path, parent) {
    return path.startsWith(parent) && [".", "[", "{"].includes(path[parent.length]);
  }

  function changes(old, now) {
    const notes = [];
    for (const [label, value] of Object.entries(now.single)) {
      if (old.single[label] === value) continue;
      if (label === "description") notes.push("description changed");
      else notes.push(element("span", {}, `${label}: `, element("del", {}, old.single[label]), " → ", element("ins", {}, value)));
    }
    for (const [label, values] of Object.entries(now.lists)) {
      const added = values.filter((value) => !old.lists[label].includes(value));
      for (const value of old.lists[label].filter((other) => !values.includes(other))) {
        // Two constraints that differ only in a number are one that changed.
        const at = label === "constraint" ? added.findIndex((other) => withoutNumbers(other) === withoutNumbers(value)) : -1;
        notes.push(at < 0 ? element("span", {}, `${label} removed: `, element("del", {}, value))
          : element("span", {}, `${label}: `, element("del", {}, value), " → ", element("ins", {}, added.splice(at, 1)[0])));
      }
      for (const value of added) notes.push(element("span", {}, `${label} added: `, element("ins", {}, value)));
    }
    return notes;
  }

  function withoutNumbers(text) {
    return text.replace(/-?\d+(\.\d+)?/g, "#");
  }

  function findVerdict(kind, older, newer) {
    return kind.verdicts.find(([oldRelease, old, newRelease, now]) => oldRelease === older.release && old === older.name
      && newRelease === newer.release && now === newer.name);
  }

  function verdictReasons(kind, older, newer) {
    const own = findVerdict(kind, older, newer);
    return own ? own[5] : [];
  }

  // The verdicts on the change of the version, and on all changes between the releases. `reasons` are those that no row shows.
  function verdicts(kind, older, newer, reasons) {
    const own = findVerdict(kind, older, newer);
    const known = model.verdicts.find(([old, now]) => old === older.release && now === newer.release);
    const paragraphs = [];
    if (own) {
      const [, , , , text, all, total] = own;
      paragraphs.push(element("p", {}, `Verdict on the change from ${sideName(older)} to ${sideName(newer)}: `, element("strong", {}, text), `. ${meaning(text)}`));
      const hidden = total > all.length ? element("li", { class: "muted" }, `and ${count(total - all.length, "more change")}`) : "";
      if (reasons.length || hidden) paragraphs.push(element("ul", { class: "reasons" }, reasons.map(([path, message]) => element("li", {}, path ? `${path}: ${message}` : message)), hidden));
    }
    if (known) paragraphs.push(element("p", {}, `All changes ${older.release ? `from release ${older.release} ` : "to "}${newer.release ? `to release ${newer.release}` : older.release ? "to this API" : "this API"}, of all kinds and versions: `,
      element("strong", {}, known[2]), known[2].startsWith("new version ") ? ". The name is a suggestion." : ""));
    return paragraphs;
  }

  function meaning(verdict) {
    const [, text] = MEANINGS.find(([start]) => verdict.startsWith(start)) || [];
    return text || "";
  }

  function sideName({ release, name }) {
    return release ? `${name} of release ${release}` : name;
  }

  // The conversion graph: the hub, and the spokes beside it.
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
