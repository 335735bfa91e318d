import {
  type Contract,
  type Located,
  type MediaTypeObject,
  type Operation,
  pointerTo,
  type RequestBodyObject,
  type ResponseObject,
  SpecError,
  valueAt,
} from '@branchline/contract';
import { printKdoc } from '../kdoc.ts';
import type { KotlinProject } from '../kotlin-project.ts';
import { findDefaultEndpoint, findIngestOperation, listConstants } from './constants.ts';
import { readInspectorExtension, type Environment, type InspectorExtension, type Origin } from './extension.ts';
import { collectWireSchemas, readSchemaName } from './wire-schemas.ts';

/** The generated part of the Inspector library. */
export function makeInspectorProject(contract: Contract): KotlinProject {
  const inspector = readInspectorExtension(contract);
  const { packageName, internalPackageName } = inspector;
  const [place, internalPlace] = [packageName, internalPackageName].map((name) => name.replaceAll('.', '/'));
  return {
    templates: 'inspector',
    folder: 'android-sdk/inspector/src/commonMain/generated',
    document: {
      openapi: contract.document.openapi,
      info: contract.document.info,
      paths: {},
      components: { schemas: collectIngestSchemas(contract, inspector) },
      'x-inspector': makeView(contract, inspector),
    },
    options: { packageName, modelPackage: `${internalPackageName}.wire` },
    once: {
      'ServiceEventSchemaType.mustache': `${place}/ServiceEventSchemaType.kt`,
      'ServiceInspectorEnv.mustache': `${place}/ServiceInspectorEnv.kt`,
      'DebuggerMode.mustache': `${place}/DebuggerMode.kt`,
      'InspectorContract.mustache': `${internalPlace}/wire/InspectorContract.kt`,
    },
    copied: {},
    scaffold: [],
  };
}

/** What the templates say beside the classes. */
function makeView(contract: Contract, inspector: InspectorExtension): object {
  return {
    internalPackageName: inspector.internalPackageName,
    constants: listConstants(contract, inspector),
    defaultEndpoint: findDefaultEndpoint(contract),
    environments: inspector.environments.map((environment) => ({
      ...environment,
      kdoc: printKdoc(
        `${describeEnvironment(environment)}\n\n${nameSource(contract, environment['x-branchline-origin'])}`,
      ),
    })),
    schemaTypes: inspector.schemaTypes.map(({ holds, ...type }) => ({
      ...type,
      isList: holds === 'subtypes',
      isObject: holds === 'children',
    })),
    debuggerModes: inspector.debuggerModes,
  };
}

function describeEnvironment({ batchSize, batchFlushSeconds, logging, visualInspector }: Environment): string {
  const sends =
    batchSize === 1
      ? 'Sends each event at once'
      : `Sends ${batchSize} events together, or what there is after ${batchFlushSeconds} seconds`;
  return `${sends}; the log is ${onOff(logging)}, the visual inspector ${onOff(visualInspector)}.`;
}

/** A rule of a document names it; a decision gives its reason. */
function nameSource({ document }: Contract, { document: name = '', section, reason = '' }: Origin = {}): string {
  const title = valueAt(document, pointerTo('/x-branchline-documents', name, 'title'));
  return typeof title === 'string' ? `Source: ${title}, ${section}.` : reason;
}

function onOff(on: boolean): string {
  return on ? 'on' : 'off';
}

function collectIngestSchemas(
  contract: Contract,
  inspector: InspectorExtension,
): ReturnType<typeof collectWireSchemas> {
  const ingest = findIngestOperation(contract, inspector);
  const success = ingest.responses.find(({ status }) => status === '200');
  return collectWireSchemas(
    contract,
    nameJsonSchema(contract, ingest, ingest.requestBody),
    nameJsonSchema(contract, ingest, success),
  );
}

function nameJsonSchema(
  contract: Contract,
  { pointer }: Operation,
  body: Located<RequestBodyObject | ResponseObject> | undefined,
): string {
  const media: MediaTypeObject | undefined = body?.value.content?.['application/json'];
  const name = typeof media?.schema === 'object' ? readSchemaName(media.schema['$ref']) : undefined;
  if (name !== undefined) return name;
  const sentence =
    'The operation that takes batches needs a JSON body and a JSON answer 200, each by the name of a schema under components.schemas.';
  throw new SpecError(contract.source, [{ position: contract.locate(body?.pointer ?? pointer), sentence }]);
}
