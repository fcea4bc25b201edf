/**
 * Weights (0 to 1) of the votes for a party's name. Each is the probability that a vote of this
 * kind is correct. `tally` combines the votes for one name as if they were independent. Chosen by
 * hand, 2026-11. Fitted weights are no better on held-out authors (decision 0063).
 */
export const partyWeights = {
  /**
   * Value beside or below a label that names the party. Multiplied by the factor of the label-value
   * pair.
   */
  atPartyLabel: 0.9,
  /**
   * Value of the label "Name" in the party's section. Multiplied by the factor of the label-value
   * pair.
   */
  atNameLabel: 0.97,
  /**
   * Used instead of `atPartyLabel` for a person beside the label of the issuer, who may be only a
   * contact.
   */
  personAtLabel: 0.45,
  /** Name below the value beside the party's label, if that value is not a name. */
  belowValue: 0.7,
  /** Name below a heading that names the party. */
  belowHeading: 0.85,
  /** Name in a sender line in the upper part of the page. */
  highSenderLine: 0.8,
  /** Name in a sender line further down the page. */
  lowSenderLine: 0.6,
  /** Name in an address block in the party's section. */
  addressInSection: 0.6,
  /**
   * Name in an address block with a salutation such as "To", a department, "Attn" or "c/o", or with
   * a sender line above it.
   */
  addressee: 0.7,
  /**
   * Name in an address block with contact details below it, or name in larger type than its
   * address.
   */
  addressWithContact: 0.66,
  /** Name in the only address block of the first page, as a vote for the issuer. */
  onlyAddress: 0.42,
  /** Name in an address block at the position where letters print the addressee. */
  addressInWindow: 0.62,
  /**
   * Name in an address block that at first seemed to be the addressee's. Because another name
   * turned out to be the addressee's, the vote counts for the issuer.
   */
  otherBlock: 0.45,
  /** Name with a legal form at the top of the first page. */
  companyAtTop: 0.5,
  /** Name with a legal form in the foot of a page. */
  companyAtFoot: 0.42,
  /**
   * Name with a legal form that is neither at the top of the first page nor in the foot of a page.
   */
  companyElsewhere: 0.2,
  /** First line of the first page, if it has no legal form. */
  firstLine: 0.34,
  /** Second or third line of the first page, if it has no legal form. */
  secondLine: 0.31,
  /** Largest text at the top of the first page. */
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

/** Parameters for combining votes. Chosen by hand, 2026-11. */
export const tallyWeights = {
  /** Factor for the score of a name that scores higher for the counterpart of the party. */
  ofOtherParty: 0.3,
  /** Factor for votes for a payee that are counted for the seller. */
  payeeAsSeller: 0.45,
  /** Maximum score of a name. */
  most: 0.98,
  /**
   * Lower bound for the probability that a short name is wrong. Used if the short name supports a
   * full name.
   */
  leastMiss: 0.1,
  /**
   * Exponent for the probability that a short name is wrong. Used if the short name supports a full
   * name.
   */
  shortExponent: 0.9,
  /** Factor for the probability that a short name is wrong, applied after `shortExponent`. */
  shortFactor: 0.97,
};
