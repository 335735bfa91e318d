import type { ServiceCase } from '../case.ts';
import { authentication } from './authentication.ts';
import { clients } from './clients.ts';
import { conflicts } from './conflicts.ts';
import { creation } from './creation.ts';
import { exporting } from './export.ts';
import { foundBranches } from './found-branches.ts';
import { invalidNames } from './invalid-names.ts';
import { limits } from './limits.ts';
import { malformedBodies } from './malformed-bodies.ts';
import { openCells } from './open-cells.ts';
import { openPoints } from './open-points.ts';
import { profileBranches } from './profile-branches.ts';
import { profileExport } from './profile-export.ts';
import { profileInspector } from './profile-inspector.ts';
import { profileRequests } from './profile-requests.ts';
import { sequences } from './sequences.ts';
import { statuses } from './statuses.ts';
import { workspaces } from './workspaces.ts';

/** Every hand-written case, one capability a file. */
export const scenarios: readonly ServiceCase[] = [
  ...creation,
  ...invalidNames,
  ...malformedBodies,
  ...conflicts,
  ...authentication,
  ...exporting,
  ...clients,
  ...sequences,
  ...statuses,
  ...foundBranches,
  ...workspaces,
  ...limits,
  ...openPoints,
  ...openCells,
  ...profileRequests,
  ...profileBranches,
  ...profileExport,
  ...profileInspector,
];
