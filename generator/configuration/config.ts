import type { Choices, Target } from '../target.ts';

/** Which operations of a contract are meant. In texts `*` is any text. */
export interface Selection {
  /** Tags, of which an operation has one. */
  tags?: readonly string[];
  /** What `operationId` says. */
  operations?: readonly string[];
  /** Paths as the contract writes them, such as `/pets/*`. */
  paths?: readonly string[];
}

/** The operations that code is generated for. What only others use is left out with them. */
export interface Filter {
  /** Operations that fit each of the fields that are given. Left out: all. */
  include?: Selection | undefined;
  /** Operations that fit any of the fields that are given. */
  exclude?: Selection | undefined;
}

/** What is generated of one contract, to where. */
export interface ContractConfig extends Choices, Filter {
  /** The contract, relative to the configuration. Defaults to `openapi.yaml`. */
  spec?: string;
  /** The folder that the targets' paths are relative to. Defaults to the folder of the contract. */
  out?: string;
  /** Names of targets, and targets of others. Defaults to those that are made of such a contract by default. */
  targets?: readonly (string | Target)[];
  /** Refuses also what is wrong in the contract and hurts nobody. Defaults to false. */
  strict?: boolean;
}

/** What `branchline generate` does in a folder: `branchline.config.ts`. */
export interface Config {
  contracts: readonly ContractConfig[];
}

/** Gives a configuration back as it is, typed. */
export function defineConfig(config: Config): Config {
  return config;
}
