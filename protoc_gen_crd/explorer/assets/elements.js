"use strict";
// Elements that several sections of a page have, and numbers in words.
const elements = (() => {
  const { element } = explorer;
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

  return { rendered, copyButton, count };
})();
