import { readFileSync } from 'node:fs';
import type { Contract, Operation, PathItemObject, Schema } from '@branchline/contract';
import { isEventStream } from '../../../typescript/media-types.ts';
import type { KotlinProject } from '../kotlin-project.ts';
import { listCredentials } from './credentials.ts';
import { renameReferences, renameTaken } from './model-names.ts';
import { simplifyOperation } from './operation.ts';
import { simplifySchema } from './plain-schema.ts';

/** A Kotlin Multiplatform client of any contract, on ktor and kotlinx.serialization. */
export function makeClientProject(contract: Contract): KotlinProject {
  const { info } = contract.document;
  const packageName = namePackage(info.title);
  const schemas = simplifySchemas(contract);
  const place = packageName.replaceAll('.', '/');
  return {
    templates: 'client',
    folder: 'kotlin-client/src/commonMain/generated',
    document: renameReferences(
      {
        // What is left of the schemas is what version 3.0 has, and openapi-generator knows that best.
        openapi: '3.0.3',
        info: { title: info.title, version: info.version },
        paths: simplifyPaths(contract),
        components: { schemas },
        'x-credentials': listCredentials(contract),
      },
      renameTaken(Object.keys(schemas)),
    ),
    options: {
      packageName,
      modelPackage: packageName,
      apiPackage: packageName,
      typeMappings: { object: 'JsonElement', AnyType: 'JsonElement', ByteArray: 'kotlin.ByteArray' },
    },
    once: { 'Credentials.mustache': `${place}/Credentials.kt` },
    copied: Object.fromEntries(
      ['ApiClient.kt', 'ApiException.kt', 'ApiRequest.kt'].map((name) => [
        `${place}/${name}`,
        `package ${packageName}\n\n${readTemplate(`client-sources/${name}`)}`,
      ]),
    ),
    scaffold: ['build.gradle.kts', 'settings.gradle.kts'].map((name) => ({
      path: `kotlin-client/${name}`,
      text: readTemplate(`client-scaffold/${name}`),
      kind: 'scaffold',
    })),
  };
}

/** `Train Travel API` → `traintravelapi.client`. */
function namePackage(title: string): string {
  const letters = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
  return `${/^[a-z]/.test(letters) ? letters : `api${letters}`}.client`;
}

function simplifyPaths(contract: Contract): Record<string, PathItemObject> {
  const paths: Record<string, PathItemObject> = {};
  for (const operation of contract.operations) {
    if (answersWithEvents(operation)) continue;
    const item = (paths[operation.path] ??= {});
    item[operation.method] = simplifyOperation(contract, operation);
  }
  return paths;
}

/** Its methods give one whole body; a stream of events need not end. */
function answersWithEvents({ responses }: Operation): boolean {
  const types = responses.flatMap(({ status, value }) =>
    status.startsWith('2') ? Object.keys(value.content ?? {}) : [],
  );
  return types.length > 0 && types.every(isEventStream);
}

function simplifySchemas(contract: Contract): Record<string, Schema> {
  const schemas = Object.entries(contract.document.components?.schemas ?? {});
  return Object.fromEntries(schemas.map(([name, schema]) => [name, simplifySchema(contract, schema)]));
}

function readTemplate(path: string): string {
  return readFileSync(new URL(`../templates/${path}`, import.meta.url), 'utf8');
}
