import type { Contract, DocumentedResponse, Json, Operation, SecurityScheme } from '@branchline/contract';

/** What a response is about. */
interface About {
  contract: Contract;
  operation: Operation | undefined;
  /** Its path, with values for its parameters. */
  path: string;
}

const DATE = 'Thu, 01 Jan 2026 00:00:00 GMT';

/** Values of headers whose name says what they mean. */
const MEANT: Readonly<Record<string, (about: About) => readonly Json[]>> = {
  allow: ({ contract, operation }) => [listMethods(contract, operation).join(', ')],
  'cache-control': () => ['no-store'],
  'content-location': listLocations,
  date: () => [DATE],
  etag: () => ['"1"'],
  expires: () => [DATE],
  'last-modified': () => [DATE],
  link: ({ path }) => [`<${path}>; rel="self"`],
  location: listLocations,
  'retry-after': () => [60, '60', DATE],
  'www-authenticate': (about) => [listChallenges(about).join(', ')],
};

/** What a header of this name may say, as far as the name has a meaning of its own; the likeliest first. */
export function listHeaderValues(contract: Contract, response: DocumentedResponse, name: string): readonly Json[] {
  const operation = contract.operations.find(({ responses }) => responses.includes(response));
  const path = (operation?.path ?? '/').replaceAll(/\{[^{}]*\}/g, '1');
  return MEANT[name.toLowerCase()]?.({ contract, operation, path }) ?? [];
}

function listMethods({ operations }: Contract, operation: Operation | undefined): string[] {
  return operations.filter(({ path }) => path === operation?.path).map(({ method }) => method.toUpperCase());
}

/** What POST makes is below its path. */
function listLocations({ operation, path }: About): Json[] {
  const place = operation?.method === 'post' ? `${path.replace(/\/$/, '')}/1` : path;
  return [place, `http://localhost${place}`];
}

/** How each scheme of the operation asks for credentials; where it has none, those of the contract. */
function listChallenges({ contract: { securitySchemes }, operation }: About): string[] {
  const names = operation?.security.flatMap((requirement) => Object.keys(requirement)) ?? [];
  const schemes = (names.length > 0 ? names : [...securitySchemes.keys()]).flatMap(
    (name) => securitySchemes.get(name) ?? [],
  );
  const challenges = new Set(schemes.flatMap(challengeOf));
  return challenges.size > 0 ? [...challenges] : ['Bearer'];
}

function challengeOf({ type, scheme = '' }: SecurityScheme): string[] {
  if (type === 'apiKey' || type === 'mutualTLS') return [];
  if (type !== 'http' || /^bearer$/i.test(scheme)) return ['Bearer'];
  // What else a contract calls a scheme might not be fit for a header.
  return /^[a-z\d-]+$/i.test(scheme) ? [`${scheme.charAt(0).toUpperCase()}${scheme.slice(1)} realm="api"`] : [];
}
