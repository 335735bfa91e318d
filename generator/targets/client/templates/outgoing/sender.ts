import { type CallRequest, type ClientOptions, createCaller } from '../call.ts';
import type { OperationPlan, SchemePlan } from '../plan.ts';
import { pathText } from '../styles.ts';
import { deliver, type DeliveryOptions } from './delivery.ts';
import { SendError } from './send-error.ts';

export interface SenderOptions<Auth> extends DeliveryOptions {
  /** By the name of the security scheme. Of a hook's alternatives the first is used whose schemes are all given. */
  auth?: Auth;
}

export interface SendOptions {
  /** Sent besides those of the hook; they win. */
  headers?: Readonly<Record<string, string>>;
  /** Ends the request. */
  signal?: AbortSignal;
}

export type Send = <Answer>(
  plan: OperationPlan,
  url: string,
  request?: CallRequest,
  options?: SendOptions,
) => Promise<Answer>;

/** Prepares the sending of webhooks and callbacks. */
export function createSender<Auth extends object>(
  schemes: Readonly<Record<string, SchemePlan>>,
  { auth, ...delivery }: SenderOptions<Auth>,
): Send {
  return async (plan, url, request, options) => {
    const target = readTarget(writePath(plan, url, request));
    const call = createCaller(schemes, {
      baseUrl: '',
      ...(auth !== undefined && { auth }),
      fetch: (query, init) => deliver(appendQuery(target, query), init, delivery),
    } satisfies ClientOptions<Auth>);
    const parameters = plan.parameters.filter(({ in: place }) => place !== 'path');
    // Without a path, what a call appends to its base is the query alone.
    return call({ ...plan, path: '', parameters }, request, options);
  };
}

/** Path parameters stand where the URL has their names in braces. */
function writePath({ parameters }: OperationPlan, url: string, { params = {} }: CallRequest = {}): string {
  const values: Readonly<Record<string, unknown>> = { ...params };
  return parameters.reduce((written, parameter) => {
    if (parameter.in !== 'path') return written;
    const { name } = parameter;
    if (!written.includes(`{${name}}`)) {
      throw new SendError('refused', `The URL has no {${name}}, where the path parameter "${name}" would stand.`);
    }
    if (values[name] === undefined) throw new TypeError(`The path parameter "${name}" is missing.`);
    return written.replaceAll(`{${name}}`, () => pathText(parameter, values[name]));
  }, url);
}

function readTarget(url: string): URL {
  const target = URL.parse(url);
  if (target === null || !/^https?:$/.test(target.protocol)) {
    throw new SendError('refused', 'The URL must be absolute, and begin with http:// or https://.');
  }
  if (target.username !== '' || target.password !== '') {
    throw new SendError('refused', `The URL of ${target.host} holds a name or a password; leave them out.`);
  }
  return target;
}

function appendQuery(target: URL, query: string): URL {
  const url = new URL(target);
  if (query !== '') url.search = url.search === '' ? query : `${url.search}&${query.slice(1)}`;
  return url;
}
