/**
 * Draws a QR code as SVG. This is a separate module, so that the QR code library is loaded only
 * when a code is shown.
 */
import { encode } from "uqr";

/**
 * Draws black on white even in the dark theme, because many cameras cannot read a light code on a
 * dark background.
 */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: "M", border: 4 });
  const modules = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-full"
    >
      <path className="fill-white" d={`M0 0h${size}v${size}H0z`} />
      <path className="fill-black" d={modules.join("")} />
    </svg>
  );
}
