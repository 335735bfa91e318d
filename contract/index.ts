/** What other workspaces may use of what reads contracts. */
import type { Contract } from './contract.ts';
import type { LoadOptions } from './load.ts';

export { bodyValue, writeBody } from './cases/body-patch.ts';
export type { BodyPatch, Case, CaseFile, CaseRequest, Change, Expectation, Mistake, Variation } from './cases/case.ts';
export { type FormField, type FormPlan, nameFormType, writeForm } from './cases/form.ts';
export { refusals } from './cases/refusals.ts';
export { type SerializedParameter, serializeParameter } from './cases/serialized-parameter.ts';
export { resolveIn } from './references.ts';
export type { Contract, DocumentedResponse, Located, Operation, Position, SpecProblem } from './contract.ts';
export { type ContractDocument, follow, operationAt } from './exchanges/document.ts';
export type { Audience, DiffReport, Finding } from './diff/index.ts';
export type { LoadOptions } from './load.ts';
export { isEventStream } from './exchanges/event-stream.ts';
export {
  documentedMediaType,
  documentedStatus,
  type Exchange,
  examineResponses,
  type HttpResponse,
  isJson,
  type ResponseCheck,
  responseCheck,
  type ResponseFinding,
  type ResponseExamination,
} from './exchanges/response.ts';
export { type Hook, readHooks } from './hooks.ts';
export { capitalize, createIdentifiers } from './identifiers.ts';
export { EACH_EXTENSION, type ItemwiseArray, findItemwiseArrays } from './items.ts';
export { isJsonObject, type Json, type JsonObject, type Path, valueAtPath, withValueAt } from './json.ts';
export type {
  MediaTypeObject,
  Method,
  OpenApiDocument,
  OperationObject,
  ParameterLocation,
  ParameterObject,
  PathItemObject,
  Reference,
  RequestBodyObject,
  ResponseObject,
  Schema,
  SecurityRequirement,
  SecurityScheme,
} from './openapi.ts';
export { readOperations } from './operations.ts';
export { mapSchemas } from './schema-map.ts';
export { fromPointer, isObject, pointerTo, referencePointer, toPointer, valueAt } from './pointers.ts';
export { removeDust } from './rounding.ts';
export { compilePattern, type SchemaValidators, schemaValidators } from './schemas.ts';
export { printProblems, SpecError } from './spec-error.ts';
export { applyDiscriminators, exemplifyParents, readChoice } from './discriminators.ts';
export { relaxPart, relaxRequired } from './directions.ts';
export { describeError, readUnknownField } from './validation-errors.ts';
export { UncheckableSchema, explainUnusable } from './uncheckable.ts';
export { toReplySchemas, toRequestSchemas } from './validation-schemas.ts';

/**
 * Reads a spec and checks that code can be generated from it. What parses and checks it is loaded only here.
 *
 * @param file - Path of an OpenAPI 3.0 or 3.1 document, or a Swagger 2.0 one, in YAML or JSON, or `-` for standard input; it also
 *   stands in front of each problem.
 * @throws SpecError listing the problems with their lines, where the spec can't be used.
 */
export async function loadContract(file: string, options?: LoadOptions): Promise<Contract> {
  const load = await import('./load.ts');
  return load.loadContract(file, options);
}

/** What compares contracts. Loaded only here. */
export function loadDiff(): Promise<typeof import('./diff/index.ts')> {
  return import('./diff/index.ts');
}
