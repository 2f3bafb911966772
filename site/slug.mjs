/** The anchor of a heading, as GitHub makes it: the pages' links are written for that. */
export function slugOf(title) {
  return title
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
