import type { DatasetExample } from '../../../formats/dataset.js';
import { plainFinding } from '../finding.js';
import type { ExampleFinding } from './audited-example.js';

/** Fields in which data sets keep an example's id. */
const ID_FIELDS = ['id', 'question_id', 'instance_id', 'qid', 'example_id'];

function ownId({ record }: DatasetExample): string | null {
  if (typeof record !== 'object' || record === null) return null;
  const fields: Readonly<Record<string, unknown>> = { ...record };
  const id = ID_FIELDS.map((name) => fields[name]).find(
    (value) => typeof value === 'string' || typeof value === 'number',
  );
  return id === undefined ? null : String(id);
}

/** Examples whose id in the file is an earlier one's. */
export function findDuplicateIds(examples: Iterable<DatasetExample>): readonly ExampleFinding[] {
  const first = new Map<string, string>();
  const findings: ExampleFinding[] = [];
  for (const example of examples) {
    const id = ownId(example);
    if (id === null) continue;
    const known = first.get(id);
    if (known === undefined) first.set(id, example.id);
    else
      findings.push({
        ...plainFinding('duplicate-id', `The id ${JSON.stringify(id)} is also that of ${known}.`),
        example,
      });
  }
  return findings;
}
