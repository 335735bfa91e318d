import type { PlaceColumns } from './tables.ts';

/** Which places are meant; what is left out may be any. */
export interface PlaceFilter {
  source?: string | undefined;
  environment?: PlaceColumns['environment'] | undefined;
  appVersion?: string | undefined;
}

/** Names the set of places that a filter leaves, within a workspace. */
export function scopeOf({ source, environment, appVersion }: PlaceFilter): string {
  return JSON.stringify([source ?? null, environment ?? null, appVersion ?? null]);
}

/** Every scope that a place is in: one for each combination of filters that lets it pass. */
export function scopesWith(place: PlaceColumns): string[] {
  const any = [undefined];
  return [...any, place.source].flatMap((source) =>
    [...any, place.environment].flatMap((environment) =>
      [...any, place.app_version].map((appVersion) => scopeOf({ source, environment, appVersion })),
    ),
  );
}
