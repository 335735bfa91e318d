import { type ComponentChild, Fragment } from 'preact';
import { TypesSeen } from '../inspector/types-seen.tsx';
import { numberText } from '../parts/numbers.ts';
import { ObservedText } from '../parts/observed-text.tsx';
import { Time } from '../parts/time.tsx';
import type { Issue } from './kinds.ts';

/** A sentence that describes the issue, and who resolved or ignored it. */
export function IssueText({ issue }: { issue: Issue }) {
  const { kind, types } = issue;
  return (
    <div>
      <p>{SENTENCES[kind](issue)}</p>
      {kind === 'typeConflict' && (
        <details>
          <summary>Where each type was seen</summary>
          <TypesSeen
            types={types.map(({ type, shapes, seenIn }) => ({ type, frequency: shapesText(shapes), seenIn }))}
            isOfOneVersion={false}
          />
        </details>
      )}
      <StateChange issue={issue} />
    </div>
  );
}

const SENTENCES: Readonly<Record<Issue['kind'], (issue: Issue) => ComponentChild>> = {
  typeConflict: ({ comparedWith, types }) => (
    <>
      Also comes as{' '}
      {types
        .filter(({ type }) => type !== comparedWith)
        .slice(0, 3)
        .map(({ type }, index) => (
          <Fragment key={type}>
            {index > 0 && ', '}
            <code class="type">{type}</code>
          </Fragment>
        ))}
      ; it was <code class="type">{comparedWith}</code> first.
    </>
  ),
  nameVariant: ({ comparedWith }) => (
    <>
      Differs from <Name of={comparedWith} /> by case or separators only.
    </>
  ),
  newInVersion: ({ appVersion }) => (
    <>
      New in <Name of={appVersion} />: no app had sent it before.
    </>
  ),
  goneInVersion: ({ appVersion, comparedWith }) => (
    <>
      Gone in <Name of={appVersion} />; <Name of={comparedWith} /> sent it.
    </>
  ),
  missingOnSource: ({ comparedWith, source }) => (
    <>
      <Name of={comparedWith} /> sends it, <Name of={source} /> does not.
    </>
  ),
  overLimit: ({ comparedWith }) => (
    <>Events were rejected: there is no room for more {LIMITS[comparedWith ?? ''] ?? comparedWith}.</>
  ),
};

const LIMITS: Readonly<Record<string, string>> = {
  versionShapes: 'shapes in this app version',
  appVersions: 'app versions',
  eventNames: 'event names',
  shapes: 'event shapes',
  properties: 'property types',
  bytes: 'bytes of schemas',
};

function Name({ of }: { of: string | null }) {
  return <ObservedText text={of ?? ''} />;
}

const CHANGES: Readonly<Record<Issue['state'], string>> = {
  open: 'Opened again',
  resolved: 'Resolved',
  ignored: 'Ignored',
};

/** Who or what last changed the issue's state: a person or an app version. */
function StateChange({ issue: { state, stateChangedAt, stateChangedBy } }: { issue: Issue }) {
  if (stateChangedAt === null) return null;
  return (
    <p class="quiet">
      {CHANGES[state]} {stateChangedBy === null ? 'automatically' : `by ${stateChangedBy}`},{' '}
      <Time of={stateChangedAt} />
    </p>
  );
}

function shapesText(shapes: number): string {
  return shapes === 1 ? 'in 1 shape' : `in ${numberText(shapes)} shapes`;
}
