/**
 * Cancels the request for an image when its element is removed. Use as the `ref` of an `<img>`.
 * Otherwise, browsers would finish the request, which occupies a connection that the page in view
 * needs.
 */
export const abandonWhenRemoved = (image: HTMLImageElement) => () => {
  image.removeAttribute("srcset");
  image.removeAttribute("src");
};
