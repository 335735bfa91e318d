import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A statement as PostgreSQL has logged it when it ran it. */
export interface LoggedStatement {
  sql: string;
  database: string;
  /** The connection of PostgreSQL that ran it, and its transaction there. */
  session: string;
  transaction: string;
  /** Values of `$1`, `$2` …; undefined where there are none. */
  parameters: readonly (string | null)[] | undefined;
}

interface LogLine {
  dbname?: string;
  application_name?: string;
  message: string;
  detail?: string;
  session_id?: string;
  vxid?: string;
}

/** An id of a workspace is never longer. */
const LOGGED_BYTES_OF_A_VALUE = 64;

/** Settings with which a server of PostgreSQL logs every statement into a file of the folder. */
export function logStatements(folder: string, name: string): Record<string, string> {
  return {
    logging_collector: 'on',
    log_destination: 'jsonlog',
    log_directory: folder,
    log_filename: `${name}.log`,
    log_file_mode: '0644',
    log_rotation_age: '0',
    log_rotation_size: '0',
    log_statement: 'all',
    log_parameter_max_length: String(LOGGED_BYTES_OF_A_VALUE),
  };
}

/** All that Branchline has sent to the servers that log into the folder, however its process was started. */
export async function* readStatements(folder: string): AsyncGenerator<LoggedStatement> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  for (const file of files) {
    for await (const line of createInterface(createReadStream(join(folder, file)))) {
      // Most of what else there is need not be taken apart.
      if (line.includes('"application_name":"branchline"')) yield* toStatements(JSON.parse(line));
    }
  }
}

function* toStatements(line: LogLine): Iterable<LoggedStatement> {
  const { application_name, dbname = '', message, detail, session_id: session = '', vxid: transaction = '' } = line;
  const sql = /^(?:statement|execute [^:]+): (.*)$/s.exec(message)?.[1];
  if (application_name !== 'branchline' || sql === undefined) return;
  const parameters = detail === undefined ? undefined : parseParameters(detail);
  yield { sql, database: dbname, session, transaction, parameters };
}

/** Of `Parameters: $1 = 'it''s', $2 = NULL`. */
function parseParameters(detail: string): (string | null)[] {
  return Array.from(detail.matchAll(/\$\d+ = (?:'((?:[^']|'')*)'|NULL)/g), ([, value]) =>
    value === undefined ? null : value.replaceAll("''", "'"),
  );
}
