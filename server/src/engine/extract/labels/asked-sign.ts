/**
 * Reads from a field's description whether a deduction is asked for as a positive number or with
 * its minus sign.
 */

const positive =
  /\bpositi(?:v|ve|va|vo|ver|ves|f|ef)\b|\babsolute\b|\b(?:without|no) (?:the |a )?(?:minus|sign)\b|\bohne (?:minus|vorzeichen)|\bsans (?:le )?(?:signe|moins)\b|\bsin (?:el )?signo\b|\bsenza (?:il )?segno\b|\bzonder (?:min|teken)|\bsem (?:o )?sinal\b|\bdodatni|\bbez (?:znaku|minusa)\b/i;

const signed =
  /\bwith (?:the |its |a )?(?:minus|sign)\b|\bminus (?:if|when)\b|\bnegative (?:if|when|number|figure)\b|\bmit (?:vorzeichen|minus)|\bavec (?:le |son )?(?:signe|moins)\b|\bcon (?:el |il |su )?(?:signo|segno)\b|\bmet (?:min|teken)|\bcom (?:o )?sinal\b|\bze znakiem\b|\bz minusem\b/i;

/**
 * How a description asks for a deduction. 1: as a positive number. -1: with its minus sign. 0: the
 * description does not say.
 */
export type AskedSign = 1 | 0 | -1;

export const askedSignOf = (description: string): AskedSign =>
  signed.test(description) ? -1 : positive.test(description) ? 1 : 0;
