import type { Contract, SecurityScheme } from '@branchline/contract';
import { escapeComment, escapeLineComment } from '../../comments.ts';
import { printPropertyName, quote } from '../../typescript/code.ts';

/** `server/security.ts` as a user first finds it: this machine gets in with any credential, and nobody else. */
export function printSecurityScaffold(contract: Contract): string {
  const schemes = listSchemes(contract);
  if (schemes.length === 0) {
    return `import type { SecurityHandlers } from './generated/handlers.ts';

/** The contract asks for no security. */
export const securityHandlers: SecurityHandlers = {};
`;
  }
  const tls = schemes.some(([, { type }]) => type === 'mutualTLS') ? "import { TLSSocket } from 'node:tls';\n" : '';
  return `${tls}import type { FastifyRequest } from 'fastify';
import type { SecurityHandlers } from './generated/handlers.ts';

// NOT CHECKED YET: ${listNames(schemes)}.
// So that the stubs can be tried, this machine gets in with any credential; nobody else does, and nobody in production.
// Write a check in place of each "unchecked", then take that function and this warning away.
console.warn(${quote(warnOf(schemes))});

/** One function a security scheme: gives the principal, or throws to refuse the request. */
export const securityHandlers: SecurityHandlers = {${schemes.map(printSecurityHandler).join('\n')}
};

function unchecked(scheme: string, request: FastifyRequest, credential: string | undefined): string {
  if (credential === undefined || credential === '') {
    throw Object.assign(new Error('Unauthorized'), { statusCode: 401 });
  }
  const isThisMachine = /^(?:::ffff:)?127\\.|^::1$/.test(request.socket.remoteAddress ?? '');
  const isPassedOn = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'].some((name) => name in request.headers);
  if (isThisMachine && !isPassedOn && process.env['NODE_ENV'] !== 'production') return credential;
  const sentence = \`Nothing checks the credentials of "\${scheme}" yet: write the check in server/security.ts.\`;
  throw Object.assign(new Error(sentence), { statusCode: 501 });
}
`;
}

/** What the user of a new `server/security.ts` has to do; nothing where the contract asks for no security. */
export function describeUnchecked(contract: Contract): string | undefined {
  const schemes = listSchemes(contract);
  return schemes.length === 0 ? undefined : warnOf(schemes);
}

type NamedScheme = [name: string, scheme: SecurityScheme];

/** Those that operations ask for. */
function listSchemes({ operations, securitySchemes }: Contract): NamedScheme[] {
  const used = new Set(operations.flatMap(({ security }) => security.flatMap(Object.keys)));
  return [...securitySchemes].filter(([name]) => used.has(name));
}

function warnOf(schemes: readonly NamedScheme[]): string {
  return `Nothing checks the credentials of ${listNames(schemes)} yet: write the checks in server/security.ts. Until then only requests from this machine get in.`;
}

function listNames(schemes: readonly NamedScheme[]): string {
  return schemes.map(([name]) => escapeLineComment(JSON.stringify(name))).join(', ');
}

function printSecurityHandler([name, scheme]: NamedScheme): string {
  return `
  /** ${escapeComment(describe(scheme))} */
  ${printPropertyName(name)}(request) {
    return unchecked(${quote(name)}, request, ${printCredential(scheme)});
  },`;
}

function describe({ type, scheme, name, in: place }: SecurityScheme): string {
  if (type === 'apiKey') return `The API key in the ${place} "${name}".`;
  return type === 'http' ? `HTTP authentication by the scheme "${scheme}".` : `A credential of the type ${type}.`;
}

/** An expression that finds the credential in a request. */
function printCredential({ type, scheme = '', name = '', in: place }: SecurityScheme): string {
  if (type === 'apiKey') return printApiKey(name, place ?? 'header');
  if (type === 'mutualTLS')
    return 'request.raw.socket instanceof TLSSocket ? request.raw.socket.getPeerCertificate().fingerprint256 : undefined';
  const wanted = type === 'http' ? scheme : 'bearer';
  return `/^${wanted.replaceAll(/[^\w-]/g, '.')} +(.+)$/i.exec(request.headers.authorization ?? '')?.[1]`;
}

function printApiKey(name: string, place: string): string {
  switch (place) {
    case 'query':
      return `new URL(request.url, 'http://localhost').searchParams.get(${quote(name)}) ?? undefined`;
    case 'cookie':
      return `new URLSearchParams(request.headers.cookie?.replaceAll(/; */g, '&')).get(${quote(name)}) ?? undefined`;
    default:
      return `request.headers[${quote(name.toLowerCase())}]?.toString()`;
  }
}
