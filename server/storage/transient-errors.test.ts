import { DummyDriver, Kysely, sql, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ThreadFailure } from '../threads.ts';
import { DatabaseUnavailable, isOutOfFiles, isUnavailable } from './transient-errors.ts';
import { errorOf } from './testing/error-of.ts';

/** SQLite's "Result and Error Codes": all primary codes that an error can have. */
const SQLITE = {
  unavailable: {
    PERM: 3,
    ABORT: 4,
    BUSY: 5,
    LOCKED: 6,
    NOMEM: 7,
    READONLY: 8,
    INTERRUPT: 9,
    IOERR: 10,
    CORRUPT: 11,
    FULL: 13,
    CANTOPEN: 14,
    PROTOCOL: 15,
    SCHEMA: 17,
    NOLFS: 22,
    NOTADB: 26,
    IOERR_WRITE: 10 | (3 << 8),
    BUSY_SNAPSHOT: 5 | (2 << 8),
    READONLY_DBMOVED: 8 | (4 << 8),
    CORRUPT_INDEX: 11 | (3 << 8),
  },
  fault: {
    ERROR: 1,
    INTERNAL: 2,
    NOTFOUND: 12,
    TOOBIG: 18,
    CONSTRAINT: 19,
    MISMATCH: 20,
    MISUSE: 21,
    AUTH: 23,
    RANGE: 25,
    CONSTRAINT_UNIQUE: 19 | (8 << 8),
  },
};

/** Of PostgreSQL's "Error Codes" each class that a statement of ours can meet, by one or more of its codes. */
const POSTGRES = {
  unavailable: {
    feature_not_supported: '0A000',
    connection_failure: '08006',
    protocol_violation: '08P01',
    read_only_sql_transaction: '25006',
    idle_in_transaction_session_timeout: '25P03',
    transaction_timeout: '25P04',
    in_failed_sql_transaction: '25P02',
    invalid_sql_statement_name: '26000',
    invalid_password: '28P01',
    invalid_cursor_name: '34000',
    invalid_catalog_name: '3D000',
    invalid_schema_name: '3F000',
    serialization_failure: '40001',
    statement_completion_unknown: '40003',
    deadlock_detected: '40P01',
    insufficient_privilege: '42501',
    undefined_table: '42P01',
    disk_full: '53100',
    out_of_memory: '53200',
    too_many_connections: '53300',
    program_limit_exceeded: '54000',
    object_not_in_prerequisite_state: '55000',
    object_in_use: '55006',
    lock_not_available: '55P03',
    query_canceled: '57014',
    admin_shutdown: '57P01',
    cannot_connect_now: '57P03',
    database_dropped: '57P04',
    io_error: '58030',
    undefined_file: '58P01',
    snapshot_too_old: '72000',
    config_file_error: 'F0000',
    raise_exception: 'P0001',
    internal_error: 'XX000',
    data_corrupted: 'XX001',
    index_corrupted: 'XX002',
  },
  fault: {
    cardinality_violation: '21000',
    numeric_value_out_of_range: '22003',
    character_not_in_repertoire: '22021',
    not_null_violation: '23502',
    unique_violation: '23505',
    invalid_cursor_state: '24000',
    syntax_error: '42601',
    undefined_column: '42703',
    duplicate_table: '42P07',
  },
};

const sqliteError = (errcode: number) => Object.assign(new Error('of SQLite'), { code: 'ERR_SQLITE_ERROR', errcode });
const postgresError = (code?: string) => Object.assign(new Error('of PostgreSQL'), { severity: 'ERROR', code });

describe('of SQLite', () => {
  it.each(Object.entries(SQLITE.unavailable))('%s may pass or be mended from outside', (_name, code) =>
    expect(isUnavailable(sqliteError(code))).toBe(true),
  );

  it.each(Object.entries(SQLITE.fault))('%s is a fault of ours', (_name, code) =>
    expect(isUnavailable(sqliteError(code))).toBe(false),
  );
});

describe('of PostgreSQL', () => {
  it.each(Object.entries(POSTGRES.unavailable))('%s may pass or be mended from outside', (_name, code) =>
    expect(isUnavailable(postgresError(code))).toBe(true),
  );

  it('an error without a code may pass or be mended from outside', () =>
    expect(isUnavailable(postgresError())).toBe(true));

  it.each(Object.entries(POSTGRES.fault))('%s is a fault of ours', (_name, code) =>
    expect(isUnavailable(postgresError(code))).toBe(false),
  );
});

describe('of connections', () => {
  const network = (code: string) => Object.assign(new Error(code), { code });
  it.each([
    ['one that could not be made', new DatabaseUnavailable('No connection.')],
    ['a thread that could not be started', new ThreadFailure('No thread.', { cause: network('EAGAIN') })],
    ['one that broke', network('ECONNRESET')],
    ['one that broke, without a code', new Error('Connection terminated unexpectedly')],
    ['a host with several addresses', new AggregateError([network('ECONNREFUSED'), network('EHOSTUNREACH')])],
  ])('%s may pass', (_what, error) => expect(isUnavailable(error)).toBe(true));

  it.each([
    ['of a process', network('EMFILE')],
    ['of a machine', network('ENFILE')],
    [
      'for a thread',
      Object.assign(new Error('Worker initialization failure: EMFILE'), { code: 'ERR_WORKER_INIT_FAILED' }),
    ],
    ['for a thread that is told of', new ThreadFailure('No thread.', { cause: network('EMFILE') })],
  ])('too many open files %s may pass', (_what, error) => {
    expect(isUnavailable(error)).toBe(true);
    expect(isOutOfFiles(error)).toBe(true);
  });

  it('a file that SQLite can not open is no sign of too many, where others can be opened', () =>
    expect(isOutOfFiles(sqliteError(SQLITE.unavailable.CANTOPEN))).toBe(false));

  it.each([new Error('a fault'), network('ENOENT'), new TypeError('a fault'), 'ECONNRESET', undefined])(
    'what has nothing to do with one does not: %s',
    (error) => expect(isUnavailable(error)).toBe(false),
  );
});

it('a database that was closed, as the process ends, can not be asked any more', async () => {
  const db = new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (of) => new SqliteIntrospector(of),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  await sql`select 1`.execute(db);
  await db.destroy();
  const error = await errorOf(sql`select 1`.execute(db));
  expect(isUnavailable(error)).toBe(true);
});
