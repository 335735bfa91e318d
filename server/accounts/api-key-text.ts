/** The parts of an API key's text, `blk_<workspace id>.<key id>.<secret>`. */
export interface ApiKeyParts {
  /** Part of the key so that looking it up stays within one workspace. */
  workspaceId: string;
  keyId: string;
  secret: string;
}

/** A fixed beginning lets scanners of leaked secrets recognise a key. */
const PREFIX = 'blk_';

const FORM = /^blk_([a-z0-9-]{1,63})\.([A-Za-z0-9-]{1,64})\.([\w-]{43})$/;

export function formatApiKey({ workspaceId, keyId, secret }: ApiKeyParts): string {
  return `${PREFIX}${workspaceId}.${keyId}.${secret}`;
}

/** @returns undefined for a text that can't be a key */
export function parseApiKey(text: string | undefined): ApiKeyParts | undefined {
  const [, workspaceId, keyId, secret] = FORM.exec(text ?? '') ?? [];
  if (workspaceId === undefined || keyId === undefined || secret === undefined) return undefined;
  return { workspaceId, keyId, secret };
}
