import { exec } from 'node:child_process';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json } from '@branchline/contract';
import type { Prepare } from '../derived/options.ts';
import type { Prepared } from '../derived/request.ts';

const TIME_LIMIT_S = 60;

/** What the command may write to its standard output. */
interface Answer {
  skip?: string;
  path?: Record<string, string>;
  query?: Record<string, string | string[]>;
  headers?: Record<string, string>;
  body?: Record<string, Json>;
}

const texts = { type: 'object', additionalProperties: { type: 'string' } };

const isAnswer = new Ajv2020({ allowUnionTypes: true }).compile<Answer>({
  type: 'object',
  additionalProperties: false,
  properties: {
    skip: { type: 'string', minLength: 1 },
    path: texts,
    query: { type: 'object', additionalProperties: { type: ['string', 'array'], items: { type: 'string' } } },
    headers: texts,
    body: { type: 'object' },
  },
});

/**
 * Lets a shell command prepare each case. It reads the case from its standard input, as JSON with what it sends as `body`, and writes
 * what is to be sent instead: `path`, `query`, `headers`, and fields of the ordinary `body`; or `skip`, a reason. Nothing changes
 * nothing.
 *
 * @param timeLimit - In seconds; a command that takes longer is ended, and has failed.
 */
export function prepareByCommand(command: string, timeLimit = TIME_LIMIT_S): Prepare {
  return async (contractCase, body) => {
    const { id, operationId, method, path, title, mistake, request } = contractCase;
    const input = JSON.stringify({ id, operationId, method, path, title, mistake, request: { ...request, body } });
    const text = await run(command, id, input, timeLimit);
    if (text.trim() === '') return {};
    return toPrepared(parse(text, id), id);
  };
}

function toPrepared(answer: unknown, id: string): Prepared | { skip: string } {
  if (!isAnswer(answer)) {
    const [problem] = isAnswer.errors ?? [];
    throw new Error(
      `The command before the case ${id} must write "path", "query", "headers", "body" or "skip": ${problem?.instancePath} ${problem?.message}.`,
    );
  }
  const { skip, body, ...prepared } = answer;
  if (skip !== undefined) return { skip };
  if (body === undefined) return prepared;
  return { ...prepared, body: (ordinary) => ({ ...Object(ordinary), ...body }) };
}

function parse(text: string, id: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`The command before the case ${id} wrote no JSON.`);
  }
}

function run(command: string, id: string, input: string, timeLimit: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = exec(command, { timeout: timeLimit * 1_000 }, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      const why =
        error.killed === true
          ? `it took more than ${timeLimit} seconds`
          : stderr.trim().split('\n').at(-1) || error.message;
      reject(new Error(`The command before the case ${id} failed: ${why}`));
    });
    // A command that does not read ends the pipe.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}
