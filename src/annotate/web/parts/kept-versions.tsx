import type { AnnotationItem, StoredAnswer } from '../../annotation.js';
import { contentOf } from '../answer-edits.js';
import type { Answer } from '../../annotation.js';
import { timeOf, Version } from './conflict-panel.js';

interface KeptVersionsProps {
  readonly item: AnnotationItem;
  readonly versions: readonly StoredAnswer[];
  readonly onTake: (answer: Answer) => void;
}

/** Versions that lost against another save: kept, and there to be taken after all. */
export function KeptVersions({ item, versions, onTake }: KeptVersionsProps) {
  if (versions.length === 0) return null;
  return (
    <details class="kept-versions">
      <summary>Kept versions: {versions.length}</summary>
      <div class="versions">
        {versions.map((version) => (
          <Version key={version.savedAt} title={`From ${timeOf(version.savedAt)}`} item={item} answer={version}>
            <button type="button" onClick={() => onTake(contentOf(version))}>
              Take this one
            </button>
          </Version>
        ))}
      </div>
    </details>
  );
}
