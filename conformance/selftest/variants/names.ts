import { type Reply, correct, listBranches } from '../service/behaviour.ts';
import { suggestion } from '../service/names.ts';
import type { Status } from '../service/world.ts';
import type { Difference } from '../fault.ts';

const unlike = (seed: number): string => `branch-${Math.floor(seed * 1_000_000_000).toString(36)}`;

/** Takes the names of branches in these statuses for held. */
const holds = (held: readonly Status[], name: string, does: string): Difference => ({
  name,
  does,
  change: () => ({
    rivals: (asked, call) =>
      listBranches(call).filter((branch) => branch.name === asked && held.includes(branch.status)),
  }),
});

/** What the documents leave open about names. */
export const names: readonly Difference[] = [
  holds(
    ['Draft', 'Approved', 'ReadyForReview', 'Merged', 'Closed'],
    'ended-names-held',
    'takes names of closed and merged branches for held',
  ),
  holds(
    ['Draft', 'Approved', 'ReadyForReview', 'Merged'],
    'merged-names-held',
    'takes names of merged branches for held',
  ),
  holds(
    ['Draft', 'Approved', 'ReadyForReview', 'Closed'],
    'closed-names-held',
    'takes names of closed branches for held',
  ),
  holds(['Draft', 'ReadyForReview'], 'approved-names-free', 'takes names of approved branches for free'),
  holds(['Draft', 'Approved'], 'ready-names-free', 'takes names of branches that are ready for review for free'),
  {
    name: 'proposes-taken-names',
    does: 'proposes a name that is taken',
    change: () => ({
      suggest: (_asked, call) => correct.exported(call).find(({ status }) => status === 'Draft')?.name ?? 'x',
    }),
  },
  {
    name: 'strict-kebab-case',
    does: 'refuses hyphens at the edges and double ones',
    change: () => ({ isValidName: (asked) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(asked) }),
  },
  ...[24, 40].map((most) => ({
    name: `names-of-${most}`,
    does: `refuses names of more than ${most} characters`,
    change: () => ({
      isValidName: (asked: string) => correct.isValidName(asked) && asked.length <= most,
      suggest: (asked: string) => suggestion(asked.slice(0, most - 4), () => false),
    }),
  })),
  {
    name: 'proposes-anything',
    does: 'proposes a name unlike the one that was asked',
    change: () => ({ suggest: () => unlike(Math.random()) }),
  },
  {
    name: 'proposes-edge-hyphens',
    does: 'proposes names that end with a hyphen',
    change: () => ({ suggest: () => `${unlike(Math.random())}-` }),
  },
  {
    name: 'proposes-one-name',
    does: 'proposes the same name to everybody',
    change: () => ({ suggest: () => 'my-branch' }),
  },
  {
    name: 'proposes-one-word',
    does: 'proposes names without hyphens',
    change: () => ({ suggest: () => unlike(Math.random()).replace('-', '') }),
  },
  {
    name: 'proposes-digits',
    does: 'proposes names of digits',
    change: () => ({ suggest: () => String(Math.floor(Math.random() * 1e9)) }),
  },
  {
    name: 'last-key-of-two',
    does: 'refuses a body that has the field twice',
    change: () => ({
      nameIn: (body) => (body.toString().split('"name"').length > 2 ? undefined : correct.nameIn(body)),
    }),
  },
  {
    name: 'strict-body',
    does: 'refuses a body with other fields',
    change: () => ({
      nameIn: (body) => {
        const name = correct.nameIn(body);
        return name !== undefined && Object.keys(JSON.parse(body.toString())).length === 1 ? name : undefined;
      },
    }),
  },
  {
    name: 'proposes-long-names',
    does: 'proposes names of more than a hundred characters',
    change: () => ({ suggest: () => `${'long-'.repeat(20)}${unlike(Math.random())}` }),
  },
  {
    name: 'strict-media-type',
    does: 'answers 415 to any other media type than application/json, as it is written',
    change: () => ({
      limit: ({ operation, headers }) =>
        operation === 'create' && headers['content-type'] !== 'application/json' ? refused(415) : undefined,
    }),
  },
  {
    name: 'small-bodies',
    does: 'answers 413 to bodies of more than 512 bytes',
    change: () => ({ limit: ({ body }) => (body.length > 512 ? refused(413) : undefined) }),
  },
];

function refused(status: number): Reply {
  return { kind: 'limited', status, headers: { 'content-type': 'text/plain' }, body: 'No' };
}
