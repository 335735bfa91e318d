import { slotTable } from '../../server/inspector/ingest/message-slots.ts';

/** The one workspace, and the one app in it, that everything is measured in. */
export const WORKSPACE = 'bench';
export const SOURCE = 'bench-app';

/** When the events of the loads were observed. */
export const OBSERVED_AT = '2026-01-02T03:04:05.678Z';

/** The table that remembers their messages. */
export const MESSAGE_TABLE = slotTable(OBSERVED_AT);

/** The number of the only source. */
export const SOURCE_NUMBER = 1;
