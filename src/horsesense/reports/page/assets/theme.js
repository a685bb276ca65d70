"use strict";
// Before anything is drawn: the look that was chosen last time, so that nothing flashes.
document.documentElement.classList.add("js");
try {
  const chosen = localStorage.getItem("horsesense-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch (error) {
  // Some browsers keep nothing for files: then the system's look it is.
}
