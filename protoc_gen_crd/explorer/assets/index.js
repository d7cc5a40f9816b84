"use strict";
// The index: a result of the search opens the page of its group.
(() => {
  let entries = null;

  // The data is read after the first paint: the list of kinds does not need it.
  function index() {
    entries ||= explorer.makeIndex(JSON.parse(document.getElementById("model").textContent));
    return entries;
  }

  function open({ kind, path }) {
    const address = path ? `${kind.anchor}/${encodeURIComponent(path)}` : kind.anchor;
    location.assign(`${encodeURIComponent(kind.file)}#${address}`);
  }

  explorer.connectSearch(index, open);
  explorer.whenIdle(index);
  document.getElementById("find").hidden = false;
})();
