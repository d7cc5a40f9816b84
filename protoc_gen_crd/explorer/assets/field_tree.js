"use strict";
// The tree of fields. The fields of a row are rendered when it is opened first.
const makeFieldTree = (releaseName) => {
  const { element, children } = explorer;
  const { rendered, copyButton } = elements;

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

  return { fieldList, fieldBody, setAllOpen };
};
