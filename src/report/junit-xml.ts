/** Characters that XML 1.0 can't hold, not even as a reference (§2.2). */
// eslint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Escapes text for an attribute in double quotes; characters that XML can't hold become U+FFFD. */
export function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"\t\n\r]/g, (character) => REFERENCES[character] ?? character);
}

/** Escapes text for element content, where lines stay lines. */
function escapeXmlText(text: string): string {
  return text.replace(FORBIDDEN, '\ufffd').replace(/[&<>\r]/g, (character) => REFERENCES[character] ?? character);
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');
}

/**
 * How a test that does not pass is written: what counts as failed, as the machinery's fault, or as known and accepted.
 */
type Fault = 'failure' | 'error' | 'skipped';

/** One test; `fault` is null where it passes. */
export interface TestCase {
  readonly classname: string;
  readonly name: string;
  readonly fault: {
    readonly kind: Fault;
    readonly type: string;
    readonly message: string;
    readonly body: string;
  } | null;
}

export interface TestSuite {
  readonly name: string;
  readonly cases: readonly TestCase[];
}

function renderCase({ classname, name, fault }: TestCase): string {
  const opening = `    <testcase${attributes({ classname, name })}`;
  if (fault === null) return `${opening}/>`;
  const { kind, type, message, body } = fault;
  return `${opening}>\n      <${kind}${attributes({ type, message })}>${escapeXmlText(body)}</${kind}>\n    </testcase>`;
}

function countFaults(cases: readonly TestCase[]): Record<'tests' | 'failures' | 'errors' | 'skipped', number> {
  const count = (kind: Fault): number => cases.filter(({ fault }) => fault?.kind === kind).length;
  return { tests: cases.length, failures: count('failure'), errors: count('error'), skipped: count('skipped') };
}

function renderSuite({ name, cases }: TestSuite): string {
  return `  <testsuite${attributes({ name, ...countFaults(cases) })}>\n${cases.map(renderCase).join('\n')}\n  </testsuite>`;
}

/** JUnit XML: suites without a test are left out. */
export function renderTestSuites(name: string, given: readonly TestSuite[]): string {
  const suites = given.filter(({ cases }) => cases.length > 0);
  const heading = attributes({ name, ...countFaults(suites.flatMap(({ cases }) => cases)) });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${heading}>\n${suites.map(renderSuite).join('\n')}\n</testsuites>\n`;
}
