/**
 * A variant of `fetch` that reports upload progress. In browsers, only XMLHttpRequest can do that.
 */

/**
 * Returns a function with the signature of `fetch`. The request body must be a Blob.
 * @param onProgress called with the number of bytes of the body that were sent
 */
export const progressFetch =
  (onProgress: (sentBytes: number, totalBytes: number) => void): typeof fetch =>
  (input, init = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      const { method = "GET", signal, body } = init;
      const abort = () => request.abort();
      request.open(method, String(input));
      for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
      request.responseType = "arraybuffer";
      request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
      request.onload = () => {
        const { status } = request;
        const hasBody = status !== 204 && status !== 304;
        resolve(new Response(hasBody ? request.response : null, { status, headers: headersOf(request) }));
      };
      request.onerror = () => reject(new TypeError("The connection failed."));
      request.onabort = () => reject(signal?.reason ?? new DOMException("Aborted", "AbortError"));
      request.onloadend = () => signal?.removeEventListener("abort", abort);
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener("abort", abort);
      request.send(body as XMLHttpRequestBodyInit | null | undefined);
    });

function headersOf(request: XMLHttpRequest): Headers {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().trim().split(/\r\n/)) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return headers;
}
