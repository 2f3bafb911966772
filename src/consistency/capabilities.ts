import type { RelationId } from '../metamorphic/relation.js';

/** What a model needs to stay consistent, as the relations themselves name it. */
export const CAPABILITY_IDS = [
  'question form',
  'words for aggregates',
  'schema structure',
  'joins',
  'serialization order',
  'column linking',
] as const;
type CapabilityId = (typeof CAPABILITY_IDS)[number];

export interface Capability {
  readonly id: CapabilityId;
  /** The paper's two categories (MT-TEQL §5.4). */
  readonly category: 'linguistic' | 'structural';
  readonly relations: readonly RelationId[];
}

/**
 * Which relations a capability shows in. The paper puts its relations into seven capabilities (Table 11), but the map
 * stands in a picture whose names are not in the text: this one is ours, and has six.
 */
export const CAPABILITIES: readonly Capability[] = [
  { id: 'question form', category: 'linguistic', relations: ['PI', 'PR', 'PS'] },
  { id: 'words for aggregates', category: 'linguistic', relations: ['SS'] },
  { id: 'schema structure', category: 'structural', relations: ['NO', 'FL'] },
  { id: 'joins', category: 'structural', relations: ['OK'] },
  { id: 'serialization order', category: 'structural', relations: ['TS', 'CS'] },
  { id: 'column linking', category: 'structural', relations: ['CRm', 'CRn', 'CI'] },
];
