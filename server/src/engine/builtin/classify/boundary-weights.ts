/** Weights of a logistic regression over what `boundaryFeatures` finds. */
export const boundaryWeights: Readonly<Record<string, number>> = {
  bias: 0.5,
  follows: -4,
  followsBare: -2,
  first: 4,
  head: -2,
  foot: -2,
  pageSize: 2,
  source: 2,
  kindLikeness: -1.5,
  title: 2,
  vocabulary: -3,
};
