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

  // Findings of the program: the message, the line in the manifest, and where the rule is defined.
  function findingList(findings) {
    if (!findings.length) return "";
    return element("ul", { class: "findings" }, findings.map((finding) => element("li", { class: finding.severity },
      element("strong", {}, finding.severity), " ",
      finding.line ? [element("button", { type: "button", class: "line", click: () => selectLine(finding.line) }, `line ${finding.line}`), " "] : "",
      finding.place ? [element("span", { class: "path" }, finding.place), " "] : "",
      element("span", { class: "message", dir: "auto" }, finding.message), " ",
      element("span", { class: "muted" }, `[${finding.rule}]`),
      finding.excerpt ? element("pre", { tabindex: "0", role: "region", "aria-label": "Position" }, excerpt(finding.excerpt)) : "",
      finding.hint ? element("div", { class: "muted" }, finding.hint) : "")));
  }

  function excerpt([text, column]) {
    return `${text}\n${[...text].slice(0, column).map((char) => (char === "\t" ? "\t" : " ")).join("")}^`;
  }

  function verdictLine(object) {
    const name = element("strong", {}, object.name);
    if (object.skipped) return element("p", {}, name, ` is skipped: ${object.skipped}`);
    if (!object.rejected && !object.accepted) return element("p", {}, name, " is not validated because of errors");
    return element("p", {}, name, " is ",
      object.rejected ? element("span", { class: "removed" }, `rejected by Kubernetes ${object.rejected}`) : "",
      object.rejected && object.accepted ? " and " : "",
      object.accepted ? element("span", { class: "added" }, `accepted by Kubernetes ${object.accepted}`) : "");
  }

  const showVerdict = makePanel("verdict", () => ({ route: "manifest", values: { manifest: manifest.value } }), (answer) => {
    markLines(answer.findings);
    return [...answer.objects.map(verdictLine), findingList(answer.findings), answer.objects.length || answer.findings.length ? "" : "There is no object."];
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

  const showConversion = makePanel("conversion", () => ({ route: "conversion", values: { manifest: manifest.value } }), (answer) =>
    answer.versions.length ? [...answer.versions.map(versionPanel), findingList(answer.findings)] : [
      element("p", { class: "muted" }, "There is no conversion of the manifest to another version."),
      answer.findings.length ? element("details", {}, element("summary", {}, `${count(answer.findings.length, "finding")} of the conversion`), findingList(answer.findings)) : ""]);

  // The numbers of lines, with those of findings marked.
  let marked = new Set();

  function markLines(findings) {
    marked = new Set(findings.map((finding) => finding.line));
    numberLines();
  }

  function numberLines() {
    const total = Math.min(manifest.value.split("\n").length, MAX_LINES);
    lines.replaceChildren(...Array.from({ length: total }, (_, at) => element("span", { class: marked.has(at + 1) ? "marked" : null }, `${at + 1}\n`)));
    lines.scrollTop = manifest.scrollTop;
  }

  function selectLine(line) {
    const texts = manifest.value.split("\n");
    const start = texts.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    manifest.focus();
    manifest.setSelectionRange(start, start + (texts[line - 1] || "").length);
    manifest.scrollTop = Math.max(0, (line - 5) * parseFloat(getComputedStyle(manifest).lineHeight));
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
    sample.append(...model.samples.map(([title], at) => element("option", { value: at }, title)));
    document.getElementById("locations").append(...model.locations.map((path) => element("option", { value: path })));
    manifest.value = model.samples.length ? model.samples[0][1] : "";
    for (const [name, input] of Object.entries(inputs)) {
      const kept = sessionStorage.getItem(name);
      if (kept !== null) input.value = kept;
    }
    numberLines();
    run();
  }

  manifest.addEventListener("input", () => { marked.clear(); numberLines(); runLater(); });
  manifest.addEventListener("scroll", () => { lines.scrollTop = manifest.scrollTop; });
  expression.addEventListener("input", runLater);
  where.addEventListener("input", runLater);
  sample.addEventListener("change", () => { manifest.value = model.samples[sample.value][1]; marked.clear(); numberLines(); run(); });
  start();
})();
