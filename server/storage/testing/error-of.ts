/** What it is rejected with; undefined where it is not. */
export async function errorOf(work: Promise<unknown> | undefined): Promise<unknown> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error;
  }
}
