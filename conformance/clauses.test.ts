import { describe, expect, it } from 'vitest';
import { clausesById, clauses } from './clauses.ts';
import contract from './generated/contract.json' with { type: 'json' };
import { COLUMNS } from './service/export-table.ts';
import { allCases } from './service/selection.ts';

const DOCUMENTS = Object.values(contract['x-branchline-documents']);
const API = 'Branch Management HTTP API';
const LIBRARY = 'Inspector Library for Android';

/** Everything that the documents mark as not shown or unspecified, by section. */
const NOT_SHOWN: readonly [document: string, section: string, words: string][] = [
  [API, 'Resources and their fields', 'Timestamp text format'],
  [API, 'Resources and their fields', 'cell serialization of the `collaborators` array'],
  [API, 'Resources and their fields', 'Values of columns for branches that never reached the respective step'],
  [API, 'States and transitions', 'Transitions between these statuses'],
  [API, 'States and transitions', 'status of a newly created branch'],
  [API, 'Endpoints', 'Whether the other path'],
  [API, 'Endpoints', 'Media type of the response'],
  [API, 'Endpoints', 'success status code'],
  [API, 'Authentication', 'How a service account is created and what permissions it carries'],
  [API, 'Events', 'Events, callbacks or webhooks emitted by this API'],
  [API, 'Errors', 'Error statuses of Export Branch Stats'],
  [API, 'Errors', 'The response when the rate limit is exceeded'],
  [API, 'Limits', 'Maximum length of a branch name'],
  [API, 'Limits', 'ize limits of the export'],
  [API, 'Versioning', 'Policy for introducing or retiring versions'],
  [LIBRARY, 'Resources and their fields', 'Exact constant names of the environment enum'],
  [LIBRARY, 'Resources and their fields', 'the set of schema types beyond integer and string'],
  [LIBRARY, 'Resources and their fields', 'the values of `DebuggerMode`'],
  [LIBRARY, 'States and transitions', 'Other lifecycle states of the library'],
  [LIBRARY, 'Endpoints', 'network address and wire format'],
  [LIBRARY, 'Authentication', 'How the key is transmitted to the service'],
  [LIBRARY, 'Events', 'Kinds of events emitted by the service to the library'],
  [LIBRARY, 'Events', 'payload format of the schema submission'],
  [LIBRARY, 'Errors', 'Exceptions, error returns and failure handling'],
  [LIBRARY, 'Limits', 'Bounds on the values accepted by the setters'],
  [LIBRARY, 'Limits', 'limits of the staging environment'],
  [LIBRARY, 'Versioning', 'Version numbering scheme and compatibility guarantees'],
];

const required = clauses.filter(({ level }) => level === 'required');
const saidBy = (words: string) => required.filter(({ sentence }) => sentence.includes(words)).map(({ id }) => id);

describe('clauses', () => {
  it('have ids of their own and cite a section that there is', () => {
    expect(clausesById.size).toBe(clauses.length);
    for (const { id, document, section, level, note } of clauses) {
      if (level === 'profile') expect(note, id).toMatch(/\.$/);
      const sections = DOCUMENTS.find(({ title }) => title === document)?.sections;
      if (level === 'required') expect(sections, id).toBeDefined();
      if (sections !== undefined) expect(sections, id).toContain(section.split(',')[0]);
    }
  });

  it('of a service have a case each, of the same level', () => {
    const cited = new Set(allCases.flatMap((one) => one.clauses));
    const service = clauses.filter(({ subject }) => subject === 'service').map(({ id }) => id);
    expect(service.filter((id) => !cited.has(id))).toEqual([]);
  });

  it.each(NOT_SHOWN)('observe what is not shown: %s, %s, %s', (document, section, words) => {
    const observing = clauses.filter(
      (clause) =>
        clause.level === 'observed' &&
        clause.document === document &&
        clause.section.startsWith(section) &&
        clause.sentence.includes(words),
    );
    expect(observing.map(({ id }) => id)).not.toEqual([]);
  });
});

describe('cases', () => {
  it('have ids of their own', () => {
    expect(new Set(allCases.map(({ id }) => id)).size).toBe(allCases.length);
  });

  it('cite clauses of a service, of their own level', () => {
    const wrong = allCases.flatMap(({ id, level, clauses: cited }) =>
      cited
        .filter((clause) => clausesById.get(clause)?.level !== level || clausesById.get(clause)?.subject !== 'service')
        .map((clause) => `${id} cites ${clause}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe('what the contract calls documented has a required clause:', () => {
  const documented = new Set(['createBranch', 'exportBranchStats']);
  const operations = Object.values(contract.paths)
    .flatMap((item) => Object.values(item))
    .filter((one) => 'operationId' in one && documented.has(String(one.operationId)));

  it.each(['201', '400', '401', '409'])('status %s', (status) => {
    expect(operations.some((one) => 'responses' in one && status in one.responses)).toBe(true);
    expect(saidBy(status)).not.toEqual([]);
  });

  it('columns', () => {
    const columns = contract.components.schemas.BranchStatsCsv['x-branchline-columns'];
    expect(COLUMNS).toEqual(columns);
    expect(saidBy(columns.join(', '))).toEqual(['EXPORT-COLUMNS-1']);
    for (const column of columns) expect(clausesById.has(`EXPORT-COLUMN-${column}`), column).toBe(true);
  });

  it.each([
    contract.components.schemas.BranchNameTaken.properties.error.const,
    contract.components.schemas.Unauthorized.properties.error.const,
    'Invalid branch name, try "<suggested_name>" instead',
  ])('sentence %s', (sentence) => {
    expect(saidBy(`\`${sentence}\``)).toHaveLength(1);
  });

  it.each(contract.components.schemas.BranchStatus.enum)('status of a branch %s', (status) => {
    expect(saidBy(`\`${status}\``)).not.toEqual([]);
  });

  it.each(contract.components.schemas.CreatedBranch.required)('field %s', (field) => {
    expect(saidBy(field)).not.toEqual([]);
  });

  it('limits', () => {
    const limit = operations.map((one) =>
      'x-branchline-rate-limit' in one ? one['x-branchline-rate-limit'] : undefined,
    );
    expect(limit.map((one) => one?.requestsPerSecond)).toEqual([1, 1]);
    expect(saidBy('1 request per second per service account')).toEqual(['LIMITS-RATE-1']);
    const production = contract['x-branchline-inspector'].environments.find(({ wireName }) => wireName === 'prod');
    expect(saidBy(`production default ${production?.batchSize};`)).not.toEqual([]);
    expect(saidBy(`production default ${production?.batchFlushSeconds} seconds`)).not.toEqual([]);
    expect(saidBy('development default: batching disabled')).not.toEqual([]);
  });
});
