import { itemAt } from '../../present.js';
import type { CurvePoint } from '../distill/distillation.js';

/** Share of neighbors, in [0, 1], that are left after so many databases: 0 is the original alone. */
export interface SharePoint {
  readonly tried: number;
  readonly share: number;
}

/** Returns the number left in a curve after so many databases; it stays as it is after its last point. */
function leftAt(curve: readonly CurvePoint[], tried: number): number {
  return curve.findLast((point) => point.tried <= tried)?.left ?? 0;
}

/** Curves of several schemas as one, in shares of all their neighbors; without points that say nothing new. */
export function joinCurves(curves: readonly (readonly CurvePoint[])[], neighbors: number): readonly SharePoint[] {
  if (neighbors === 0) return [];
  const places = [...new Set(curves.flatMap((curve) => curve.map(({ tried }) => tried)))].sort((a, b) => a - b);
  const points = places.map((tried) => {
    const left = curves.reduce((sum, curve) => sum + leftAt(curve, tried), 0);
    return { tried, share: Number((left / neighbors).toFixed(6)) };
  });
  return points.filter(({ share }, i) => i === 0 || i === points.length - 1 || share !== itemAt(points, i - 1).share);
}
