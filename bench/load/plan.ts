import type { BatchForm } from './batch.ts';

/** What the load generator is to do, as JSON on its standard input. */
export interface LoadPlan {
  /** `http://127.0.0.1:3000` */
  origin: string;
  work: Work;
  headers: Record<string, string>;
  /** Kept alive, one request at a time on each. */
  connections: number;
  seconds: number;
}

export type Work =
  | {
      kind: 'create';
      path: string;
      /** How long names are at least. Defaults to what makes them unique. */
      nameLength?: number;
    }
  | ({ kind: 'ingest'; path: string } & BatchForm)
  | { kind: 'read'; path: string };

/** What it has seen, as JSON on its standard output. */
export interface LoadResult {
  requests: number;
  seconds: number;
  /** Latencies in milliseconds. */
  p50: number;
  p99: number;
  /** How often each status other than the expected one came. */
  unexpected: Record<string, number>;
}
