import { trySuite } from '../../conformance/selftest/try-suite.ts';
import type { Tool } from './trial.ts';

/** This repository's own suite, unpaced. Not being able to run is no verdict. */
export function suiteTool(): Tool {
  return async (service, timeoutMs) => {
    const begun = performance.now();
    const report = await trySuite(service, { timeoutMs }).catch(() => undefined);
    const milliseconds = performance.now() - begun;
    return { caught: report?.conforms === false, milliseconds, requests: service.requests() };
  };
}
