/**
 * Ends the request for an image that is no longer shown: `ref` of an image. Browsers go on with it,
 * and the few connections that they have would not be free for the page in view.
 */
export const abandonWhenRemoved = (image: HTMLImageElement) => () => {
  image.removeAttribute("srcset");
  image.removeAttribute("src");
};
