import type { CandidateScreen } from '../naturalness/candidate-screen.js';
import type { StageResources } from './stage-resources.js';
export async function createScreen(_r: StageResources): Promise<CandidateScreen> {
  return { fingerprint: 'x', check: () => ({ rpl: null, add: null }) };
}
