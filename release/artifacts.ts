import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from './refusal.ts';
import { run } from './run.ts';

/** Of CycloneDX, what is looked at here. */
interface BillOfMaterials {
  metadata: { component: Component };
  components: Component[];
}

interface Component {
  /** Name and version: `@branchline/server@1.2.3`. */
  'bom-ref': string;
  name: string;
}

/** Where something is built. */
export interface Build {
  repository: string;
  version: string;
  /** The folder of the release. */
  out: string;
}

/**
 * Builds all that a release is made of into its folder, which is emptied first.
 *
 * @param say is told what is being done
 * @throws Refusal where something can't be built
 */
export async function buildArtifacts(build: Build, say: (line: string) => void): Promise<void> {
  rmSync(build.out, { recursive: true, force: true });
  mkdirSync(build.out, { recursive: true });
  say('npm packages');
  await buildPackages(build);
  say('Android library');
  await buildLibrary(build);
  say('software bill of materials');
  await writeBillOfMaterials(build);
  say('checksums');
  writeChecksums(build.out);
}

/** The tarballs of a release, in the order in which they are published: the program needs the others. */
export function listTarballs({ out, version }: Pick<Build, 'out' | 'version'>): string[] {
  const program = `branchline-${version}.tgz`;
  const all = readdirSync(join(out, 'npm')).toSorted();
  return [...all.filter((name) => name !== program), ...all.filter((name) => name === program)];
}

/** `npm run build` leaves a tarball of each package in dist/npm. */
async function buildPackages({ repository, version, out }: Build): Promise<void> {
  const built = join(repository, 'dist', 'npm');
  rmSync(built, { recursive: true, force: true });
  await run(repository, 'npm', ['run', 'build']);
  cpSync(built, join(out, 'npm'), { recursive: true });
  const other = listTarballs({ out, version }).find((name) => !name.endsWith(`-${version}.tgz`));
  if (other !== undefined) throw new Refusal(`"npm run build" made ${other}, which is not of version ${version}.`);
}

async function buildLibrary({ repository, version, out }: Build): Promise<void> {
  const args = ['android', 'package', '--version', version, '--out', join(out, 'maven')];
  await run(repository, process.execPath, [join(repository, 'bin', 'branchline.js'), ...args]);
}

/** Of what the packages need at run time, by the lock file. */
async function writeBillOfMaterials({ repository, version, out }: Build): Promise<void> {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--omit', 'dev'];
  const bill: BillOfMaterials = JSON.parse(await run(repository, 'npm', args));
  bill.metadata.component = nameComponent(bill.metadata.component);
  bill.components = bill.components.map(nameComponent);
  writeFileSync(join(out, `branchline-${version}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
}

/** npm calls the repository and its workspaces by their folders. */
function nameComponent(component: Component): Component {
  const reference = component['bom-ref'];
  return { ...component, name: reference.slice(0, reference.lastIndexOf('@')) };
}

/** As `sha256sum --check` reads them. */
function writeChecksums(out: string): void {
  const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(out.length + 1)).toSorted();
  const lines = paths.map((path) => `${sha256(readFileSync(join(out, path)))}  ${path}\n`);
  writeFileSync(join(out, 'SHA256SUMS'), lines.join(''));
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
