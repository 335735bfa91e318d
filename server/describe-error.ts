import { UserError } from '@branchline/command-line';
import { pino, type SerializedError } from 'pino';
import { isUnavailable } from './storage/transient-errors.ts';

/**
 * How an error stands in the log: with its stack, unless it is the database or the system that failed, or a sentence for the operator,
 * where a stack says nothing.
 */
export function describeError(error: Error): Partial<SerializedError> {
  const isOutside = isUnavailable(error) || error instanceof UserError || 'syscall' in error;
  if (!isOutside) return pino.stdSerializers.err(error);
  const { name: type, message } = error;
  return 'code' in error ? { type, message, code: error.code } : { type, message };
}
