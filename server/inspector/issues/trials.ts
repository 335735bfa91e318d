import { type RawBuilder, sql, type SqlBool } from 'kysely';

/** How an app version begins that is a trial, sent by hand to try things out; semver sorts it before all releases. */
const TRIAL = '0.0.0-';

export function isTrial(appVersion: string): boolean {
  return appVersion.startsWith(TRIAL);
}

/** Whether a row is of a release, not of a trial. */
export const isOfRelease: RawBuilder<SqlBool> = sql`app_version not like ${`${TRIAL}%`}`;
