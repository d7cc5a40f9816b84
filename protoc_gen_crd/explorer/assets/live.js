"use strict";
// A served page: it loads itself again when files change, and shows their errors.
(() => {
  const INTERVAL = 1000; // milliseconds
  const banner = document.createElement("div");
  let generation = null;
  banner.id = "banner";
  banner.setAttribute("role", "status");
  document.body.prepend(banner);

  function show(text) {
    if (banner.textContent !== text) banner.textContent = text;
    banner.hidden = !text;
  }

  async function check() {
    if (document.visibilityState === "visible") {
      try {
        const response = await fetch("api/state", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
        const state = await response.json();
        if (generation !== null && generation !== state.generation) location.reload();
        generation = state.generation;
        show(state.findings.filter((finding) => finding.severity === "error")
          .map((finding) => `${finding.place ? `${finding.place}: ` : ""}${finding.message}`).join("\n"));
      } catch {
        show("The server does not answer. Start protoc-gen-crd explore again, and open the address that it prints.");
      }
    }
    setTimeout(check, INTERVAL);
  }

  show("");
  check();
})();
