import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { SETTINGS } from '../../server/config.ts';
import { describeUnless } from '../support/describe-unless.ts';
import { pythonTool } from '../support/python-tool.ts';
import { helm } from './support/helm.ts';

const CHART = fileURLToPath(new URL('../../deploy/helm/branchline', import.meta.url));

/** The oldest version that the chart says it is for, and a new one. */
const KUBERNETES = ['1.27', '1.37'];

interface Variable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef: { name: string; key: string } };
}

interface Container {
  image: string;
  env: Variable[];
  securityContext: object;
  ports: { name: string; containerPort: number }[];
  startupProbe: object;
  livenessProbe: object;
  readinessProbe: object;
}

interface PodSpec {
  terminationGracePeriodSeconds: number;
  securityContext: object;
  containers: [Container];
  volumes: { name: string; emptyDir?: { sizeLimit: string } }[];
}

interface Manifest {
  kind: string;
  metadata: { name: string };
  spec: { replicas?: number; template?: { metadata: { labels: object }; spec: PodSpec }; [field: string]: unknown };
}

/** Of all values that open something, the most. */
const EVERYTHING = {
  engine: 'postgres',
  replicas: 3,
  secret: { name: 'branchline' },
  trustedProxies: '10.0.0.0/8',
  settings: { BRANCHLINE_RATE_LIMIT_MODE: 'hard' },
  oidc: { issuer: 'https://login.example.com', clientId: 'branchline', secretName: 'oidc' },
  ingress: {
    enabled: true,
    className: 'nginx',
    host: 'branchline.example.com',
    tlsSecret: 'tls',
    annotations: { a: 'b' },
  },
  networkPolicy: { enabled: true, from: [{ podSelector: {} }], metricsFrom: [{ namespaceSelector: {} }] },
  imagePullSecrets: [{ name: 'registry' }],
  podAnnotations: { a: 'b' },
  nodeSelector: { a: 'b' },
  tolerations: [{ key: 'a', operator: 'Exists' }],
  affinity: { podAntiAffinity: {} },
};

const [tool, validator] = await Promise.all([helm(), pythonTool('kubernetes-validate', '1.37.0')]);
const missing = 'missing' in tool ? tool.missing : 'missing' in validator ? validator.missing : undefined;
const folder = mkdtempSync(join(tmpdir(), 'branchline-chart-'));
afterAll(() => rmSync(folder, { recursive: true }));

function execute(program: { command: string } | { missing: string }, args: readonly string[]) {
  return new Promise<{ exitCode: number | null; output: string }>((resolve) => {
    const child = execFile('command' in program ? program.command : '', args, (_error, stdout, stderr) =>
      resolve({ exitCode: child.exitCode, output: stdout + stderr }),
    );
  });
}

function withHelm(command: readonly string[], values: object) {
  const file = join(folder, `${randomUUID()}.json`);
  writeFileSync(file, JSON.stringify(values));
  return execute(tool, [...command, CHART, '--values', file]);
}

async function rendered(values: object): Promise<{ text: string; manifests: Manifest[] }> {
  const { exitCode, output } = await withHelm(['template', 'shop'], values);
  expect(exitCode, output).toBe(0);
  return { text: output, manifests: parseAllDocuments(output).map((document) => document.toJS()) };
}

function podSpec(manifests: readonly Manifest[], kind: string): PodSpec {
  const spec = manifests.find((manifest) => manifest.kind === kind)?.spec.template?.spec;
  if (spec === undefined) throw new Error(`There is no ${kind}.`);
  return spec;
}

describeUnless(missing, 'the chart', () => {
  it.each<[string, object]>([
    ['as it is', {}],
    ['with everything', EVERYTHING],
    ['without metrics', { metrics: { enabled: false }, networkPolicy: { enabled: true } }],
  ])('%s: passes Helm, and Kubernetes takes what it makes', async (_what, values) => {
    const { exitCode, output } = await withHelm(['lint', '--strict'], values);
    expect(exitCode, output).toBe(0);
    const { text } = await rendered(values);
    const file = join(folder, 'rendered.yaml');
    writeFileSync(file, text);
    for (const version of KUBERNETES) {
      const valid = await execute(validator, ['--strict', '--quiet', '--kubernetes-version', version, file]);
      expect(valid.exitCode, valid.output).toBe(0);
    }
  });

  it('with SQLite: one server with a volume, and no Secret but where one is named', async () => {
    const { manifests } = await rendered({ replicas: 5 });
    expect(manifests.map(({ kind }) => kind).toSorted()).toEqual(['Pod', 'Service', 'Service', 'StatefulSet']);
    const set = manifests.find(({ kind }) => kind === 'StatefulSet');
    expect(set?.spec.replicas).toBe(1);
    expect(set?.spec['volumeClaimTemplates']).toMatchObject([{ metadata: { name: 'data' } }]);
    expect(
      podSpec(manifests, 'StatefulSet').containers[0].env.filter(({ valueFrom }) => valueFrom !== undefined),
    ).toEqual([]);

    const given = await rendered({ secret: { name: 'branchline' } });
    const secrets = podSpec(given.manifests, 'StatefulSet').containers[0].env.filter(
      ({ valueFrom }) => valueFrom !== undefined,
    );
    expect(secrets.map(({ name }) => name)).toEqual(['BRANCHLINE_HASH_KEY']);
  });

  it('with PostgreSQL: as many servers as wanted, which get their secrets from a Secret', async () => {
    const { text, manifests } = await rendered(EVERYTHING);
    const deployment = manifests.find(({ kind }) => kind === 'Deployment');
    expect(deployment?.spec).toMatchObject({ replicas: 3, strategy: { type: 'Recreate' } });
    const [{ env }] = podSpec(manifests, 'Deployment').containers;
    const secrets = env.flatMap(({ name, valueFrom }) =>
      valueFrom === undefined ? [] : [[name, valueFrom.secretKeyRef.name]],
    );
    expect(Object.fromEntries(secrets)).toEqual({
      DATABASE_URL: 'branchline',
      BRANCHLINE_HASH_KEY: 'branchline',
      BRANCHLINE_OIDC_CLIENT_SECRET: 'oidc',
    });
    expect(text).not.toContain('kind: Secret');
  });

  it.each<[string, object]>([
    ['StatefulSet', {}],
    ['Deployment', EVERYTHING],
  ])('%s: the pods are restricted, probed, and have the time to drain', async (kind, values) => {
    const spec = podSpec((await rendered({ ...values, drainDelay: 7, drainTimeout: 40 })).manifests, kind);
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(spec.containers[0]).toMatchObject({
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
      startupProbe: { httpGet: { path: '/livez', port: 'http' } },
      livenessProbe: { httpGet: { path: '/livez', port: 'http' } },
      readinessProbe: { httpGet: { path: '/readyz', port: 'http' } },
    });
    expect(spec.terminationGracePeriodSeconds).toBe(52);
  });

  it('sets the server nothing but settings that it has, to what they may be', async () => {
    const [{ env }] = podSpec((await rendered(EVERYTHING)).manifests, 'Deployment').containers;
    const set = env.filter(({ name }) => name !== 'NODE_OPTIONS');
    for (const { name, value } of set) {
      const setting = SETTINGS.find((one) => one.env === name);
      expect(setting, name).toBeDefined();
      if (value !== undefined) expect(() => setting?.parse(value), name).not.toThrow();
    }
    const values = Object.fromEntries(set.map(({ name, value }) => [name, value]));
    expect(values).toMatchObject({
      BRANCHLINE_DEMO: 'false',
      BRANCHLINE_METRICS_ADDRESS: '0.0.0.0:9464',
      BRANCHLINE_WEB_HOST: 'branchline.example.com',
      BRANCHLINE_TRUSTED_PROXIES: '10.0.0.0/8',
      BRANCHLINE_RATE_LIMIT_MODE: 'hard',
    });
  });

  it('keeps metrics out of the Service and the Ingress of clients', async () => {
    const { manifests } = await rendered(EVERYTHING);
    const ports = manifests
      .filter(({ kind }) => kind === 'Service')
      .map(({ metadata, spec }) => [metadata.name, spec['ports']]);
    expect(Object.fromEntries(ports)).toMatchObject({
      'shop-branchline': [{ name: 'http', port: 80 }],
      'shop-branchline-metrics': [{ name: 'metrics', port: 9464 }],
    });
    const policy = manifests.find(({ kind }) => kind === 'NetworkPolicy');
    expect(policy?.spec['ingress']).toEqual([
      { ports: [{ port: 'http' }], from: [{ podSelector: {} }] },
      { ports: [{ port: 'metrics' }], from: [{ namespaceSelector: {} }] },
    ]);
    const closed = await rendered({ networkPolicy: { enabled: true } });
    expect(closed.manifests.find(({ kind }) => kind === 'NetworkPolicy')?.spec['ingress']).toEqual([
      { ports: [{ port: 'http' }] },
    ]);
  });

  it('has room in /tmp for the exports that wait there, with PostgreSQL', async () => {
    const sizes = await Promise.all(
      [{ secret: { name: 'x' }, engine: 'postgres' }, {}].map(async (values) => {
        const { manifests } = await rendered({ ...values, exportSpoolMiB: 256 });
        const { volumes } = podSpec(manifests, 'engine' in values ? 'Deployment' : 'StatefulSet');
        return volumes.find(({ name }) => name === 'tmp')?.emptyDir?.sizeLimit;
      }),
    );
    expect(sizes).toEqual(['320Mi', '64Mi']);
  });

  it.each<[string, object, string]>([
    ['PostgreSQL without a Secret', { engine: 'postgres' }, 'secret.name must name a Secret'],
    ['an ingress without a host', { ingress: { enabled: true } }, 'ingress.host must say under which name'],
    [
      'OIDC without a secret',
      { oidc: { issuer: 'https://x.example', clientId: 'x' } },
      'oidc.secretName must name a Secret',
    ],
    ['a value that there is not', { replica: 3 }, "additional properties 'replica' not allowed"],
    ['a setting that there is not', { settings: { BRANCHLINE_RATE: '1' } }, "invalid propertyName 'BRANCHLINE_RATE'"],
    ['an engine that there is not', { engine: 'mysql' }, "value must be one of 'sqlite', 'postgres'"],
  ])('refuses %s', async (_what, values, sentence) => {
    const { exitCode, output } = await withHelm(['template', 'shop'], values);
    expect(exitCode).not.toBe(0);
    expect(output).toContain(sentence);
  });

  it('tells how to go on, with commands for the pods that it made', async () => {
    const { output } = await withHelm(['install', 'shop', '--dry-run=client'], {
      ...EVERYTHING,
      trustedProxies: 'loopback',
    });
    const notes = output.slice(output.indexOf('NOTES:'));
    expect(notes).toContain('exec deployment/shop-branchline -- branchline workspace create shop');
    expect(notes).toContain('The console is at https://branchline.example.com/');
    expect(notes).toContain('WARNING: trustedProxies names no ingress controller');
  });
});
