/** Milliseconds for opening a database with its setup: copies of large ones take their time. */
export const OPENING_MS = 120_000;
