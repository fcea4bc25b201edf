/**
 * Applies the theme before the page is drawn: the one that was chosen here or in the web
 * application, else that of the operating system, which the style sheet follows by itself.
 */
const chosen = localStorage.getItem("sheaf.theme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
