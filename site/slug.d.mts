/** The anchor of a heading, as GitHub makes it. */
export function slugOf(title: string): string;
