/**
 * Cancels the request for an image when its element is removed. Use as the `ref` of an `<img>`.
 * Browsers would finish the request and keep a connection busy that the page in view needs.
 */
export const abandonWhenRemoved = (image: HTMLImageElement) => () => {
  image.removeAttribute("srcset");
  image.removeAttribute("src");
};
