/**
 * Weights of the votes for the name of a party, 0 to 1: probability that such a vote is right.
 * `tally` combines the votes for one name as independent. Chosen by hand, 2026-11;
 * a fit is not better on authors left out (decision 0063).
 */
export const partyWeights = {
  /** Value of a label that names the party, times the factor of the pair. */
  atPartyLabel: 0.9,
  /** Value of "Name" in a section of the party, times the factor of the pair. */
  atNameLabel: 0.97,
  /** The same as `atPartyLabel` for a person beside the issuer's label: often a contact. */
  personAtLabel: 0.45,
  /** Name below a value of the party's label that is itself no name. */
  belowValue: 0.7,
  /** Name below a heading that names the party. */
  belowHeading: 0.85,
  /** Sender line in the upper part of the page, and further down. */
  highSenderLine: 0.8,
  lowSenderLine: 0.6,
  /** Name of an address in a section of the party. */
  addressInSection: 0.6,
  /** Name of an address with "To" before it, or below a sender line. */
  addressee: 0.7,
  /** Name of an address with contact details below it, or set larger than the address. */
  addressWithContact: 0.66,
  /** Name of the only address of the first page, for the issuer. */
  onlyAddress: 0.42,
  /** Name of an address where letters have the addressee. */
  addressInWindow: 0.62,
  /** Name of a guessed addressee that turned out to be another's: the issuer's. */
  otherBlock: 0.45,
  /** Name with a legal form at the top of the first page, at the foot of a page, and elsewhere. */
  companyAtTop: 0.5,
  companyAtFoot: 0.42,
  companyElsewhere: 0.2,
  /** First line of the first page, and the two lines below it, without a legal form. */
  firstLine: 0.34,
  secondLine: 0.31,
  /** Largest text at the head of the first page. */
  letterhead: 0.36,
  /** Name before registration details in the foot of a page. */
  registration: 0.5,
  /** Name in a sentence such as "Make checks payable to Acme Inc." */
  payable: 0.8,
  /** Name in "for Acme Ltd." above a signature. */
  signedFor: 0.5,
  /** Name below a closing formula. */
  signature: 0.5,
};

export type VoteKind = keyof typeof partyWeights;

/** How votes are combined. Chosen by hand, 2026-11. */
export const tallyWeights = {
  /** Factor for the score of a name that scores higher for the other party. */
  ofOtherParty: 0.3,
  /** Factor for votes that count a payee as the seller. */
  payeeAsSeller: 0.45,
  /** Greatest score of a name. */
  most: 0.98,
  /** Least probability that a short name is wrong, when it supports the full one. */
  leastMiss: 0.1,
  /** Exponent and factor of that probability. */
  shortExponent: 0.9,
  shortFactor: 0.97,
};
