import type { FastifyRequest } from 'fastify';
import type { Authenticated } from '../accounts/principals.ts';
import type { Handlers } from '../generated/handlers.ts';

/** Of any operation. */
export type Handle = (input: { raw: FastifyRequest }) => unknown;

/** Has these operations handled by what `wrap` makes of their handlers, and the others as before. */
export function wrapHandlers(
  handlers: Handlers<Authenticated>,
  ids: ReadonlySet<string>,
  wrap: (handle: Handle, id: string) => Handle,
): Handlers<Authenticated> {
  const entries = Object.entries(handlers).map(([id, handle]) => [id, ids.has(id) ? wrap(handle, id) : handle]);
  return Object.fromEntries(entries);
}
