/** Whether it is an error with this code, of Node or PostgreSQL. */
export function hasCode(error: unknown, code: string): error is Error {
  return error instanceof Error && 'code' in error && error.code === code;
}
