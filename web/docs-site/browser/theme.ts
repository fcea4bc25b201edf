/**
 * Applies the theme that was chosen here or in the web application, before the page is drawn. If
 * none was chosen, the style sheet follows the operating system.
 */
const chosen = localStorage.getItem("sheaf.theme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
