import { loadContract, printProblems, SpecError, explainUnusable } from '@branchline/contract';
import { buildMock, type MockOptions } from './mock-server.ts';

export interface StartOptions extends MockOptions {
  /** Path of the contract; `-` for standard input. */
  spec: string;
  port: number;
  host: string;
  /** A mock that ends once the contract has been read; its port is taken over. */
  standing?: RunningMock | undefined;
  /** Refuses also what is wrong in it and hurts nobody. Defaults to false. */
  strict?: boolean | undefined;
}

/** A mock that listens. */
export interface RunningMock {
  /** `http://127.0.0.1:4010` */
  address: string;
  port: number;
  operations: readonly { id: string; method: string; path: string }[];
  /** What is wrong in the contract and hurts nobody, one a line, as `file:line:column  sentence`. */
  warnings: readonly string[];
  close(): Promise<void>;
}

/** Reads a contract, and serves it. */
export function startMock(options: StartOptions): Promise<RunningMock> {
  return explainUnusable(options.spec, () => start(options));
}

async function start({ spec, port, host, standing, strict, ...options }: StartOptions): Promise<RunningMock> {
  const contract = await loadContract(spec, { strict });
  if (strict === true && contract.warnings.length > 0) throw new SpecError(spec, contract.warnings);
  const app = await buildMock(contract, options);
  await standing?.close();
  const address = await app.listen({ port: standing?.port ?? port, host });
  return {
    address,
    port: Number(new URL(address).port),
    operations: contract.operations.map(({ id, method, path }) => ({ id, method: method.toUpperCase(), path })),
    warnings: printProblems(spec, contract.warnings),
    close: () => app.close(),
  };
}
