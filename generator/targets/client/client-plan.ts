import type { Contract, MediaTypeObject, Operation, SecurityScheme } from '@branchline/contract';
import { stripParameters } from '../../typescript/media-types.ts';
import { planOperation } from '../../typescript/operation-plan.ts';
import type { MediaPlan, OperationPlan, SchemePlan } from './templates/plan.ts';
import { classifyAnswer, classifyBody } from './body-kinds.ts';

/** What a client must know of an operation, as data. */
export function planCalls(contract: Contract, operation: Operation): OperationPlan {
  const { id, method, path, parameters, body } = planOperation(contract, operation);
  const content = Object.entries(operation.requestBody?.value.content ?? {});
  return {
    id,
    method,
    path,
    parameters: parameters.map(({ in: place, name, style, explode, shape }) => ({
      in: place,
      name,
      style,
      explode,
      ...(shape === 'json' && { json: true }),
    })),
    sends: content.map(([type, media], index) => {
      const { type: sent, kind } = planMedia(contract, type, media);
      const fields = body?.media[index]?.fields?.map(({ key, style, explode, shape }) => ({
        name: key,
        style,
        explode,
        ...(shape === 'json' && { json: true }),
      }));
      return {
        type: sent === '*/*' && kind === 'json' ? 'application/json' : sent,
        kind,
        ...(fields !== undefined && fields.length > 0 && { fields }),
      };
    }),
    answers: Object.fromEntries(
      operation.responses.map(({ status, value }) => [
        status.toUpperCase().replace('DEFAULT', 'default'),
        Object.entries(value.content ?? {}).map(([type, media]) => ({
          type: stripParameters(type),
          kind: classifyAnswer(contract, type, media),
        })),
      ]),
    ),
    security: operation.security.map((requirement) => Object.keys(requirement)),
  };
}

function planMedia(contract: Contract, type: string, media: MediaTypeObject): MediaPlan {
  return { type: stripParameters(type), kind: classifyBody(contract, type, media) };
}

/** Where the secret of a security scheme goes. */
export function planScheme({ type, scheme = '', in: place, name = '' }: SecurityScheme): SchemePlan {
  if (type === 'mutualTLS') return { kind: 'elsewhere' };
  if (type === 'apiKey') return { kind: place === 'query' || place === 'cookie' ? place : 'header', name };
  if (type !== 'http' || scheme.toLowerCase() === 'bearer') return { kind: 'authorization', prefix: 'Bearer' };
  return scheme.toLowerCase() === 'basic' ? { kind: 'basic' } : { kind: 'authorization', prefix: scheme };
}
