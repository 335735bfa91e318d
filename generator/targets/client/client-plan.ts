import type { Contract, MediaTypeObject, Operation, SecurityScheme } from '@branchline/contract';
import { bareType } from '../../typescript/media-types.ts';
import { planOf } from '../../typescript/operation-plan.ts';
import type { MediaPlan, OperationPlan, SchemePlan } from './templates/plan.ts';
import { answerKind, clientKind } from './body-kinds.ts';

/** What a client must know of an operation, as data. */
export function clientPlan(contract: Contract, operation: Operation): OperationPlan {
  const { id, method, path, parameters, body } = planOf(contract, operation);
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
      const { type: sent, kind } = mediaPlan(contract, type, media);
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
          type: bareType(type),
          kind: answerKind(contract, type, media),
        })),
      ]),
    ),
    security: operation.security.map((requirement) => Object.keys(requirement)),
  };
}

function mediaPlan(contract: Contract, type: string, media: MediaTypeObject): MediaPlan {
  return { type: bareType(type), kind: clientKind(contract, type, media) };
}

/** Where the secret of a security scheme goes. */
export function schemePlan({ type, scheme = '', in: place, name = '' }: SecurityScheme): SchemePlan {
  if (type === 'mutualTLS') return { kind: 'elsewhere' };
  if (type === 'apiKey') return { kind: place === 'query' || place === 'cookie' ? place : 'header', name };
  if (type !== 'http' || scheme.toLowerCase() === 'bearer') return { kind: 'authorization', prefix: 'Bearer' };
  return scheme.toLowerCase() === 'basic' ? { kind: 'basic' } : { kind: 'authorization', prefix: scheme };
}
