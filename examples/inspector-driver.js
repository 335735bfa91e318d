// A driver: an app with an Inspector library in it, which does what it is told by lines of JSON on standard input, and answers
// each by a line of JSON on standard output. `Library` stands for yours; this one knows development, and nothing of failures.
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';

class Library {
  constructor({ endpoint, apiKey, environment }) {
    Object.assign(this, { endpoint, apiKey, environment });
  }

  extractSchema(properties) {
    return Object.entries(properties ?? {}).map(([name, value]) => ({ name, ...this.typeOf(value) }));
  }

  trackSchema(eventName, schema) {
    const event = { messageId: randomUUID(), eventName, observedAt: new Date().toISOString(), schema };
    const batch = {
      batchId: randomUUID(),
      sentAt: new Date().toISOString(),
      library: { name: 'inspector-example', version: '0.1.0', platform: 'node' },
      app: { id: 'com.example.shop', name: 'Shop', version: '1.0.0' },
      environment: this.environment,
      samplingRate: 1,
      events: [event],
    };
    const headers = { 'api-key': this.apiKey, 'content-type': 'application/json' };
    const url = new URL('/inspector/batches/v1', this.endpoint);
    // Nobody waits for the network.
    fetch(url, { method: 'POST', headers, body: JSON.stringify(batch) }).catch(() => {});
  }

  typeOf(value) {
    if (value === null) return { type: 'null' };
    if (typeof value === 'bigint') return { type: 'int' };
    if (typeof value === 'number') return { type: 'float' };
    if (Array.isArray(value)) return { type: 'list', items: distinct(value.map((element) => this.typeOf(element))) };
    if (typeof value === 'object') return { type: 'object', properties: this.extractSchema(value) };
    return { type: typeof value };
  }
}

function distinct(types) {
  return [...new Map(types.map((type) => [JSON.stringify(type), type])).values()];
}

/** Typed JSON as a value of this language. */
function valueOf(typed) {
  const [[kind, given]] = Object.entries(typed);
  if (['byte', 'short', 'int', 'long', 'bigint'].includes(kind)) return BigInt(given);
  if (['float', 'double'].includes(kind)) return Number(given);
  if (['string', 'boolean'].includes(kind)) return given;
  if (kind === 'null') return null;
  if (kind === 'list' && given.every((element) => !('repeat' in element))) return given.map(valueOf);
  if (kind === 'map' && given.every((pair) => Array.isArray(pair) && 'string' in pair[0])) {
    return Object.fromEntries(given.map(([key, value]) => [key.string, valueOf(value)]));
  }
  throw new Unsupported(`there is no ${kind} like this in the driver's language`);
}

class Unsupported extends Error {}

let library;

function done(request) {
  switch (request.do) {
    case 'start':
      if ('batchSize' in request || 'batchFlushSeconds' in request) throw new Unsupported('the library has no setters');
      library = new Library(request);
      return {};
    case 'track': {
      const schema = library.extractSchema(valueOf(request.properties));
      library.trackSchema(request.eventName, schema);
      return { schema };
    }
    case 'trackSchema':
      library.trackSchema(request.eventName, request.schema);
      return {};
    case 'extract':
      return { schema: library.extractSchema(valueOf(request.input)) };
    case 'stop':
      return process.exit();
    default:
      throw new Unsupported(`the driver knows no "${request.do}"`);
  }
}

function answerTo(line) {
  try {
    return { ok: true, ...done(JSON.parse(line)) };
  } catch (error) {
    return error instanceof Unsupported
      ? { ok: false, unsupported: error.message }
      : { ok: false, error: String(error) };
  }
}

for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify(answerTo(line)));
