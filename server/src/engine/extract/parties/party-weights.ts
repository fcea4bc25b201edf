/**
 * Weights of the votes for the name of a party, 0 to 1: the probability that such a vote is right.
 * `tally` combines the votes for one name as if they were independent. Chosen by hand, 2026-11;
 * fitted weights are not better on authors held out (decision 0063).
 */
export const partyWeights = {
  /** Value of a label that names the party. Multiplied by the factor of the label-value pair. */
  atPartyLabel: 0.9,
  /**
   * Value of the label "Name" in a section of the party. Multiplied by the factor of the
   * label-value pair.
   */
  atNameLabel: 0.97,
  /**
   * Replaces `atPartyLabel` for a person beside the issuer's label, who is often only a contact.
   */
  personAtLabel: 0.45,
  /** Name below the value of the party's label, if that value is not a name. */
  belowValue: 0.7,
  /** Name below a heading that names the party. */
  belowHeading: 0.85,
  /** Sender line in the upper part of the page, and further down. */
  highSenderLine: 0.8,
  lowSenderLine: 0.6,
  /** Name of an address in a section of the party. */
  addressInSection: 0.6,
  /** Name of an address that has "To" before it or is below a sender line. */
  addressee: 0.7,
  /**
   * Name of an address that has contact details below it, or name in larger type than its address.
   */
  addressWithContact: 0.66,
  /** Name of the only address of the first page, for the issuer. */
  onlyAddress: 0.42,
  /** Name of an address at the position where letters show the addressee. */
  addressInWindow: 0.62,
  /**
   * Name of a guessed addressee, counted for the issuer after another name proved to be the
   * addressee's.
   */
  otherBlock: 0.45,
  /** Name with a legal form at the top of the first page, at the foot of a page, and elsewhere. */
  companyAtTop: 0.5,
  companyAtFoot: 0.42,
  companyElsewhere: 0.2,
  /** First line of the first page, and each of the two lines below it, without a legal form. */
  firstLine: 0.34,
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

/** Parameters by which votes are combined. Chosen by hand, 2026-11. */
export const tallyWeights = {
  /** Factor for the score of a name that scores higher for the other party. */
  ofOtherParty: 0.3,
  /** Factor for votes for a payee if they are counted for the seller. */
  payeeAsSeller: 0.45,
  /** Maximum score of a name. */
  most: 0.98,
  /** Minimum probability that a short name is wrong, used when it supports the full name. */
  leastMiss: 0.1,
  /** Exponent and factor that are applied to that probability. */
  shortExponent: 0.9,
  shortFactor: 0.97,
};
