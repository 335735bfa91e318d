import type { Contract } from '@branchline/contract';
import { generatedHeader } from './target.ts';

/** The contract as data: OpenAPI 3.1, in the order of the spec; the first field says where it comes from. */
export function printContract(contract: Contract): string {
  const data = { 'x-branchline-generated': generatedHeader(contract), ...contract.document };
  return `${JSON.stringify(data, null, 2)}\n`;
}
