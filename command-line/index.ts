export { runProgram } from './run-program.ts';
export { UserError } from './user-error.ts';
