const SECRET_NAME = /auth|cookie|credential|key|password|secret|token/i;

/** Of the headers that go with each request, the values that are secret, each with the variable that stands for it in reports. */
export function listSecretHeaders(headers: readonly [string, string][] = []): [value: string, variable: string][] {
  return headers.filter(([name]) => SECRET_NAME.test(name)).map(([name, value]) => [value, nameVariable(name)]);
}

/** `X_GATEWAY_KEY_HEADER` for the header `x-gateway-key`. */
function nameVariable(header: string): string {
  return `${header.toUpperCase().replaceAll(/[^A-Z]/g, '_')}_HEADER`;
}
