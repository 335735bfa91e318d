import type { Contract, Operation, SecurityScheme } from '@branchline/contract';
import { commentText, propertyName, quoted } from '../../typescript/code.ts';

/** `server/handlers.ts` as a user first finds it: every operation answers the contract's example. */
export function handlersScaffold({ operations }: Contract): string {
  const imports = operations.length > 0 ? "import { stub } from '../../server/generated/examples.ts';\n" : '';
  return `${imports}import type { Handlers } from '../../server/generated/handlers.ts';

/** One function an operation. A stub answers with the contract's example; write your own in its place. */
export const handlers: Handlers = {${operations.map(stubOf).join('\n')}
};
`;
}

function stubOf({ id, method, path }: Operation): string {
  return `
  /** ${commentText(`\`${method.toUpperCase()} ${path}\``)} */
  ${id}(_request) {
    return stub(${quoted(id)});
  },`;
}

/** `server/security.ts` as a user first finds it: any credential will do, none will not. */
export function securityScaffold({ operations, securitySchemes }: Contract): string {
  const used = new Set(operations.flatMap(({ security }) => security.flatMap(Object.keys)));
  const schemes = [...securitySchemes].filter(([name]) => used.has(name));
  if (schemes.length === 0) {
    return `import type { SecurityHandlers } from '../../server/generated/handlers.ts';

/** The contract asks for no security. */
export const securityHandlers: SecurityHandlers = {};
`;
  }
  const tls = schemes.some(([, { type }]) => type === 'mutualTLS') ? "import { TLSSocket } from 'node:tls';\n" : '';
  return `${tls}import type { SecurityHandlers } from '../../server/generated/handlers.ts';

/**
 * One function a security scheme: gives the principal, or throws to refuse the request.
 *
 * These take ANY credential: check it before anyone else can reach this server.
 */
export const securityHandlers: SecurityHandlers = {${schemes.map(handlerOf).join('\n')}
};

function present(credential: string | undefined): string {
  if (credential === undefined || credential === '') {
    throw Object.assign(new Error('Unauthorized'), { statusCode: 401 });
  }
  return credential;
}
`;
}

function handlerOf([name, scheme]: [string, SecurityScheme]): string {
  return `
  /** ${commentText(describe(scheme))} */
  ${propertyName(name)}(request) {
    return present(${credential(scheme)});
  },`;
}

function describe({ type, scheme, name, in: place }: SecurityScheme): string {
  if (type === 'apiKey') return `The API key in the ${place} "${name}".`;
  return type === 'http' ? `HTTP authentication by the scheme "${scheme}".` : `A credential of the type ${type}.`;
}

/** An expression that finds the credential in a request. */
function credential({ type, scheme = '', name = '', in: place }: SecurityScheme): string {
  if (type === 'apiKey') return apiKey(name, place ?? 'header');
  if (type === 'mutualTLS')
    return 'request.raw.socket instanceof TLSSocket ? request.raw.socket.getPeerCertificate().fingerprint256 : undefined';
  const wanted = type === 'http' ? scheme : 'bearer';
  return `/^${wanted.replaceAll(/[^\w-]/g, '.')} +(.+)$/i.exec(request.headers.authorization ?? '')?.[1]`;
}

function apiKey(name: string, place: string): string {
  switch (place) {
    case 'query':
      return `new URL(request.url, 'http://localhost').searchParams.get(${quoted(name)}) ?? undefined`;
    case 'cookie':
      return `new URLSearchParams(request.headers.cookie?.replaceAll(/; */g, '&')).get(${quoted(name)}) ?? undefined`;
    default:
      return `request.headers[${quoted(name.toLowerCase())}]?.toString()`;
  }
}
