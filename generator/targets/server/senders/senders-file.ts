import type { Contract, Hook } from '@branchline/contract';
import { escapeComment } from '../../../comments.ts';
import { importModels, type Models } from '../../../typescript/models.ts';
import {
  printCallTypes,
  printJson,
  printMethod,
  printPlans,
  printTypeImports,
  selectUsed,
} from '../../client/caller-parts.ts';
import type { CallbackPlan } from '../../client/templates/outgoing/callback-url.ts';

/** What the senders need of the contract: its hooks are the operations. */
export interface HookContract extends Contract {
  operations: readonly Hook[];
}

/**
 * A function for each webhook and callback, with its types, and one for the URL of each callback.
 *
 * @param models - Learn which names of theirs the file uses.
 */
export function printSenders(contract: HookContract, models: Models, callbacks: readonly CallbackPlan[]): string {
  const { operations } = contract;
  const parts = [
    ...printCallTypes(contract, models),
    printInterface(operations),
    printCreation(operations),
    ...printCallbackUrls(callbacks),
    ...printPlans(contract),
  ];
  const text = selectUsed(parts).join('\n\n');
  const imports = [
    ...(callbacks.length > 0 ? ["import { resolveCallbackUrl } from './senders/outgoing/callback-url.ts';"] : []),
    "import { createSender } from './senders/outgoing/sender.ts';",
    ...printTypeImports(text, IMPORTS),
    ...importModels(text, './senders/'),
  ];
  return `${imports.join('\n')}\n\n${EXPORTS}\n\n${text}\n`;
}

const EXPORTS = `export { AnswerError, type Content } from './senders/answers.ts';
export type { BasicSecret, Bytes, Secret } from './senders/call.ts';
export type { EventStream, ServerSentEvent } from './senders/events.ts';
export type { Items } from './senders/items.ts';
export { CallbackUrlError, type Exchange } from './senders/outgoing/callback-url.ts';
export type { Destination, OutgoingMessage } from './senders/outgoing/delivery.ts';
export { SendError, type SendErrorKind } from './senders/outgoing/send-error.ts';
export type { SenderOptions, SendOptions } from './senders/outgoing/sender.ts';`;

const IMPORTS = [
  ['senders/answers', ['Content']],
  ['senders/events', ['EventStream']],
  ['senders/items', ['Items']],
  ['senders/call', ['BasicSecret', 'Bytes', 'Secret']],
  ['senders/outgoing/callback-url', ['Exchange']],
  ['senders/outgoing/sender', ['SenderOptions', 'SendOptions']],
  ['senders/plan', ['OperationPlan', 'SchemePlan']],
  ['senders/types', ['operations']],
] as const;

function printInterface(hooks: readonly Hook[]): string {
  const methods = hooks.map((hook) => printMethod(hook, 'url: string, ', 'SendOptions'));
  return `/**
 * One function for each webhook and callback. Each resolves with one of the documented answers, errors included, and rejects with an
 * \`AnswerError\` where the answer is none of them, and with a \`SendError\` where there is none.
 */
export interface Senders {\n${methods.join('')}}`;
}

function printCreation(hooks: readonly Hook[]): string {
  const methods = hooks.map(
    ({ id }) => `    ${id}: (url, request, options) => send(plans.${id}, url, request, options),\n`,
  );
  return `/** What sends the webhooks and callbacks of the contract. */
export function createSenders(options: SenderOptions<Auth> = {}): Senders {
  const send = createSender(schemes, options);
  return {\n${methods.join('')}  };
}`;
}

function printCallbackUrls(callbacks: readonly CallbackPlan[]): string[] {
  if (callbacks.length === 0) return [];
  const members = callbacks.map((plan) => {
    const type = plan.parts.some((part) => typeof part !== 'string' && part.of === 'reply')
      ? 'Required<Exchange>'
      : 'Exchange';
    return `  /** ${escapeComment(`\`${printTarget(plan)}\``)} */
  ${plan.id}: (exchange: ${type}): string => resolveCallbackUrl(${indent(printJson(plan))}, exchange),\n`;
  });
  return [
    `/** Where each callback is sent, by the request that asked for it; those with \`reply\` need what it was answered, too. */
export const callbackUrls = {\n${members.join('')}};`,
  ];
}

function printTarget({ parts }: CallbackPlan): string {
  return parts.map((part) => (typeof part === 'string' ? part : `{${part.text}}`)).join('');
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n  ');
}
