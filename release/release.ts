import { join, relative } from 'node:path';
import { type Build, buildArtifacts, listTarballs } from './artifacts.ts';
import { refuseUnready, nameTag, findUncommitted } from './checks.ts';
import { Refusal } from './refusal.ts';
import { run } from './run.ts';
import { readVersion } from './versions.ts';

/** A release that is to be made. */
export interface ReleaseOptions {
  /** A work tree of git. */
  repository: string;
  /** Everything but the tag. */
  dryRun: boolean;
  /** Is told what is being done, and at the end how it is published. */
  say: (line: string) => void;
}

/**
 * Builds a release into dist/release/<version>, and tags it. Nothing leaves the machine.
 *
 * @throws Refusal where it must not or can't be made
 */
export async function release({ repository, dryRun, say }: ReleaseOptions): Promise<void> {
  await refuseUnready(repository);
  const version = readVersion(repository);
  const build: Build = { repository, version, out: join(repository, 'dist', 'release', version) };
  say(`Branchline ${version}`);
  await buildArtifacts(build, (line) => say(`  ${line}`));
  const changed = await findUncommitted(repository);
  if (changed.length > 0) throw new Refusal(['The build changed what is committed.', ...changed].join('\n'));
  say(`It is in ${relative(repository, build.out)}.`);
  if (dryRun) return say('This was a dry run, so there is no tag.');
  const tag = nameTag(version);
  await run(repository, 'git', ['tag', '--annotate', tag, '--message', `Branchline ${version}`]);
  const revision = (await run(repository, 'git', ['rev-parse', 'HEAD'])).trim();
  say(`Tagged ${tag}. Nothing is published yet; these commands do that:`);
  for (const command of listPublishingCommands(build, revision)) say(`  ${command}`);
}

/** `REGISTRY` and `MAVEN_REPOSITORY` are for whoever publishes to say. */
function listPublishingCommands({ repository, version, out }: Build, revision: string): string[] {
  const folder = relative(repository, out);
  const image = `"$REGISTRY/branchline:${version}"`;
  return [
    `git push origin ${nameTag(version)}`,
    ...listTarballs({ out, version }).map((name) => `npm publish --access public ${join(folder, 'npm', name)}`),
    `rsync --archive ${join(folder, 'maven')}/ "$MAVEN_REPOSITORY"`,
    `docker build --file Containerfile --build-arg VERSION=${version} --build-arg REVISION=${revision} --tag ${image} .`,
    `docker push ${image}`,
    `helm package deploy/helm/branchline --destination ${folder}`,
    `helm push ${join(folder, `branchline-${version}.tgz`)} "oci://$REGISTRY/charts"`,
  ];
}
