import { isEmail } from '../email.ts';
import { ProviderFailure } from './provider-failure.ts';

/** A person as identified by the provider. */
export interface Identity {
  issuer: string;
  /** Permanent and unique at the issuer. */
  subject: string;
  /** undefined if the provider has verified none that an account can have. */
  verifiedEmail: string | undefined;
  /** Whether the provider has verified one that no account can have, for its spelling. */
  hasUnusableEmail: boolean;
}

/** Why an e-mail of the provider admits nobody. */
export type EmailRefusal = 'unverified' | 'unusableEmail';

/** OpenID Connect Core 1.0, 2: at most 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

/**
 * @param claims the claims of an ID token or of the UserInfo endpoint
 * @throws ProviderFailure if the claims identify nobody
 */
export function identityFrom(
  issuer: string,
  claims: { sub: string; email?: unknown; email_verified?: unknown },
): Identity {
  const { sub: subject, email, email_verified: isVerified } = claims;
  if (!SUBJECT.test(subject)) throw new ProviderFailure('its subject is not 1 to 255 ASCII characters');
  const verified = isVerified === true && typeof email === 'string' && email !== '' ? email : undefined;
  const isUsable = verified !== undefined && isEmail(verified) && isComposed(verified);
  return {
    issuer,
    subject,
    verifiedEmail: isUsable ? verified : undefined,
    hasUnusableEmail: verified !== undefined && !isUsable,
  };
}

/** Why somebody without a verified e-mail is not admitted. */
export function refuseEmail({ hasUnusableEmail }: Identity): EmailRefusal {
  return hasUnusableEmail ? 'unusableEmail' : 'unverified';
}

/** Others are compared as what they are composed to: the Kelvin sign would be taken for the K of somebody else. */
function isComposed(email: string): boolean {
  return email === email.normalize('NFC');
}
