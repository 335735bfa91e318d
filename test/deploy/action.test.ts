import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conformanceCommand } from '../../conformance/command-line/conformance.ts';
import { faults } from '../../conformance/selftest/faults/index.ts';
import { listen, type Service } from '../../conformance/selftest/service/listen.ts';
import { type ActionRun, parseAction, runAction } from './support/action.ts';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const text = readFileSync(join(REPOSITORY, 'action.yml'), 'utf8');
const action = parseAction(text);

let workspace: string;
beforeAll(() => {
  workspace = mkdtempSync(join(tmpdir(), 'branchline-checkout-'));
});
afterAll(() => rmSync(workspace, { recursive: true }));

const run = (inputs: Record<string, string>): Promise<ActionRun> =>
  runAction(action, { action: REPOSITORY, workspace, inputs });

describe('the action', () => {
  it('describes each input, and uses it', () => {
    const used = [...text.matchAll(/inputs\.([a-z-]+)/g)].map(([, name]) => name);
    expect([...new Set(used)].toSorted()).toEqual(Object.keys(action.inputs).toSorted());
    for (const { description } of Object.values(action.inputs)) expect(description).toMatch(/\.$/);
  });

  it('puts no input into a script, where it could be a command', () => {
    for (const { run: script = '' } of action.runs.steps) expect(script).not.toContain('${{');
  });

  it('uses nothing of others but what sets up Node, of a version that Branchline runs on', () => {
    expect(action.runs.using).toBe('composite');
    const used = action.runs.steps.filter(({ uses }) => uses !== undefined);
    expect(used).toEqual([{ uses: expect.stringMatching(/^actions\/setup-node@v\d+$/), with: { 'node-version': 24 } }]);
  });

  it('refuses a command that there is not', async () => {
    const { log, exitCodes } = await run({ command: 'deploy' });
    expect(exitCodes).toEqual({ 'Look at the inputs': 2 });
    expect(log).toContain('::error::The input command must be conformance or generate-check.');
  });
});

describe('the action tries a service', () => {
  let good: Service;
  let faulty: Service;
  beforeAll(async () => {
    const change = faults.find(({ name }) => name === 'url-http')?.change() ?? {};
    [good, faulty] = await Promise.all([listen(), listen({ change })]);
  });
  afterAll(() => Promise.all([good.close(), faulty.close()]));

  const inputsFor = ({ origin, accounts }: Service): Record<string, string> => {
    const [first] = accounts;
    return {
      'base-url': origin,
      workspace: first?.workspaceId ?? '',
      account: `${first?.name}:${first?.secret}`,
      rate: 'none',
    };
  };

  it('that conforms: it passes, and keeps reports of every kind', async () => {
    const { log, summary, exitCodes } = await run(inputsFor(good));
    expect(exitCodes, log).toMatchObject({ 'Try the service': 0, 'Show the verdict': 0 });
    expect(log).toMatch(/^::notice title=Conformance::.* conforms in what was tried; \d of \d+ clauses untried\.$/m);
    expect(log).not.toContain('::error');
    expect(summary).toContain('conforms in what was tried');
    for (const name of ['report.json', 'report.xml', 'index.html', 'badge.svg', 'report.txt'])
      expect(readFileSync(join(workspace, 'conformance-report', name), 'utf8'), name).not.toBe('');
  });

  it('that does not: it fails, with annotations', async () => {
    const { log, summary, exitCodes } = await run({ ...inputsFor(faulty), reports: 'of the/faulty one' });
    expect(exitCodes).toMatchObject({ 'Try the service': 1, 'Show the verdict': 0 });
    expect(log).toMatch(/^::error title=creation\/url%3A/m);
    expect(summary).toContain('does not conform.');
    expect(existsSync(join(workspace, 'of the/faulty one/report.json'))).toBe(true);
  });

  it('with every input that the command has an option for', async () => {
    writeFileSync(join(workspace, 'waivers.yaml'), 'waivers: []\n');
    const [first, second, other] = good.accounts;
    const all = {
      ...inputsFor(good),
      'second-account': `${second?.name}:${second?.secret}`,
      'second-workspace': other?.workspaceId ?? '',
      'second-workspace-account': `${other?.name}:${other?.secret}`,
      'api-key': 'a-key',
      'seed-command': 'true; exit 0',
      profile: 'branchline',
      timeout: '5',
      settle: '2',
      only: 'creation/url',
      waivers: 'waivers.yaml',
      options: '--verbose',
    };
    expect(first?.workspaceId).toBe(second?.workspaceId);
    const { log, exitCodes } = await run(all);
    expect(exitCodes, log).toMatchObject({ 'Try the service': 0 });
    expect(log).toContain('in the cases with "creation/url"');

    const byOptions =
      'verbose exclude level rerun-failed compare fail-fast baseline header http2 cacert cert key insecure seed har';
    const without = new Set(['account-file', 'list', 'explain', 'report', 'help', ...byOptions.split(' ')]);
    const options = conformanceCommand().options.flatMap(({ long }) => long?.slice(2) ?? []);
    expect(options.filter((name) => !without.has(name) && !(name in all))).toEqual([]);
  });

  it('without what it needs: it says what is missing', async () => {
    const { log, exitCodes } = await run({ 'base-url': good.origin });
    expect(exitCodes).toMatchObject({ 'Try the service': 2, 'Show the verdict': 0 });
    expect(log).toContain('--workspace is needed.');
  });
});

describe('the action checks generated code', () => {
  it('passes where it is up to date, and fails where it is not', async () => {
    for (const path of ['openapi.yaml', 'server/generated'])
      cpSync(join(REPOSITORY, path), join(workspace, path), { recursive: true });
    const inputs = { command: 'generate-check', targets: 'server' };
    const { log, exitCodes } = await run(inputs);
    expect(exitCodes, log).toMatchObject({ 'Check the generated code': 0 });
    expect(Object.keys(exitCodes)).not.toContain('Try the service');

    appendFileSync(join(workspace, 'server/generated/types.ts'), '// by hand\n');
    const drifted = await run({ ...inputs, out: '.' });
    expect(drifted.exitCodes).toMatchObject({ 'Check the generated code': 1 });
    expect(drifted.log).toContain('-// by hand');
    expect(drifted.log).toContain('::error file=openapi.yaml::The generated code');
  });
});
