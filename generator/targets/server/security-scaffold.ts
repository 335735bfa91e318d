import type { Contract, SecurityScheme } from '@branchline/contract';
import { escapeComment, printPropertyName, quote } from '../../typescript/code.ts';

/** `server/security.ts` as a user first finds it: any credential will do, none will not. */
export function printSecurityScaffold({ operations, securitySchemes }: Contract): string {
  const used = new Set(operations.flatMap(({ security }) => security.flatMap(Object.keys)));
  const schemes = [...securitySchemes].filter(([name]) => used.has(name));
  if (schemes.length === 0) {
    return `import type { SecurityHandlers } from './generated/handlers.ts';

/** The contract asks for no security. */
export const securityHandlers: SecurityHandlers = {};
`;
  }
  const tls = schemes.some(([, { type }]) => type === 'mutualTLS') ? "import { TLSSocket } from 'node:tls';\n" : '';
  return `${tls}import type { SecurityHandlers } from './generated/handlers.ts';

/**
 * One function a security scheme: gives the principal, or throws to refuse the request.
 *
 * These take ANY credential: check it before anyone else can reach this server.
 */
export const securityHandlers: SecurityHandlers = {${schemes.map(printSecurityHandler).join('\n')}
};

function present(credential: string | undefined): string {
  if (credential === undefined || credential === '') {
    throw Object.assign(new Error('Unauthorized'), { statusCode: 401 });
  }
  return credential;
}
`;
}

function printSecurityHandler([name, scheme]: [string, SecurityScheme]): string {
  return `
  /** ${escapeComment(describe(scheme))} */
  ${printPropertyName(name)}(request) {
    return present(${printCredential(scheme)});
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
