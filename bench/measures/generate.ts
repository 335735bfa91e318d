import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timeBranchline, timeProgram, type Took, watchGenerating } from '../generation/generator-process.ts';
import { makeServer, makeThings } from '../generation/made-server.ts';
import { installPeers, type Peer } from '../generation/peers.ts';
import { type Measured, measureLoad } from '../load/run.ts';
import type { Work } from '../load/plan.ts';
import type { Measure, MeasureOptions, Table } from '../measure.ts';
import { whole } from '../numbers.ts';
import { cpuSeconds } from '../process-figures.ts';
import { median } from '../statistics.ts';
import { fromRoot, startProgram } from '../subjects/subject.ts';

/** One thing that is measured in each round. */
interface Trial {
  name: string;
  run: (round: number) => Promise<Took>;
}

/** In which each round another number stands: a change that reaches schemas, validators and cases. */
const CHANGED = 'maxLength: 255';

export const generation: Measure = {
  name: 'generate',
  describe: 'what generating takes beside other generators, and how fast generated servers start and answer',
  async run(options) {
    const folder = mkdtempSync(join(tmpdir(), 'branchline-generate-'));
    try {
      const { peers, large, missing } = await installPeers(folder, !options.quick);
      const spec = join(folder, 'openapi.yaml');
      writeFileSync(spec, readFileSync(fromRoot('openapi.yaml')));
      const generators = await tableOf(
        'Generating',
        [
          ...(await ownTrials(folder, spec)),
          ...peers.map((peer) => peerTrial(peer, spec, join(folder, 'peer'), 'our contract')),
          ...(large === undefined ? [] : largeTrials(peers, large, folder)),
        ],
        options,
      );
      const starts = await tableOf('From start to first answer', await startTrials(folder, large), options);
      return {
        title: 'Generating, and what is generated',
        about: aboutWith(missing),
        tables: [generators, await watchTable(folder, spec, options), starts, await requestTable(folder, options)],
      };
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

function aboutWith(missing: readonly string[]): string {
  const out = missing.length === 0 ? '' : ` Not installed, and so left out: ${missing.join(', ')}.`;
  return (
    'Each command is a process of its own, with Node’s compile cache warm. Our contract is `openapi.yaml` (175 KB), the large one that of ' +
    'GitHub’s API (13 MB of JSON). “First” is without a cache, “one change” changes a limit of a schema. Servers are those of `generate ' +
    'server`, started as they come, in production; requests are validated and logged, both handlers are async, and what stands beside them is ' +
    'Fastify by hand with the same schemas and log. On a machine that does other work too, processor time says more than what passes. Goals: up to date in 150 ms, one ' +
    'change in 400, GitHub’s API in 5 s, `--help` in 100 ms, a save written in 100 ms, a first answer in 150 ms and in 1.5 s, 1 × Fastify.' +
    out
  );
}

/** Those of `branchline generate`: without a cache, with nothing to do, and after a change. */
async function ownTrials(folder: string, spec: string): Promise<Trial[]> {
  const text = readFileSync(spec, 'utf8');
  const out = join(folder, 'own');
  const cache = join(folder, 'cache');
  const generate = (...more: string[]): Promise<Took> =>
    timeBranchline(['generate', 'server', 'client', '--spec', spec, '--out', out, ...more], cache);
  return [
    { name: 'branchline generate --help', run: () => timeBranchline(['generate', '--help'], cache) },
    {
      name: 'branchline generate server client, first',
      run: async () => {
        rmSync(cache, { recursive: true, force: true });
        rmSync(out, { recursive: true, force: true });
        return generate();
      },
    },
    { name: 'branchline generate server client, up to date', run: () => generate() },
    {
      name: 'branchline generate server client, one change',
      run: (round) => {
        writeFileSync(spec, text.replaceAll(CHANGED, `maxLength: ${200 + round}`));
        return generate();
      },
    },
    {
      name: 'branchline generate client, first',
      run: async () => {
        rmSync(cache, { recursive: true, force: true });
        return timeBranchline(['generate', 'client', '--spec', spec, '--out', join(folder, 'client')], cache);
      },
    },
  ];
}

function peerTrial(peer: Peer, spec: string, out: string, what: string): Trial {
  return {
    name: `${peer.name}, ${what}`,
    run: async () => {
      rmSync(out, { recursive: true, force: true });
      await mkdir(out);
      return timeProgram(peer.parameters(spec, out));
    },
  };
}

function largeTrials(peers: readonly Peer[], large: string, folder: string): Trial[] {
  const cache = join(folder, 'large-cache');
  const generate = (): Promise<Took> =>
    timeBranchline(['generate', 'client', '--spec', large, '--out', join(folder, 'large')], cache);
  return [
    {
      name: 'branchline generate client, GitHub’s API, first',
      run: async () => {
        rmSync(cache, { recursive: true, force: true });
        return generate();
      },
    },
    { name: 'branchline generate client, GitHub’s API, up to date', run: generate },
    ...peers.map((peer) => peerTrial(peer, large, join(folder, 'large-peer'), 'GitHub’s API')),
  ];
}

/** Each command once, so that the compile cache is warm; then all of them in turns. */
async function tableOf(title: string, trials: readonly Trial[], { rounds }: MeasureOptions): Promise<Table> {
  const took = new Map<Trial, Took[]>(trials.map((trial) => [trial, []]));
  for (const trial of trials) await trial.run(0);
  for (let round = 1; round <= rounds; round += 1) for (const [trial, all] of took) all.push(await trial.run(round));
  const rows = [...took].map(([{ name }, all]) => [
    name,
    whole(median(all.map(({ cpu }) => cpu))),
    whole(median(all.map(({ wall }) => wall))),
  ]);
  return { columns: [title, 'CPU ms', 'ms'], rows };
}

async function watchTable(folder: string, spec: string, { rounds }: MeasureOptions): Promise<Table> {
  const text = readFileSync(spec, 'utf8');
  const watching = await watchGenerating(
    ['server', 'client', '--spec', spec, '--out', join(folder, 'own')],
    join(folder, 'cache'),
  );
  const times: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const changed = text.replaceAll(/maxLength: 2\d\d\b/g, `maxLength: ${230 + round}`);
    times.push(await watching.change(() => writeFileSync(spec, changed)));
  }
  await watching.stop();
  return { columns: ['Watching', 'ms'], rows: [['From a save to all written', whole(median(times.slice(1)))]] };
}

async function startTrials(folder: string, large: string | undefined): Promise<Trial[]> {
  const starting = (name: string, program: string): Trial => ({
    name,
    run: async () => {
      const begun = performance.now();
      const server = await startProgram(program, [], folder);
      await (await fetch(server.origin)).text();
      const took = { wall: performance.now() - begun, cpu: cpuSeconds(server.pid) * 1_000 };
      await server.stop();
      return took;
    },
  });
  return [
    starting('Bare Fastify', 'bench/generation/bare.ts'),
    starting('Server of our contract', await makeServer(fromRoot('openapi.yaml'), join(folder, 'own-server'))),
    ...(large === undefined
      ? []
      : [starting('Server of GitHub’s API', await makeServer(large, join(folder, 'large-server')))]),
  ];
}

async function requestTable(folder: string, { rounds, seconds }: MeasureOptions): Promise<Table> {
  const programs = [await makeThings(join(folder, 'things')), 'bench/generation/by-hand.ts'];
  const servers = await Promise.all(programs.map((program) => startProgram(program, [], folder)));
  const works: [name: string, work: Work, headers: Record<string, string>][] = [
    ['GET', { kind: 'read', path: '/things/1?limit=5' }, {}],
    ['POST', { kind: 'create', path: '/things' }, { 'content-type': 'application/json' }],
  ];
  const rows: string[][] = [];
  for (const [name, work, headers] of works) {
    const found = servers.map((): Measured[] => []);
    for (let round = 0; round <= rounds; round += 1) {
      for (const [index, server] of servers.entries()) {
        const measured = await measureLoad(server, { work, headers, connections: 32, seconds });
        // The first warms up.
        if (round > 0) found[index]?.push(measured);
      }
    }
    const of = (figure: 'perSecond' | 'cpuMicroseconds'): number[] =>
      found.map((all) => median(all.map((measured) => measured[figure])));
    const [ours = 0, byHand = 0] = of('perSecond');
    rows.push([
      name,
      whole(ours),
      whole(byHand),
      `${(ours / byHand).toFixed(2)} ×`,
      ...of('cpuMicroseconds').map(whole),
    ]);
  }
  for (const server of servers) await server.stop();
  return {
    columns: ['Requests/s', 'Generated', 'By hand', 'Generated is', 'CPU µs/request', 'CPU µs by hand'],
    rows,
  };
}
