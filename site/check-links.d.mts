/** Faults of a site below `folder` that is served from `base`, one line each. */
export function findLinkFaults(folder: string, base: string): readonly string[];
