import { numberText } from '../parts/numbers.ts';

const BAR = 6;
const GAP = 2;
const HEIGHT = 24;

/** The events of each of the last days, today last: as bars, and as numbers for screen readers. */
export function Sparkline({ days }: { days: readonly number[] }) {
  const most = Math.max(1, ...days);
  const text = `Events of the last ${days.length} days (UTC), today last: ${days.map(numberText).join(', ')}`;
  const width = days.length * (BAR + GAP) - GAP;
  return (
    <svg
      class="sparkline"
      role="img"
      aria-label={text}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      width={width}
      height={HEIGHT}
    >
      <title>{text}</title>
      {days.map((count, day) => {
        const height = count === 0 ? 1 : Math.max(2, Math.round((count / most) * HEIGHT));
        return <rect key={day} x={day * (BAR + GAP)} y={HEIGHT - height} width={BAR} height={height} />;
      })}
    </svg>
  );
}
