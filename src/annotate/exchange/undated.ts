/** Time of answers whose file tells none. */
export const UNDATED = '1970-01-01T00:00:00.000Z';
