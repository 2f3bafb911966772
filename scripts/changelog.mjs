// CHANGELOG.md in the form of Keep a Changelog 1.1: read, checked, and turned into that of a release.

const KINDS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
const RELEASE = /^## \[(?<version>[^\]]+)\](?: - (?<date>\d{4}-\d{2}-\d{2}))?(?: \[YANKED\])?$/;
const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

/** The sections from the newest: version ("Unreleased" first), date, their lines, and the kinds of their entries. */
export function readChangelog(text) {
  const releases = [];
  for (const line of text.split('\n')) {
    const heading = RELEASE.exec(line);
    if (heading !== null) releases.push({ ...heading.groups, lines: [] });
    else if (line.startsWith('## ')) releases.push({ version: line, date: undefined, lines: [] });
    else releases.at(-1)?.lines.push(line);
  }
  return releases.map((release) => ({
    ...release,
    kinds: release.lines.flatMap((line) => (line.startsWith('### ') ? [line.slice(4)] : [])),
  }));
}

/** What is wrong with the form, in sentences. */
export function changelogFaults(text) {
  const [unreleased, ...released] = readChangelog(text);
  const faults = [];
  if (!text.startsWith('# Changelog\n')) faults.push('its first line is not "# Changelog"');
  if (unreleased?.version !== 'Unreleased') faults.push('its first section is not "## [Unreleased]"');
  for (const { version, date } of released)
    if (!VERSION.test(version) || date === undefined)
      faults.push(`"${version}" is not of the form "## [1.2.3] - 2026-01-31"`);
  for (const { version, kinds } of unreleased === undefined ? [] : [unreleased, ...released]) {
    for (const kind of kinds)
      if (!KINDS.includes(kind)) faults.push(`${version}: "${kind}" is none of ${KINDS.join(', ')}`);
    if (new Set(kinds).size < kinds.length) faults.push(`${version}: a kind of change has two headings`);
  }
  return faults;
}

/** The versions that may follow a version: its next patch, minor and major one; any where there is none. */
function successorsOf(version) {
  const [major, minor, patch] = VERSION.exec(version).slice(1).map(Number);
  return [`${major}.${minor}.${patch + 1}`, `${major}.${minor + 1}.0`, `${major + 1}.0.0`];
}

/** Why a version can't be released with this changelog, in sentences. */
export function releaseFaults(text, version) {
  const faults = changelogFaults(text);
  if (faults.length > 0) return faults;
  const [unreleased, last] = readChangelog(text);
  if (!VERSION.test(version)) return [`${version} is not a semantic version such as 1.2.3`];
  if (last !== undefined && !successorsOf(last.version).includes(version))
    faults.push(`after ${last.version} comes ${successorsOf(last.version).join(', ')}, not ${version}`);
  if (!unreleased.lines.some((line) => line.startsWith('- '))) faults.push('[Unreleased] has no entry');
  if (last !== undefined && unreleased.kinds.includes('Removed') && !/\.0$/.test(version))
    faults.push(`what removes something is no patch: not ${version}`);
  return faults;
}

/** The changelog with its unreleased entries under a version and a date (2026-01-31), and an empty section above. */
export function releaseChangelog(text, version, date) {
  const [head, ...rest] = text.split('## [Unreleased]\n');
  // A sentence above the first kind announces the release: now it is there.
  const entries = rest.join('## [Unreleased]\n').replace(/^[^#]*(?=### )/, '\n');
  return `${head}## [Unreleased]\n\n## [${version}] - ${date}\n${entries}`;
}
