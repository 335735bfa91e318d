import { describe, expect, test, vi } from 'vitest';
import { hostileApp } from './testing/hostile-app.ts';

const hostile = hostileApp();

function refusal(statusCode: number, message: string): Error {
  return Object.assign(new Error(message), { statusCode });
}

const refuse = (statusCode: number, message: string) => (): never => {
  throw refusal(statusCode, message);
};

function crash(): never {
  throw new TypeError('the database is down');
}

describe('security', () => {
  test('comes before the body is looked at', async () => {
    const securityHandlers = { basic: refuse(401, 'Unauthorized'), 'api-key': () => 1, token: () => 1 };
    const app = await hostile({ securityHandlers });
    const request = { method: 'POST', url: '/secret', payload: '{', headers: { 'content-type': 'a/b' } } as const;
    const response = await app.inject(request);
    expect(response.statusCode).toBe(401);
    expect(response.json().error).toBe('Unauthorized');
  });

  test('the principal reaches the handler', async () => {
    const app = await hostile({
      securityHandlers: { basic: async () => ({ id: 7 }), 'api-key': () => 1, token: () => 1 },
    });
    const response = await app.inject({ method: 'POST', url: '/secret', payload: {} });
    expect(response.json().principals).toEqual({ basic: { id: 7 } });
  });

  test('scopes are handed over', async () => {
    const token = vi.fn(() => 'token');
    const app = await hostile({ securityHandlers: { basic: refuse(401, 'no'), 'api-key': () => 1, token } });
    await app.inject('/secret');
    expect(token).toHaveBeenCalledWith(expect.anything(), ['read', 'write']);
  });

  test('schemes of one requirement must all succeed, and a half-proven one leaves no principal', async () => {
    const securityHandlers = { basic: () => 'basic', 'api-key': refuse(401, 'no key'), token: () => 'token' };
    const response = await (await hostile({ securityHandlers })).inject('/secret');
    expect(response.json().principals).toEqual({ token: 'token' });
  });

  test.each([
    { basic: refuse(403, 'not yours'), token: refuse(401, 'who?') },
    { basic: refuse(401, 'who?'), token: refuse(403, 'not yours') },
  ])('where no requirement succeeds, 403 tells more than 401', async (handlers) => {
    const response = await (await hostile({ securityHandlers: { ...handlers, 'api-key': () => 1 } })).inject('/secret');
    expect(response.statusCode).toBe(403);
    expect(response.json().error).toBe('not yours');
  });

  test('a handler that crashes is no refusal: the next requirement is not tried', async () => {
    const response = await (
      await hostile({ securityHandlers: { basic: crash, 'api-key': () => 1, token: () => 1 } })
    ).inject({ method: 'PUT', url: '/secret' });
    expect(response.statusCode).toBe(500);
  });

  test('an empty requirement lets the anonymous in', async () => {
    const securityHandlers = { basic: refuse(401, 'no'), 'api-key': () => 1, token: () => 1 };
    const response = await (await hostile({ securityHandlers })).inject({ method: 'PUT', url: '/secret' });
    expect(response.json().principals).toEqual({});
  });

  test('a missing handler is found at the start', async () => {
    await expect(hostile({ securityHandlers: {} })).rejects.toThrow(
      'There is no security handler "basic"; the contract needs one.',
    );
  });
});
