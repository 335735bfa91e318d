import type { Mistake } from './case.ts';

/** The statuses by which HTTP refuses a request with a mistake, whether a contract documents them or not. */
export const refusals: Readonly<Record<Mistake, readonly number[]>> = {
  body: [400, 422],
  parameter: [400, 422],
  /** A value that no resource can have may also be answered as one that no resource has, to whom it belongs not. */
  path: [400, 401, 403, 404, 422],
  'media-type': [415, 400],
  credentials: [401, 403],
  method: [405],
};
