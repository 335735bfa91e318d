/** Whether it is an error of PostgreSQL with this code, or of Node. */
export function hasCode(error: unknown, code: string): error is Error {
  return error instanceof Error && 'code' in error && error.code === code;
}
