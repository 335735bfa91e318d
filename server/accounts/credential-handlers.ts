import type { Handlers } from '../generated/handlers.ts';
import { isoTime } from '../branches/iso-time.ts';
import type { Clock } from '../clock.ts';
import type { components } from '../generated/types.ts';
import { BAD_CURSOR } from '../http/cursor.ts';
import { readKeysetPage } from '../http/keyset-page.ts';
import type { Preparations } from '../http/reading-places.ts';
import { DAY_MS, toDay } from '../inspector/hours.ts';
import { type AccountTerms, describeBreach } from './account-terms.ts';
import type { Administration } from './administration.ts';
import type { ListedApiKey } from './api-keys.ts';
import { TooManyCredentials } from './credential-limit.ts';
import type { CredentialUse } from './credential-use.ts';
import { type Authenticated, SCOPES } from './principals.ts';
import type { ListedServiceAccount } from './service-accounts.ts';

type Schemas = components['schemas'];

export interface CredentialDependencies {
  administration: Pick<Administration, 'accounts' | 'keys'>;
  accountTerms: AccountTerms;
  clock: Clock;
}

type Operation =
  | 'listServiceAccounts'
  | 'createServiceAccount'
  | 'deleteServiceAccount'
  | 'listApiKeys'
  | 'createApiKey'
  | 'deleteApiKey';

/** Has lists tell of all uses until now. */
export function credentialPreparations(credentialUse: CredentialUse): Preparations {
  const write = (workspaceId: string) => credentialUse.write(workspaceId);
  return { listServiceAccounts: write, listApiKeys: write };
}

/** The operations on the service accounts and API keys of a workspace. */
export function credentialHandlers({
  administration: { accounts, keys },
  accountTerms,
  clock,
}: CredentialDependencies): Pick<Handlers<Authenticated>, Operation> {
  return {
    async listServiceAccounts({ query, principals: { session } }) {
      const { workspaceId } = session;
      const page = await readKeysetPage(
        {
          holder: workspaceId,
          scope: ['service accounts', workspaceId],
          shape: ['number', 'string'],
          read: (after, limit) => accounts.list(workspaceId, after, limit),
          placeOf: ({ createdAt, accountId }) => [createdAt, accountId],
        },
        query,
      );
      if (page === undefined) return badCursor;
      return { status: 200, body: { serviceAccounts: page.entries.map(accountView), nextCursor: page.nextCursor } };
    },

    createServiceAccount: ({ body, principals }) =>
      unlessTooMany(async () => {
        const { session: by } = principals;
        const wanted = {
          workspaceId: by.workspaceId,
          label: body.name,
          email: body.email,
          scopes: body.scopes ?? SCOPES,
          ratePerSecond: body.requestsPerSecond ?? null,
          rateEnforcement: body.enforcement ?? null,
        };
        const breach = describeBreach(wanted, accountTerms);
        if (breach !== undefined) return { status: 400 as const, body: { error: breach } };
        const { account, secret } = await accounts.create(wanted, by);
        return { status: 201, body: { serviceAccount: accountView(account), secret } };
      }),

    async deleteServiceAccount({ params: { accountId }, principals }) {
      const { session: by } = principals;
      const wasThere = await accounts.delete(by.workspaceId, accountId, by);
      return wasThere ? { status: 204 } : notFound(`No service account of this workspace has the id ${accountId}.`);
    },

    async listApiKeys({ query, principals: { session } }) {
      const { workspaceId } = session;
      const page = await readKeysetPage(
        {
          holder: workspaceId,
          scope: ['API keys', workspaceId],
          shape: ['number', 'string'],
          read: (after, limit) => keys.list(workspaceId, after, limit),
          placeOf: ({ createdAt, keyId }) => [createdAt, keyId],
        },
        query,
      );
      if (page === undefined) return badCursor;
      return {
        status: 200,
        body: { apiKeys: page.entries.map((key) => keyView(key, clock())), nextCursor: page.nextCursor },
      };
    },

    createApiKey: ({ body: { source, samplingRate = 1 }, principals }) =>
      unlessTooMany(async () => {
        const { session: by } = principals;
        const { key, text } = await keys.create({ workspaceId: by.workspaceId, source, samplingRate }, by);
        return { status: 201, body: { apiKey: keyView(key, clock()), text } };
      }),

    async deleteApiKey({ params: { keyId }, principals }) {
      const { session: by } = principals;
      const wasThere = await keys.delete(by.workspaceId, keyId, by);
      return wasThere ? { status: 204 } : notFound(`No API key of this workspace has the id ${keyId}.`);
    },
  };
}

const badCursor = { status: 400 as const, body: { error: BAD_CURSOR } };

function notFound(error: string) {
  return { status: 404 as const, body: { error } };
}

async function unlessTooMany<Reply>(create: () => Promise<Reply>) {
  try {
    return await create();
  } catch (error) {
    if (error instanceof TooManyCredentials) return { status: 409 as const, body: { error: error.message } };
    throw error;
  }
}

function accountView(account: ListedServiceAccount): Schemas['ServiceAccount'] {
  return {
    accountId: account.accountId,
    name: account.name,
    email: account.email,
    scopes: [...account.scopes],
    requestsPerSecond: account.ratePerSecond,
    enforcement: account.rateEnforcement,
    createdDate: isoTime(account.createdAt),
    lastUsedDate: isoTime(account.lastUsedAt),
  };
}

/** @param now milliseconds since 1970; decides the day of the counted batches and which libraries are outdated */
function keyView({ keyId, source, samplingRate, createdAt, use }: ListedApiKey, now: number): Schemas['ApiKey'] {
  const libraries = use?.libraries.filter(({ lastUsedAt }) => lastUsedAt > now - LIBRARY_IN_USE_MS) ?? [];
  return {
    keyId,
    source,
    samplingRate,
    createdDate: isoTime(createdAt),
    lastUsedDate: use === undefined ? null : isoTime(use.lastUsedAt),
    batchesToday: use?.day === toDay(now) ? use.batches : 0,
    libraries: libraries.map(({ lastUsedAt, ...library }) => ({ ...library, lastUsedDate: isoTime(lastUsedAt) })),
  };
}

/** A library version unused for this long is no longer in use. */
const LIBRARY_IN_USE_MS = 30 * DAY_MS;
