/** How much a change means to one side: `error` breaks it, `warning` may break it, `info` does not. */
export type Level = 'error' | 'warning' | 'info';

/** Whether a change is about what is sent to a server, or about what it answers. */
export type Direction = 'request' | 'response';

/**
 * What a change does to the values that a contract allows: fewer, more, others, one can't say, what it left open is told of now, or
 * the same.
 */
export type Effect = 'narrows' | 'widens' | 'replaces' | 'unsure' | 'tells' | 'none';

/** What a change means to who calls a service, and to who implements it. */
export interface Levels {
  clients: Level;
  servers: Level;
}

const SAME_FOR_BOTH = {
  replaces: { clients: 'error', servers: 'error' },
  unsure: { clients: 'warning', servers: 'warning' },
  none: { clients: 'info', servers: 'info' },
} as const;

const BREAKS_CLIENTS: Levels = { clients: 'error', servers: 'info' };
const BREAKS_SERVERS: Levels = { clients: 'info', servers: 'error' };

/** Clients send what was allowed, and read what may come now; servers take what is allowed now, and send what was allowed. */
const BY_EFFECT: Readonly<Record<Direction, Readonly<Record<Effect, Levels>>>> = {
  request: {
    narrows: BREAKS_CLIENTS,
    widens: BREAKS_SERVERS,
    tells: { clients: 'info', servers: 'warning' },
    ...SAME_FOR_BOTH,
  },
  response: { narrows: BREAKS_SERVERS, widens: BREAKS_CLIENTS, tells: SAME_FOR_BOTH.none, ...SAME_FOR_BOTH },
};

export function levelsOf(effect: Effect, direction: Direction): Levels {
  return BY_EFFECT[direction][effect];
}

const ORDER: readonly Level[] = ['info', 'warning', 'error'];

/** The worse, the more. */
export function rankOf(level: Level): number {
  return ORDER.indexOf(level);
}

/** Whether a level is another or worse. */
export function reaches(level: Level, least: Level): boolean {
  return rankOf(level) >= rankOf(least);
}

export function worstOf(...levels: readonly Level[]): Level {
  return levels.reduce((worst, level) => (reaches(level, worst) ? level : worst), 'info');
}
