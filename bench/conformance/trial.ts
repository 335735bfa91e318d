import type { Service } from '../../conformance/selftest/service/listen.ts';

/** What a tool found about one service. */
export interface Trial {
  /** Whether it says that the service is not as documented. */
  caught: boolean;
  milliseconds: number;
  requests: number;
}

/** Tries one service; it is a fresh one each time. An exchange may last so long. */
export type Tool = (service: Service, timeoutMs: number) => Promise<Trial>;
