import { expect, it } from 'vitest';
import contract from '../server/generated/contract.json' with { type: 'json' };

/** The contract says of everything in it whether a document states it, we decided it, or nobody promised it. */

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

/** Everything that needs an origin, by its place: operations, responses, parameters, headers, security schemes and schemas. */
function* needingOrigin(): Generator<[place: string, node: Node]> {
  for (const [path, item] of Object.entries<Node>(contract.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (!isNode(operation)) continue;
      yield [`${method} ${path}`, operation];
      for (const [status, response] of Object.entries(isNode(operation['responses']) ? operation['responses'] : {})) {
        if (isNode(response) && !('$ref' in response)) yield [`${method} ${path} ${status}`, response];
      }
    }
  }
  const { securitySchemes, parameters, headers, responses, schemas } = contract.components;
  for (const [kind, group] of Object.entries<Node>({ securitySchemes, parameters, headers, responses, schemas })) {
    for (const [name, node] of Object.entries(group)) if (isNode(node)) yield [`${kind} ${name}`, node];
  }
}

const documents: Record<string, { sections: string[] }> = contract['x-branchline-documents'];

function problemOf(origin: unknown): string | undefined {
  if (!isNode(origin)) return 'has no x-branchline-origin';
  const { status, document, section, reason } = origin;
  if (status === 'decision')
    return typeof reason === 'string' && reason.endsWith('.') ? undefined : 'is a decision without a reason';
  if (status !== 'documented' && status !== 'unspecified') return `has the unknown status ${String(status)}`;
  const heading = String(section).split(',')[0] ?? '';
  const known = typeof document === 'string' && documents[document]?.sections.includes(heading);
  return known === true ? undefined : `cites the section "${String(section)}", which ${String(document)} has not`;
}

it('every operation, response, parameter, header, scheme and schema says where it comes from', () => {
  const all = [...needingOrigin()];
  expect(all.length).toBeGreaterThan(80);
  const wrong = all.flatMap(([place, node]) => {
    const problem = problemOf(node['x-branchline-origin']);
    return problem === undefined ? [] : [`${place} ${problem}`];
  });
  expect(wrong).toEqual([]);
});

it('what the documents give for Create Branch and Export Branch Stats is marked as documented, and has examples', () => {
  const create = contract.paths['/workspaces/{workspaceId}/branches/v1'].post;
  expect(create['x-branchline-origin'].status).toBe('documented');
  for (const status of ['201', '400', '409'] as const) {
    expect(create.responses[status]['x-branchline-origin'].status, status).toBe('documented');
    expect(create.responses[status].content['application/json'], status).toHaveProperty('example');
  }
  const exporting = contract.paths['/workspaces/{workspaceId}/branches/export/v1'].get;
  expect(exporting['x-branchline-origin'].status).toBe('documented');
  for (const operation of [create, exporting]) {
    expect(operation['x-branchline-rate-limit']).toMatchObject({ requestsPerSecond: 1, enforcement: 'soft' });
  }
  const { Unauthorized, BranchNameTaken } = contract.components.schemas;
  expect([Unauthorized.properties.error.const, BranchNameTaken.properties.error.const]).toEqual([
    'Unauthorized',
    'Branch with this name already exists',
  ]);
});

it('bounds every number below and above, by one that is taken: what is counted with it must not overflow', () => {
  const unbounded: string[] = [];
  const look = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { type, minimum, maximum } = value as { type?: unknown; minimum?: unknown; maximum?: unknown };
    const isNumber = [type].flat().includes('number');
    if (isNumber && !(typeof minimum === 'number' && typeof maximum === 'number')) unbounded.push(path);
    for (const [name, part] of Object.entries(value)) look(part, `${path}/${name}`);
  };
  look(contract, '');
  expect(unbounded).toEqual([]);
});
