import type { JsonObject } from '@branchline/contract';
import type { Driver, Reply, Request, TypedJson } from '../driver.ts';
import { Client } from './client.ts';
import type { WorkClock } from './fake-clock.ts';
import { extract, Unsupported } from './extraction.ts';
import type { Fault } from './fault.ts';

export interface AppOptions {
  readonly clock: WorkClock;
  readonly fault?: Fault | undefined;
}

/** An app with the reference client in it: does what a driver is asked to do. */
export class App implements Driver {
  readonly #options: AppOptions;
  #client: Client | undefined;
  #tracked = 0;

  constructor(options: AppOptions) {
    this.#options = options;
  }

  async ask(request: Request): Promise<Reply> {
    try {
      return await this.#answer(request);
    } catch (error) {
      if (error instanceof Unsupported) return { ok: false, unsupported: error.message };
      return { ok: false, error: String(error) };
    }
  }

  async stop(): Promise<void> {
    await this.#client?.kill();
  }

  kill(): Promise<void> {
    return this.stop();
  }

  async #answer(request: Request): Promise<Reply> {
    if (request.do === 'start') this.#client = new Client({ ...request, ...this.#options });
    else if (request.do === 'track') return this.#track(request.eventName, request.properties);
    else if (request.do === 'trackSchema') this.#client?.trackSchema(request.eventName, request.schema);
    else if (request.do === 'extract') return { ok: true, schema: this.#extract(request.input) };
    else await this.stop();
    return { ok: true };
  }

  async #track(eventName: string, properties: TypedJson): Promise<Reply> {
    const schema = await this.#client?.track(eventName, properties);
    this.#tracked += 1;
    if (this.#options.fault === 'fails-in-the-app' && this.#tracked === 3)
      return { ok: false, error: 'No such event.' };
    return { ok: true, schema: this.#options.fault === 'returns-nothing' ? [] : schema };
  }

  #extract(input: TypedJson): JsonObject[] {
    const { fault } = this.#options;
    if (fault === 'fails-without-properties' && 'null' in input) throw new TypeError('The properties are null.');
    const schema = extract(input);
    const loses =
      (fault === 'map-loses-a-key' && 'map' in input) || (fault === 'object-loses-a-field' && 'object' in input);
    if (loses) return schema.filter(({ name }) => name !== 'second');
    if (fault !== 'count-is-text') return schema;
    return schema.map((property) => (property['name'] === 'count' ? { ...property, type: 'string' } : property));
  }
}
