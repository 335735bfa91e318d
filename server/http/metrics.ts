import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { BatchReceipt } from '../inspector/ingest/ingest.ts';
import { arrivingInput } from './arriving-input.ts';
import { findOperation } from './operation.ts';
import { onReplyEnd } from './reply-end.ts';

/** The server's metrics, for Prometheus. No label names a tenant, so their number does not grow with use. */
export class Metrics {
  readonly registry = new Registry();

  readonly requestSeconds = new Histogram({
    name: 'branchline_request_seconds',
    help: 'How long requests took, by operation and status; the status is "broken" where the reply was broken off.',
    labelNames: ['operation', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });

  readonly pastRateLimit = new Counter({
    name: 'branchline_requests_past_rate_limit_total',
    help: 'Requests that came faster than their rate limit, by operation and whether they were served or refused.',
    labelNames: ['operation', 'outcome'] as const,
    registers: [this.registry],
  });

  readonly ingestedEvents = new Counter({
    name: 'branchline_ingested_events_total',
    help: 'Events of answered batches, by outcome.',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });

  readonly pastBudget = new Counter({
    name: 'branchline_ingest_past_budget_total',
    help: 'Events that were refused because they bring something new and a budget is used up, by what it measures.',
    labelNames: ['measure'] as const,
    registers: [this.registry],
  });

  readonly lostEvents = new Counter({
    name: 'branchline_ingest_lost_events_total',
    help: 'Accepted events that are not counted, since the database has lost what they count.',
    registers: [this.registry],
  });

  readonly logLinesDropped = new Counter({
    name: 'branchline_log_lines_dropped_total',
    help: 'Log lines that were dropped because the log could not be written.',
    registers: [this.registry],
  });

  readonly crowdedOut = new Counter({
    name: 'branchline_connections_crowded_out_total',
    help: 'Connections that were closed because all were taken: new ones that were refused, and others that gave way to new ones.',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });

  readonly inputGaveWay = new Counter({
    name: 'branchline_input_gave_way_total',
    help: 'Connections that were closed because too much had arrived of bodies that were not whole.',
    registers: [this.registry],
    collect() {
      this.reset();
      this.inc(arrivingInput.gaveWay);
    },
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry, prefix: 'branchline_' });
  }

  countReceipt({ accepted, duplicates, rejected }: BatchReceipt, unknown: number): void {
    this.ingestedEvents.inc({ outcome: 'accepted' }, accepted);
    this.ingestedEvents.inc({ outcome: 'duplicate' }, duplicates);
    this.ingestedEvents.inc({ outcome: 'rejected' }, rejected.length);
    this.ingestedEvents.inc({ outcome: 'unknown' }, unknown);
  }
}

/** Measures every request. */
export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  onReplyEnd(app, (request, reply, end) => {
    const operation = findOperation(request) ?? request.routeOptions.url ?? 'none';
    const status = end === 'whole' ? String(reply.statusCode) : 'broken';
    metrics.requestSeconds.observe({ operation, status }, reply.elapsedTime / 1_000);
  });
}
