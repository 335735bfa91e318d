import type { SecurityRequirement, SecurityScheme } from '../openapi.ts';
import { isObject, pointerTo } from '../pointers.ts';
import { type Change, come, type Diff, gone, type OperationPair } from './change.ts';
import type { OperationRule } from './rules.ts';
import { isSame, print } from './schema/change.ts';

/** Changes of what an operation asks of its callers: any one of its requirements lets them in. */
export function compareRequirements(pair: OperationPair): Change[] {
  const [before, after] = [pair.old.security, pair.new.security];
  const [wasOpen, isOpen] = [isAnonymous(before), isAnonymous(after)];
  const here = placeOf(pair.new);
  const changes: Change[] = [];
  if (wasOpen && !isOpen) {
    changes.push(come('api-security-anonymous-access-removed', here, 'callers must say now who they are'));
  }
  if (!wasOpen && isOpen) {
    changes.push(come('api-security-anonymous-access-added', here, 'callers need not say any more who they are'));
  }
  for (const requirement of before.filter(isNamed)) {
    const other = after.find((one) => nameSchemes(one) === nameSchemes(requirement));
    if (other !== undefined) changes.push(...compareScopes(requirement, other, here));
    // Who may come without any has lost nothing.
    else if (!isOpen) {
      const sentence = `${nameSchemes(requirement)} does not let callers in any more`;
      changes.push(gone('api-security-removed', placeOf(pair.old), sentence));
    }
  }
  for (const requirement of after.filter(isNamed)) {
    if (before.some((one) => nameSchemes(one) === nameSchemes(requirement))) continue;
    changes.push(come('api-security-added', here, `${nameSchemes(requirement)} lets callers in now`));
  }
  return changes;
}

function placeOf({ definition, pointer }: OperationPair['new']): string {
  return definition.security === undefined ? '/security' : pointerTo(pointer, 'security');
}

function isAnonymous(requirements: readonly SecurityRequirement[]): boolean {
  return requirements.length === 0 || !requirements.every(isNamed);
}

function isNamed(requirement: SecurityRequirement): boolean {
  return Object.keys(requirement).length > 0;
}

function nameSchemes(requirement: SecurityRequirement): string {
  return Object.keys(requirement).toSorted().join(' with ');
}

function compareScopes(old: SecurityRequirement, after: SecurityRequirement, pointer: string): Change[] {
  return Object.keys(after).flatMap((scheme) => {
    const [before, now] = [old[scheme] ?? [], after[scheme] ?? []];
    return [
      ...now
        .filter((scope) => !before.includes(scope))
        .map((scope) => come('api-security-scope-added', pointer, `${scheme} must have the scope "${scope}" now`)),
      ...before
        .filter((scope) => !now.includes(scope))
        .map((scope) => come('api-security-scope-removed', pointer, `${scheme} needs the scope "${scope}" no more`)),
    ];
  });
}

const FIELDS: readonly { field: string; rule: OperationRule; what: string }[] = [
  { field: 'in', rule: 'api-security-component-api-key-in-changed', what: 'the place of the key' },
  { field: 'name', rule: 'api-security-component-api-key-name-changed', what: 'the name of the key' },
  { field: 'scheme', rule: 'api-security-component-http-scheme-changed', what: 'the scheme' },
  { field: 'bearerFormat', rule: 'api-security-component-bearer-format-changed', what: 'the format of the token' },
  {
    field: 'openIdConnectUrl',
    rule: 'api-security-component-openid-connect-url-changed',
    what: 'the URL of OpenID Connect',
  },
];

const FLOW_FIELDS: readonly { field: string; rule: OperationRule; what: string }[] = [
  { field: 'authorizationUrl', rule: 'api-security-component-oauth-url-changed', what: 'the authorization URL' },
  { field: 'tokenUrl', rule: 'api-security-component-oauth-token-url-changed', what: 'the token URL' },
  { field: 'refreshUrl', rule: 'api-security-component-oauth-refresh-url-changed', what: 'the refresh URL' },
];

/** Changes of the security schemes themselves. */
export function compareSecuritySchemes({ old, new: after }: Diff): Change[] {
  return [...new Set([...old.securitySchemes.keys(), ...after.securitySchemes.keys()])].flatMap((name) => {
    const [before, now] = [old.securitySchemes.get(name), after.securitySchemes.get(name)];
    const pointer = pointerTo('/components/securitySchemes', name);
    if (now === undefined) {
      return [gone('api-security-component-removed', pointer, `the security scheme "${name}" was removed`)];
    }
    if (before === undefined) {
      return [come('api-security-component-added', pointer, `the security scheme "${name}" is new`)];
    }
    return compareScheme(before, now, pointer);
  });
}

function compareScheme(old: SecurityScheme, after: SecurityScheme, pointer: string): Change[] {
  if (old.type !== after.type) {
    const sentence = `the type was ${old.type} and is ${after.type}`;
    return [come('api-security-component-type-changed', pointerTo(pointer, 'type'), sentence)];
  }
  const flows = readMap(after['flows']);
  return [
    ...FIELDS.flatMap((field) => compareField(old, after, field, pointer)),
    ...Object.entries(readMap(old['flows'])).flatMap(([flow, before]) => {
      const at = pointerTo(pointer, 'flows', flow);
      return compareFlow(readMap(before), readMap(flows[flow]), at);
    }),
  ];
}

function compareFlow(
  old: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  pointer: string,
): Change[] {
  const [before, now] = [readMap(old['scopes']), readMap(after['scopes'])];
  const at = (scope: string): string => pointerTo(pointer, 'scopes', scope);
  return [
    ...FLOW_FIELDS.flatMap((field) => compareField(old, after, field, pointer)),
    ...Object.keys({ ...before, ...now }).flatMap((scope) => {
      if (!Object.hasOwn(now, scope)) {
        return [gone('api-security-component-oauth-scope-removed', at(scope), `the scope "${scope}" was removed`)];
      }
      if (!Object.hasOwn(before, scope)) {
        return [come('api-security-component-oauth-scope-added', at(scope), `the scope "${scope}" is new`)];
      }
      if (isSame(before[scope], now[scope])) return [];
      return [come('api-security-component-oauth-scope-changed', at(scope), `the scope "${scope}" is described anew`)];
    }),
  ];
}

function compareField(
  old: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  { field, rule, what }: (typeof FIELDS)[number],
  pointer: string,
): Change[] {
  const [before, now] = [old[field], after[field]].map((value) =>
    field === 'scheme' ? String(value).toLowerCase() : value,
  );
  if (isSame(before, now)) return [];
  return [come(rule, pointerTo(pointer, field), `${what} was ${print(before)} and is ${print(now)}`)];
}

function readMap(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
