export { escapeForTerminal } from './escape-for-terminal.ts';
export { runProgram } from './run-program.ts';
export { UserError } from './user-error.ts';
