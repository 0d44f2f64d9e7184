import { brief } from "../figures.ts";

export interface GrowthPoint {
  tokens: number;
  isCompressed: boolean;
}

const WIDTH = 300;
const HEIGHT = 90;

/** How the context grew from reply to reply, and where it was compressed. */
export function GrowthLine({ points }: { points: readonly GrowthPoint[] }) {
  const most = Math.max(...points.map(({ tokens }) => tokens), 1);
  const step = WIDTH / Math.max(points.length - 1, 1);
  const place = ({ tokens }: GrowthPoint, at: number): string => {
    return `${(at * step).toFixed(1)},${(HEIGHT - (tokens / most) * HEIGHT).toFixed(1)}`;
  };
  const edge = `M${points.map(place).join("L")}`;
  const name = `Context: ${points.length} replies, at most ${brief(most)} tokens`;
  return (
    <figure class="chart growth">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" height={HEIGHT}>
        <title>{name}</title>
        <path class="area" d={`${edge}L${WIDTH},${HEIGHT}L0,${HEIGHT}Z`} />
        <path class="edge" d={edge} />
        {points.map(({ isCompressed }, at) =>
          isCompressed ? <line key={at} x1={at * step} x2={at * step} y1={0} y2={HEIGHT} /> : null,
        )}
      </svg>
      <figcaption class="small soft">
        Context, up to {brief(most)} tokens over {points.length} replies
      </figcaption>
    </figure>
  );
}
