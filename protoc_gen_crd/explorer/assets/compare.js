"use strict";
// Comparison of two versions, of this API or of releases.
const makeCompareSection = (model, laterSection) => {
  const { element, children } = explorer;
  const { count } = elements;
  const MAX_DIFF_ROWS = 500;
  const MEANINGS = [
    ["compatible", "It needs no release."],
    ["minor release", "Clients keep working: the version stays, and a minor release contains the change."],
    ["next microversion", "Clients of older microversions keep working."],
    ["new version", "It breaks clients or stored objects: the old version must stay beside a new one."],
    ["not allowed", "It breaks clients or stored objects."],
    ["rejected", "The new CRD cannot be installed."],
  ];

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

  return compareSection;
};
