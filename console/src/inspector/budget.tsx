import { api } from '../client/api.ts';
import type { components } from '../client/generated/types.ts';
import { succeed } from '../client/problem.ts';
import { useReading } from '../client/reading.ts';
import { bytesText, numberText } from '../parts/numbers.ts';
import { ObservedText } from '../parts/observed-text.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { type Column, Table } from '../parts/table.tsx';

type InspectorBudget = components['schemas']['InspectorBudget'];
type BudgetUse = components['schemas']['BudgetUse'];

interface BudgetRow {
  kind: 'Workspace' | 'Source' | 'API key';
  name: string;
  /** The id of the API key. */
  keyId?: string;
  use: BudgetUse;
}

interface BudgetProps {
  workspaceId: string;
  /** The entries listed by name. */
  apiKeys: readonly components['schemas']['ApiKey'][];
}

/** The budget for new data: usage and limits of the workspace, its sources and its API keys. */
export function Budget({ workspaceId, apiKeys }: BudgetProps) {
  const sources = new Map(apiKeys.map(({ keyId, source }) => [keyId, source]));
  const { content, problem, busy } = useReading(workspaceId, async (signal) => {
    return (await succeed(api.getInspectorBudget({ params: { workspaceId } }, { signal }))).body;
  });
  return (
    <section class="section" aria-labelledby="budget">
      <h2 id="budget">Budget</h2>
      <p class="lead">
        New data takes up space permanently, so it is limited. When a budget is used up, events that bring something new
        are rejected; known events still count. An app that comes near its budget most likely generates names at run
        time.
      </p>
      <ProblemNotice problem={problem} retries />
      {content !== undefined && (
        <Table
          caption="Budget"
          columns={COLUMNS}
          rows={buildRows(workspaceId, content, sources)}
          keyOf={({ kind, name, keyId = name }) => `${kind} ${keyId}`}
          busy={busy}
        />
      )}
    </section>
  );
}

function buildRows(
  workspaceId: string,
  { workspace, sources, apiKeys }: InspectorBudget,
  sourceOfKey: ReadonlyMap<string, string>,
): BudgetRow[] {
  return [
    { kind: 'Workspace', name: workspaceId, use: workspace },
    ...sources.map(({ source, budget }): BudgetRow => ({ kind: 'Source', name: source, use: budget })),
    ...apiKeys.map(({ keyId, budget }): BudgetRow => {
      const source = sourceOfKey.get(keyId);
      return source === undefined
        ? { kind: 'API key', name: keyId, use: budget }
        : { kind: 'API key', name: source, keyId, use: budget };
    }),
  ];
}

const COLUMNS: readonly Column<BudgetRow>[] = [
  {
    name: 'Of',
    isHeader: true,
    isWide: true,
    cell: ({ kind, name, keyId }) => (
      <>
        <span class="quiet">{kind}</span> <ObservedText text={name} />
        {keyId !== undefined && (
          <code class="id quiet second-line" title={keyId}>
            …{keyId.slice(-12)}
          </code>
        )}
      </>
    ),
  },
  column('App versions', 'appVersions'),
  column('Event names', 'eventNames'),
  column('Shapes', 'shapes'),
  column('Types of properties', 'properties'),
  column('Bytes', 'bytes', bytesText),
];

function column(name: string, measure: keyof BudgetUse, text = numberText): Column<BudgetRow> {
  return {
    name,
    cell: ({
      name: owner,
      use: {
        [measure]: { used, most },
      },
    }) => (
      <span class="metered">
        <meter
          aria-label={`${name} of ${owner}`}
          min={0}
          max={most}
          low={most * 0.7}
          high={most * 0.9}
          optimum={0}
          value={used}
        />
        <span>
          {text(used)} <span class="quiet">of {text(most)}</span>
          {used >= most && <strong class="used-up"> used up</strong>}
        </span>
      </span>
    ),
  };
}
