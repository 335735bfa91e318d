import uPlot from 'uplot';
import { numberText } from '../parts/numbers.ts';
import { DASHES } from './series-dashes.ts';
import { listSteps, type Volume } from './volume-steps.ts';

interface DrawingOptions {
  volume: Volume;
  /** The colours of the total and of each series. */
  colours: readonly string[];
  /** Called with the index of the hour or day under the pointer. */
  point: (index: number | undefined) => void;
}

const HEIGHT = 240;

const DAY_LABEL = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const HOUR_LABEL = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: 'numeric' });

/**
 * Draws a volume that follows the element's width: the total as bars, its parts as lines.
 *
 * @returns a function that removes the chart
 */
export function drawVolume(element: HTMLElement, { volume, colours, point }: DrawingOptions): () => void {
  const begins = listSteps(volume).map((begin) => begin / 1_000);
  const chart = new uPlot(
    { ...options(volume, colours, point), width: element.clientWidth, height: HEIGHT },
    [begins, volume.total, ...volume.series.map(({ counts }) => counts)],
    element,
  );
  const resizing = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
  resizing.observe(element);
  return () => {
    resizing.disconnect();
    chart.destroy();
  };
}

function options(
  { step, series }: Volume,
  colours: readonly string[],
  point: DrawingOptions['point'],
): Omit<uPlot.Options, 'width' | 'height'> {
  const [total = 'gray'] = colours;
  const half = step === 'day' ? 43_200 : 1_800;
  const label = step === 'day' ? DAY_LABEL : HOUR_LABEL;
  const { color: text } = getComputedStyle(document.body);
  const axis = { stroke: text, grid: { stroke: `color-mix(in srgb, ${text} 15%, transparent)`, width: 1 } };
  return {
    // Days are UTC days, so the axis is divided in UTC.
    tzDate: (seconds) =>
      step === 'day' ? uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC') : new Date(seconds * 1_000),
    padding: [10, 12, 0, 0],
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false },
    scales: {
      x: { range: (_chart, first, last) => [first - half, last + half] },
      y: { range: (_chart, _least, most) => [0, Math.max(1, most * 1.05)] },
    },
    axes: [
      {
        ...axis,
        size: 32,
        space: 64,
        values: (_chart, splits) => splits.map((seconds) => label.format(seconds * 1_000)),
      },
      { ...axis, size: 56, incrs: WHOLE_STEPS, values: (_chart, splits) => splits.map(numberText) },
    ],
    series: [
      {},
      {
        fill: `color-mix(in srgb, ${total} 40%, transparent)`,
        stroke: total,
        width: 1,
        points: { show: false },
        ...bars(),
      },
      ...series.map((_, index) => ({
        stroke: colours[index + 1] ?? text,
        width: 2,
        dash: [...(DASHES[index % DASHES.length] ?? [])],
        points: { show: false },
      })),
    ],
    hooks: { setCursor: [({ cursor }) => point(cursor.idx ?? undefined)] },
  };
}

/** Counts of events are whole numbers. */
const WHOLE_STEPS = Array.from({ length: 13 }, (_, power) => [1, 2, 5].map((one) => one * 10 ** power)).flat();

function bars(): Pick<uPlot.Series, 'paths'> {
  const paths = uPlot.paths.bars?.({ size: [0.8, 40] });
  return paths === undefined ? {} : { paths };
}
