import { groupBy } from '../../run/group-by.js';
import { RELATION_IDS, RELATIONS, type RelationId } from '../../variants/relations/relations.js';

/** Capabilities that a model needs to stay consistent, as the relations name them. */
type CapabilityId = (typeof RELATIONS)[RelationId]['capability'];

export interface Capability {
  readonly id: CapabilityId;
  /** The paper's two categories (MT-TEQL §5.4). */
  readonly category: 'linguistic' | 'structural';
  readonly relations: readonly RelationId[];
}

/**
 * Which relations a capability shows in. The paper puts its relations into seven capabilities (Table 11), but the map
 * is in a picture whose names are not in the text: this one is ours; the last of its seven is of unanswerable
 * questions, which the paper has not.
 */
export const CAPABILITIES: readonly Capability[] = Array.from(
  groupBy(RELATION_IDS, (id) => RELATIONS[id].capability),
  ([id, relations]) => ({ id, category: categoryOf(relations), relations }),
);

export const CAPABILITY_IDS = CAPABILITIES.map(({ id }) => id);

function categoryOf(relations: readonly RelationId[]): Capability['category'] {
  return relations.every((id) => RELATIONS[id].target === 'utterance') ? 'linguistic' : 'structural';
}
