/**
 * Verifies the check digits of payment references. `codes.ts` verifies the check digits of IBANs.
 */

/**
 * Carry table of the recursive modulo 10 check (Swiss payment standards). The index is the sum of
 * the previous carry and the digit, modulo 10.
 */
const carries = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5];

/** Returns true for a QR reference: 27 digits, of which the last one is the check digit. */
export function isQrReference(text: string): boolean {
  const digits = text.replaceAll(" ", "");
  if (!/^\d{27}$/.test(digits)) return false;
  let carry = 0;
  for (const digit of digits.slice(0, -1)) carry = carries[(carry + Number(digit)) % 10] ?? 0;
  return (10 - carry) % 10 === Number(digits.slice(-1));
}

/**
 * Returns true for a creditor reference (ISO 11649): "RF", two check digits, up to 21 characters.
 */
export function isCreditorReference(text: string): boolean {
  const code = text.replaceAll(" ", "").toUpperCase();
  return /^RF\d{2}[A-Z\d]{1,21}$/.test(code) && remainder97(code.slice(4) + code.slice(0, 4)) === 1;
}

/** Returns the code modulo 97, where letters stand for the numbers 10 to 35 (ISO 7064). */
export function remainder97(code: string): number {
  let remainder = 0;
  for (const letter of code) {
    const digits = /\d/.test(letter) ? letter : String(letter.charCodeAt(0) - 55);
    for (const digit of digits) remainder = (remainder * 10 + Number(digit)) % 97;
  }
  return remainder;
}
