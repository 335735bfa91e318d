import type { Measure } from './measure.ts';
import { android } from './measures/android.ts';
import { androidFaults } from './measures/android-faults.ts';
import { authentication } from './measures/authentication.ts';
import { conformance } from './measures/conformance.ts';
import { consolePages } from './measures/console.ts';
import { contractTests } from './measures/contract-test.ts';
import { corpus } from './measures/corpus.ts';
import { create } from './measures/create.ts';
import { exportRows } from './measures/export.ts';
import { generation } from './measures/generate.ts';
import { growth } from './measures/growth.ts';
import { ingest } from './measures/ingest.ts';
import { ingestCost } from './measures/ingest-cost.ts';
import { ingestServers } from './measures/ingest-servers.ts';
import { isolation } from './measures/isolation.ts';
import { profiles } from './measures/profiles.ts';
import { reads } from './measures/reads.ts';
import { startUp } from './measures/start-up.ts';

/** In the order of the report. */
export const measures: readonly Measure[] = [
  create,
  ingest,
  ingestCost,
  ingestServers,
  exportRows,
  reads,
  growth,
  isolation,
  startUp,
  profiles,
  authentication,
  consolePages,
  android,
  androidFaults,
  conformance,
  generation,
  contractTests,
  corpus,
];
