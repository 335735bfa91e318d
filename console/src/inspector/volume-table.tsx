import { numberText } from '../parts/numbers.ts';
import { type Column, Table } from '../parts/table.tsx';
import { visibleText } from '../parts/visible-text.ts';
import { listSteps, stepText, type Volume } from './volume-steps.ts';

interface Row {
  begin: number;
  index: number;
}

/** The numbers of the chart, newest first. */
export function VolumeTable({ volume }: { volume: Volume }) {
  const { step, total, series } = volume;
  const columns: Column<Row>[] = [
    {
      name: step === 'day' ? 'Day (UTC)' : 'Hour',
      isHeader: true,
      key: 'when',
      cell: ({ begin }) => <time dateTime={new Date(begin).toISOString()}>{stepText(step, begin)}</time>,
    },
    { name: 'Total', key: 'total', isNumber: true, cell: ({ index }) => numberText(total[index] ?? 0) },
    ...series.map(({ name, counts }): Column<Row> => ({
      name: visibleText(name),
      key: `part ${name}`,
      isNumber: true,
      cell: ({ index }) => numberText(counts[index] ?? 0),
    })),
  ];
  const rows = listSteps(volume).map((begin, index) => ({ begin, index }));
  return (
    <details>
      <summary>Show as a table</summary>
      <div class="scrolling" role="region" aria-label="Volume as a table" tabIndex={0}>
        <Table caption="Volume" columns={columns} rows={rows.toReversed()} keyOf={({ begin }) => `${begin}`} />
      </div>
    </details>
  );
}
