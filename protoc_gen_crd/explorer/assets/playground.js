"use strict";
(() => {
  const model = JSON.parse(document.getElementById("model").textContent);
  const manifest = document.getElementById("manifest");
  const lines = document.getElementById("lines");
  const expression = document.getElementById("expression");
  const where = document.getElementById("location");
  const sample = document.getElementById("sample");
  const inputs = { manifest, expression, location: where };
  const DELAY = 200; // milliseconds without a keystroke, after which the server is asked
  const MAX_LINES = 10000; // that get a number

  // Strings of the server become text, never HTML.
  function element(name, attributes, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (typeof value === "function") node.addEventListener(key, value);
      else if (value !== null && value !== false) node.setAttribute(key, value === true ? "" : value);
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
    return node;
  }

  function count(number, noun) {
    return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
  }

  async function ask(route, question) {
    const response = await fetch(`api/${route}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question) });
    if (!response.ok) return { failure: (await response.text()).trim() };
    return response.json();
  }

  // Answers may arrive in another order than their questions: only that of the last question is shown.
  function makePanel(id, question, render) {
    const output = document.querySelector(`#${id} .output`);
    let last = 0;
    return async () => {
      const number = ++last;
      const asked = question();
      const answer = asked ? await ask(asked.route, asked.values).catch(() => ({ failure: "The server does not answer." })) : null;
      if (number !== last) return;
      output.replaceChildren(...(!answer ? [] : answer.failure ? [element("p", { class: "removed" }, answer.failure)] : render(answer)));
    };
  }

  // Findings of the program. The field and the constraint come first; the message is that of API servers.
  function findingList(findings, kind) {
    if (!findings.length) return "";
    return element("ul", { class: "findings" }, findings.map((finding) => element("li", { class: finding.severity },
      element("strong", {}, finding.severity), " ",
      isMarked(finding) ? [element("button", { type: "button", class: "line", click: () => selectLine(finding.line) }, `line ${finding.line}`), " "] : "",
      finding.place ? [element("span", { class: "path" }, finding.place), " "] : "",
      ...(finding.violation ? violation(finding, kind) : [message(finding.message), rule(finding)]),
      finding.excerpt ? element("pre", { tabindex: "0", role: "region", "aria-label": "Position" }, excerpt(finding.excerpt)) : "",
      finding.hint ? element("div", { class: "muted" }, finding.hint) : "")));
  }

  function message(text) {
    return element("span", { class: "message", dir: "auto" }, text);
  }

  function rule(finding) {
    return element("span", { class: "muted" }, ` [${finding.rule}]`);
  }

  // A finding without a place in the manifest, such as a note on the whole object, marks no line.
  function isMarked(finding) {
    return finding.line && finding.severity !== "note";
  }

  function violation(finding, kind) {
    const { path, detail, constraint, cel, field } = finding.violation;
    const label = path ? element("strong", { class: "path" }, path) : "";
    const target = field && fieldAddress(kind, field);
    return [target && path ? [element("a", { href: target }, label), " "] : label ? [label, " "] : "", message(detail),
      finding.rule === "document-rejected" ? "" : rule(finding),
      constraint ? element("div", {}, element("code", {}, constraint)) : "",
      cel ? element("div", {}, "CEL rule ", element("code", {}, cel)) : ""];
  }

  // The address of a field on the page of its group.
  function fieldAddress([group, name], field) {
    const page = model.pages.find((entry) => entry[0] === group && entry[1] === name);
    return page && `${page[2]}/${encodeURIComponent(field)}`;
  }

  function excerpt([text, column]) {
    return `${text}\n${[...text].slice(0, column).map((char) => (char === "\t" ? "\t" : " ")).join("")}^`;
  }

  function verdictLine(object) {
    const name = element("strong", {}, object.name);
    if (object.skipped) return element("p", {}, name, ` is skipped: ${object.skipped}`);
    if (!object.rejected && !object.accepted) return element("p", {}, name, " is not validated");
    return element("p", {}, name, " is ",
      object.rejected ? element("span", { class: "removed" }, `rejected by Kubernetes ${object.rejected}`) : "",
      object.rejected && object.accepted ? " and " : "",
      object.accepted ? element("span", { class: "added" }, `accepted by Kubernetes ${object.accepted}`) : "");
  }

  const showVerdict = makePanel("verdict", () => ({ route: "manifest", values: { manifest: manifest.value } }), (answer) => {
    markLines(answer.findings);
    const others = answer.findings.filter((finding) => finding.object < 0);
    return [...answer.objects.flatMap((object, at) => [verdictLine(object), findingList(answer.findings.filter((finding) => finding.object === at), object.kind)]),
      findingList(others), answer.objects.length || answer.findings.length ? "" : "There is no object."];
  });

  function ruleTable(result) {
    const estimate = result.estimated;
    const times = estimate.times > 1 ? `, ${estimate.evaluation.toLocaleString("en")} for each of ${count(estimate.times, "value")}` : "";
    const rows = [
      ...result.values.map((value) => [value.path ? `value at ${value.path}` : "value", value.error ? element("span", { class: "removed" }, value.error) : element("code", {}, value.value)]),
      ...(result.values.length ? [] : [["value", "none: the manifest has no value at this location"]]),
      ...(result.count > result.values.length ? [["", `${count(result.count - result.values.length, "more value")} not evaluated`]] : []),
      ["type", result.type === "bool" ? "bool" : `${result.type}, but a rule must be a bool`],
      ["estimated cost", `${estimate.cost.toLocaleString("en")} of ${estimate.limit.toLocaleString("en")}${times}`],
      ...(result.values.length ? [["actual cost", `${Math.max(...result.values.map((value) => value.cost)).toLocaleString("en")} of ${result.values[0].limit.toLocaleString("en")}`]] : []),
    ];
    return element("dl", { class: "facts" }, [["Kubernetes", result.kubernetes], ...rows].flatMap(([label, value]) => [element("dt", {}, label), element("dd", {}, value)]));
  }

  const showRule = makePanel("rule", () => expression.value.trim() && { route: "rule", values: { manifest: manifest.value, expression: expression.value, location: where.value } },
    (answer) => [...(answer.expression && answer.expression !== expression.value ? [element("p", {}, "It expands to ", element("code", {}, answer.expression))] : []),
      ...answer.results.filter((result) => result.type).map(ruleTable), findingList(answer.findings)]);

  function versionPanel(converted, at) {
    return element("details", { open: at === 0 }, element("summary", {}, converted.version),
      findingList(converted.findings),
      converted.kept.length ? element("table", {}, element("caption", {}, "Kept in the conversion-data annotation"),
        element("tbody", {}, converted.kept.map(([version, path, value]) => element("tr", {}, element("th", { scope: "row" }, version),
          element("td", { class: "path" }, path), element("td", {}, element("code", {}, value)))))) : "",
      converted.text ? element("pre", { tabindex: "0", role: "region", "aria-label": `The object in ${converted.version}` }, converted.text) : "");
  }

  function missingConversion({ reason, problems }) {
    return problems.length ? element("details", {}, element("summary", {}, `${reason}: ${count(problems.length, "problem")} in the API`), findingList(problems))
      : element("p", { class: "muted" }, reason || "There is no object to convert.");
  }

  const showConversion = makePanel("conversion", () => ({ route: "conversion", values: { manifest: manifest.value } }), (answer) =>
    answer.versions.length ? [...answer.versions.map(versionPanel), answer.reason ? missingConversion(answer) : "", findingList(answer.findings)]
      : [missingConversion(answer)]);

  // The numbers of lines, with those of errors and warnings marked.
  let marked = new Map();

  function markLines(findings) {
    marked = new Map();
    for (const { line, severity } of findings.filter(isMarked)) if (marked.get(line) !== "error") marked.set(line, severity);
    numberLines();
  }

  function numberLines() {
    const total = Math.min(manifest.value.split("\n").length, MAX_LINES);
    lines.replaceChildren(...Array.from({ length: total }, (_, at) => element("span", { class: marked.get(at + 1) }, `${at + 1}\n`)));
    lines.scrollTop = manifest.scrollTop;
  }

  function selectLine(line) {
    const texts = manifest.value.split("\n");
    const start = texts.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    manifest.focus();
    manifest.setSelectionRange(start, start + (texts[line - 1] || "").length);
    manifest.scrollTop = Math.max(0, (line - 5) * parseFloat(getComputedStyle(manifest).lineHeight));
  }

  // Replaces the text as an input of the user, so that Ctrl+Z restores it. The select keeps the focus.
  function replaceManifest(text) {
    manifest.focus();
    manifest.select();
    if (!document.execCommand("insertText", false, text)) manifest.value = text;
    marked.clear();
    manifest.scrollTop = 0;
    sample.focus();
  }

  function showSample() {
    const at = model.samples.findIndex(([, text]) => text === manifest.value);
    sample.value = at < 0 ? "edited" : String(at);
  }

  let timer = 0;

  function store() {
    for (const [name, input] of Object.entries(inputs)) {
      try { sessionStorage.setItem(name, input.value); } catch { /* a text above the limit of the browser is not kept */ }
    }
  }

  function run() {
    store();
    showVerdict();
    showRule();
    showConversion();
  }

  function runLater() {
    clearTimeout(timer);
    timer = setTimeout(run, DELAY);
  }

  function start() {
    sample.append(element("option", { value: "edited", hidden: true }, "edited"), ...model.samples.map(([title], at) => element("option", { value: at }, title)));
    document.getElementById("locations").append(...model.locations.map((path) => element("option", { value: path })));
    manifest.value = model.samples.length ? model.samples[0][1] : "";
    for (const [name, input] of Object.entries(inputs)) {
      const kept = sessionStorage.getItem(name);
      if (kept !== null) input.value = kept;
    }
    showSample();
    numberLines();
    run();
  }

  manifest.addEventListener("input", () => { showSample(); marked.clear(); numberLines(); runLater(); });
  manifest.addEventListener("scroll", () => { lines.scrollTop = manifest.scrollTop; });
  expression.addEventListener("input", runLater);
  where.addEventListener("input", runLater);
  sample.addEventListener("change", () => { replaceManifest(model.samples[sample.value][1]); numberLines(); run(); });
  start();
})();
