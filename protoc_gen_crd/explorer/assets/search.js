"use strict";
// Search as you type, for the pages of groups and for the index.
const explorer = (() => {
  const MAX_RESULTS = 60;
  const TEXT_INPUTS = "textarea, input:not([type=radio], [type=checkbox])"; // in which `/` is text

  // Elements. Strings become text; only HTML that the program rendered from escaped Markdown is parsed.
  function element(name, attributes, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (typeof value === "function") node.addEventListener(key, value);
      else if (value !== null && value !== false) node.setAttribute(key, value === true ? "" : value);
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
    return node;
  }

  // The fields of a schema: each with its node, and its path in objects.
  function* children(nodes, index, path) {
    const node = nodes[index];
    for (const [name, child, required, anchor, since, deprecated] of node.fields || []) {
      const parent = path + (node.steps || "");
      yield { name, index: child, node: nodes[child], required, anchor, since, deprecated, path: parent ? `${parent}.${name}` : name };
    }
  }

  // The index: all fields of the preferred version of each kind, and the fields that only other versions have.
  function pathKey(kind, path) {
    return `${kind.name}\n${path}`;
  }

  function makeIndex(model) {
    const entries = { list: [], paths: new Map(), anchors: new Map() };
    const texts = model.nodes.map((node) => plainText([node.default ? `default ${escaped(node.default)}` : "", node.description,
      (node.values || []).map(([value]) => escaped(value)).join(" ")].filter(Boolean).join(" · ")));
    for (const kind of model.kinds) {
      add(entries, { kind, version: kind.versions[0], name: kind.kind, path: "", anchor: kind.anchor, parent: null, text: plainText(kind.description) });
      // The fields of an overview are kinds of their own.
      if (!kind.isOverview) for (const version of kind.versions) if (version.root >= 0) visit(model, entries, kind, version, version.root, "", null, texts);
    }
    return entries;
  }

  function escaped(text) {
    return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  }

  // The text of HTML that the program rendered, for search and for a line below a result.
  function plainText(html) {
    const text = html.replace(/<[^>]*>/g, " ").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&").trim();
    return { line: text.slice(0, 160), low: text.toLowerCase() };
  }

  function visit(model, entries, kind, version, at, path, parent, texts) {
    for (const field of children(model.nodes, at, path)) {
      let entry = entries.paths.get(pathKey(kind, field.path));
      if (!entry) {
        entry = { kind, version, name: field.name, path: field.path, anchor: field.anchor, parent, text: texts[field.index], node: field.node };
        add(entries, entry);
      }
      visit(model, entries, kind, version, field.index, field.path, entry, texts);
    }
  }

  function add(entries, entry) {
    entry.lowName = entry.name.toLowerCase();
    entry.lowPath = `${entry.kind.kind}.${entry.path}`.toLowerCase();
    entries.list.push(entry);
    entries.paths.set(pathKey(entry.kind, entry.path), entry);
    if (entry.anchor && !entries.anchors.has(entry.anchor)) entries.anchors.set(entry.anchor, entry);
  }

  // Search: all terms must occur; names come before paths, paths before descriptions, short paths before long ones.
  function search(list, text) {
    const terms = text.toLowerCase().split(/\s+/).filter(Boolean);
    const ranks = [[], [], [], [], []];
    if (!terms.length) return [];
    for (const entry of list) {
      let rank = 0;
      for (const term of terms) {
        const own = entry.lowName === term ? 0 : entry.lowName.startsWith(term) ? 1 : entry.lowName.includes(term) ? 2
          : entry.lowPath.includes(term) ? 3 : entry.text.low.includes(term) ? 4 : 5;
        if (own > rank) rank = own;
        if (rank === 5) break;
      }
      if (rank < 5) ranks[rank].push(entry);
    }
    return ranks.flatMap((rank) => rank.sort((one, other) => one.path.length - other.path.length).slice(0, MAX_RESULTS)).slice(0, MAX_RESULTS);
  }

  // The search box. `getIndex` returns the index, `choose` opens an entry, and `scope` names what is searched.
  function connectSearch(getIndex, choose, scope = "") {
    const query = document.getElementById("query");
    const results = document.getElementById("results");
    let matches = [];
    let active = -1;

    function showResults() {
      matches = search(getIndex().list, query.value);
      active = matches.length ? 0 : -1;
      results.replaceChildren(...matches.map((entry, at) => element("li", { role: "option", id: `result-${at}`, "aria-selected": String(at === active),
        mousedown: (event) => { event.preventDefault(); select(entry); } },
      element("span", { class: "path" }, entry.path ? `${entry.kind.kind} ${entry.path}` : entry.kind.kind),
      entry.version !== entry.kind.versions[0] ? ` ${entry.version.name}` : "",
      note(entry))));
      if (query.value.trim() && !matches.length) results.append(element("li", { role: "option", "aria-selected": "false", "aria-disabled": "true", class: "muted" }, scope ? `No matches in ${scope}` : "No matches"));
      setExpanded(Boolean(query.value.trim()));
    }

    // The line below a result: its group on the index, and its description.
    function note({ kind, text }) {
      const group = kind.group && element("bdi", {}, kind.group, text.line ? " · " : "");
      return group || text.line ? element("small", { dir: "auto" }, group, text.line) : "";
    }

    function setExpanded(open) {
      results.hidden = !open;
      query.setAttribute("aria-expanded", String(open));
      if (open && active >= 0) query.setAttribute("aria-activedescendant", `result-${active}`);
      else query.removeAttribute("aria-activedescendant");
    }

    function move(step) {
      if (!matches.length) return;
      results.children[active].setAttribute("aria-selected", "false");
      active = (active + step + matches.length) % matches.length;
      results.children[active].setAttribute("aria-selected", "true");
      results.children[active].scrollIntoView({ block: "nearest" });
      setExpanded(true);
    }

    function select(entry) {
      setExpanded(false);
      choose(entry);
    }

    const KEYS = { ArrowDown: () => move(1), ArrowUp: () => move(-1), Enter: () => active >= 0 && !results.hidden && select(matches[active]),
      Escape: () => { setExpanded(false); query.value = ""; } };

    query.addEventListener("focus", () => getIndex()); // before the first keystroke, if the page was not idle yet
    query.addEventListener("input", showResults);
    query.addEventListener("blur", () => setExpanded(false));
    query.addEventListener("keydown", (event) => {
      if (!Object.hasOwn(KEYS, event.key)) return;
      event.preventDefault();
      KEYS[event.key]();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest(TEXT_INPUTS)) return;
      event.preventDefault();
      query.focus();
      query.select();
    });
  }

  // Run work after the first paint, so that no keystroke waits for it.
  function whenIdle(work) {
    if (window.requestIdleCallback) requestIdleCallback(work);
    else setTimeout(work, 200);
  }

  return { element, children, makeIndex, pathKey, connectSearch, whenIdle };
})();
