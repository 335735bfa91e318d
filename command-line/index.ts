export { MOST_BYTES, readBytes, readFileBytes } from './bounded-bytes.ts';
export { escapeForTerminal } from './escape-for-terminal.ts';
export { describeOtherKind } from './file-kind.ts';
export { makeFolder } from './make-folder.ts';
export { printWarnings } from './print-warnings.ts';
export { runProgram } from './run-program.ts';
export { readSmallFile, readSmallFileIfThere, readSmallFileSync, type SmallFile } from './small-file.ts';
export { UserError } from './user-error.ts';
export { isWebAddress } from './web-address.ts';
