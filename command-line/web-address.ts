/** Whether something is named by where it is on the web. */
export function isWebAddress(name: string): boolean {
  return /^https?:\/\//i.test(name);
}
