/** Error rate in percent over all relations, the mean of the paper's nine models on its mutants of Spider dev (MT-TEQL Table 7). */
export const PUBLISHED_RATE = 3.1;
