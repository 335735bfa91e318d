import { useEffect, useRef, useState } from 'preact/hooks';
import { Problem } from '../client/problem.ts';
import { useReading } from '../client/reading.ts';
import { numberText } from '../parts/numbers.ts';
import { ObservedText } from '../parts/observed-text.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { DASHES } from './series-dashes.ts';
import { listSteps, stepText, type Volume } from './volume-steps.ts';

/** A chart of a volume. The chart library is loaded when the first chart is shown. */
export function VolumeChart({ volume }: { volume: Volume }) {
  const { content: drawing, problem } = useReading('drawing', loadDrawing);
  const container = useRef<HTMLDivElement>(null);
  const legend = useRef<HTMLUListElement>(null);
  const [pointedAt, setPointedAt] = useState<number>();
  const scheme = useColourScheme();
  useEffect(() => {
    if (drawing === undefined || container.current === null || legend.current === null) return;
    const colours = Array.from(legend.current.querySelectorAll('svg'), (swatch) => getComputedStyle(swatch).color);
    return drawing.drawVolume(container.current, { volume, colours, point: setPointedAt });
  }, [drawing, volume, scheme]);
  return (
    <>
      <ProblemNotice problem={problem} retries />
      <div
        ref={container}
        class="chart"
        role="img"
        aria-label="Chart of the volume; its numbers are in the table below."
      />
      <p class="quiet chart-reading" aria-hidden="true">
        {pointedAt === undefined ? '\u00a0' : readingText(volume, pointedAt)}
      </p>
      <ul ref={legend} class="legend">
        <li>
          <Swatch />
          Total
        </li>
        {volume.series.map(({ name }, index) => (
          <li key={name}>
            <Swatch series={index} />
            <ObservedText text={name} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** The colour and dashes of the total, or of the part with this index. */
function Swatch({ series }: { series?: number }) {
  return (
    <svg
      class={`swatch series-${series === undefined ? 'total' : series}`}
      viewBox="0 0 24 8"
      width="24"
      height="8"
      aria-hidden="true"
    >
      {series === undefined ? (
        <rect width="24" height="8" />
      ) : (
        <path d="M0 4h24" stroke-width="2.5" stroke-dasharray={DASHES[series % DASHES.length]?.join(' ')} />
      )}
    </svg>
  );
}

function readingText(volume: Volume, index: number): string {
  const begin = listSteps(volume)[index] ?? 0;
  return `${stepText(volume.step, begin)}: ${numberText(volume.total[index] ?? 0)}`;
}

async function loadDrawing(): Promise<typeof import('./draw-volume.ts')> {
  try {
    return await import('./draw-volume.ts');
  } catch {
    throw new Problem("The chart can't be loaded now; its numbers are in the table below.", { status: 0 });
  }
}

const dark = matchMedia('(prefers-color-scheme: dark)');

/** Changes with the colour scheme of the page. */
function useColourScheme(): boolean {
  const [isDark, setIsDark] = useState(dark.matches);
  useEffect(() => {
    const stop = new AbortController();
    dark.addEventListener('change', () => setIsDark(dark.matches), { signal: stop.signal });
    return () => stop.abort();
  }, []);
  return isDark;
}
