import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';

/** Why the provider can't be used, for the operator's log: without code, token or secret. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
}

/** Extracts the reason from an error of the OIDC client. The error itself contains tokens and must not be logged. */
export function providerFailure(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  if (error instanceof ClientError && error.cause instanceof ProviderFailure) return error.cause;
  return new ProviderFailure(describeReason(error));
}

function describeReason(error: unknown): string {
  if (error instanceof ResponseBodyError) return describeRefusal(error.status, error.error);
  if (error instanceof WWWAuthenticateChallengeError)
    return describeRefusal(error.status, error.cause[0]?.parameters.error);
  if (error instanceof AuthorizationResponseError)
    return `it sends the browser back with the error ${quoteCode(error.error)}`;
  if (isOfClient(error)) return `${error.message}${detail(error)}`;
  return `it can't be reached${detail(error)}`;
}

/** Its messages are constants. */
function isOfClient(error: unknown): error is Error {
  if (error instanceof ClientError) return true;
  return error instanceof Error && 'code' in error && String(error.code).startsWith('OAUTH_');
}

function describeRefusal(status: number, code: string | undefined): string {
  if (status === 401 || code === 'invalid_client') {
    return `it does not take this server for its client: check --oidc-client-id and the client secret (${status} ${quoteCode(code)})`;
  }
  return `it answers ${status} ${quoteCode(code)}`;
}

/** As error codes look that are registered for OAuth. Secrets and tokens have digits or capitals. */
const CODE = /^[a-z]{1,30}(?:_[a-z]{1,30}){0,5}$/;

/** Error codes come from the provider, or from somebody who impersonates it: what looks like none may be something that we have sent. */
function quoteCode(code = ''): string {
  const written = code.replaceAll(/[^\w.:-]/g, '');
  return written === '' || CODE.test(written) ? JSON.stringify(written) : 'with what looks like no error code';
}

function detail(error: unknown): string {
  const { code, cause } = Object(error);
  if (cause instanceof Response) return ` (${cause.status})`;
  const reason: unknown = code ?? Object(cause).code;
  return typeof reason === 'string' ? ` (${reason})` : '';
}
