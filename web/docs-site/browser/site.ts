/**
 * Script of all pages: search, theme and navigation. Without it, the pages can be read, but not
 * searched.
 */

import { prepareContents } from "./contents.ts";
import { copyCodeOnRequest } from "./copy-code.ts";
import { linkHeadings } from "./heading-links.ts";
import { showCurrentPage } from "./navigation.ts";
import { makeScrollable } from "./scrollable.ts";
import { prepareSearch } from "./search.ts";
import { prepareThemeButton } from "./theme-button.ts";

prepareSearch();
prepareThemeButton();
showCurrentPage();
prepareContents();
copyCodeOnRequest();
linkHeadings();
makeScrollable();
