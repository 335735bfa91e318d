import type { Fault } from '../fault.ts';
import { authentication } from './authentication.ts';
import { clients } from './clients.ts';
import { conflicts } from './conflicts.ts';
import { creation } from './creation.ts';
import { dates } from './dates.ts';
import { elsewhere } from './elsewhere.ts';
import { equality } from './equality.ts';
import { exportFormat } from './export-format.ts';
import { exportRows } from './export-rows.ts';
import { mutations } from './mutations.ts';
import { names } from './names.ts';
import { paths } from './paths.ts';
import { sequences } from './sequences.ts';
import { suggestions } from './suggestions.ts';
import { transport } from './transport.ts';

/** Services that do not conform, each by one fault, by what the fault is about. */
export const faultsAbout: Readonly<Record<string, readonly Fault[]>> = {
  'Paths and methods': paths,
  'Answer to a creation': creation,
  'Names and bodies': names,
  'Names taken for others': equality,
  Proposals: suggestions,
  Conflicts: conflicts,
  Authentication: authentication,
  'Credentials in other places': elsewhere,
  'Rows of the export': exportRows,
  'Dates of the export': dates,
  'What clients may do in HTTP': clients,
  'Requests in a certain order': sequences,
  'Format of the export': exportFormat,
  Connection: transport,
  'Fields, sentences, statuses and columns, each changed': mutations,
};

export const faults: readonly Fault[] = Object.values(faultsAbout).flat();
