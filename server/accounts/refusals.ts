import { HttpError } from '../http/http-error.ts';
import { type Role, ROLES } from './principals.ts';

/** What a 401 offers, by security scheme (RFC 9110, WWW-Authenticate; RFC 7617 for the charset). */
const CHALLENGES = {
  serviceAccount: 'Basic realm="Branchline", charset="UTF-8"',
  apiKey: 'ApiKey realm="Branchline Inspector"',
  session: 'Session realm="Branchline"',
};

/** The answer to credentials that are missing or wrong. */
export function unauthorized(scheme: keyof typeof CHALLENGES): HttpError {
  return new HttpError(401, 'Unauthorized', { 'www-authenticate': CHALLENGES[scheme] });
}

/** @throws HttpError 403 */
export function requireRole(held: Role, least: string): void {
  if (ROLES.indexOf(held) >= ROLES.findIndex((role) => role === least)) return;
  throw new HttpError(403, `This takes the role ${least}, and yours is ${held}. Ask an admin of the workspace.`);
}
