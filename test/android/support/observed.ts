import { expect } from 'vitest';
import type { TestServer } from '../../support/server.ts';

interface Shape {
  eventName: string;
  environment: string;
  count: number;
  schema: unknown;
}

/** Waits until the server has observed that many shapes, and says which. */
export async function observed(server: TestServer, shapes: number): Promise<Shape[]> {
  const read = async (): Promise<Shape[]> => {
    const answer = await server.call({ path: `/workspaces/${server.workspaceId}/inspector/shapes/v1` });
    const page = answer.json() as { shapes: Shape[] };
    return page.shapes.map(({ eventName, environment, count, schema }) => ({
      eventName,
      environment,
      count,
      schema,
    }));
  };
  await expect.poll(async () => (await read()).length, { interval: 250 }).toBe(shapes);
  return (await read()).toSorted((a, b) => (a.eventName < b.eventName ? -1 : 1));
}
