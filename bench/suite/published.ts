/**
 * What the published programs (ruiqi-zhong/TestSuiteEval 7bf6378) come to, in user CPU seconds of whole processes, each
 * the mean of its runs on the anchors' machine: ../shared/anchors/README.md.
 */
export const PUBLISHED = {
  /** 30.82 27.64 24.42 */
  first200: { neighbors: 20_998, seconds: 27.63 },
  /** One run. */
  all: { neighbors: 97_011, seconds: 102.6 },
  /** concert_singer, 100 databases of 3.8 MB together: 4.78 5.66 5.42 */
  databases: { count: 100, bytes: 3_800_000, seconds: 5.29 },
  /** concert_singer: of 1,648 neighbors those that the original alone, and those that 100 databases leave. */
  left: { original: 197 / 1_648, random: 45 / 1_648 },
} as const;

/**
 * Table 4 of Test-suite accuracy (Zhong et al. 2020): queries, neighbors for each, the share left, and of golds the share
 * that can be judged reliably.
 */
export const CLASSICAL: Readonly<
  Record<
    string,
    { readonly queries: number; readonly neighbors: number; readonly left: number; readonly reliable: number }
  >
> = {
  academic: { queries: 189, neighbors: 368, left: 0.0136, reliable: 0.947 },
  geo: { queries: 51, neighbors: 108, left: 0.0528, reliable: 0.882 },
  imdb: { queries: 97, neighbors: 253, left: 0.0023, reliable: 1 },
  restaurants: { queries: 23, neighbors: 379, left: 0.0014, reliable: 1 },
  scholar: { queries: 101, neighbors: 107, left: 0.0054, reliable: 0.921 },
  yelp: { queries: 122, neighbors: 274, left: 0.0007, reliable: 0.983 },
};
