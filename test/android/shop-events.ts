import type { ElementSchema, EventSchema } from '../../server/inspector/event-schema.ts';
import type { PlatformName } from './shop-process.ts';

/** A type as it is written here: the name of a flat one, the types of a list's elements, the properties of an object. */
export type Type = string | Type[] | { [property: string]: Type };

/** How often the shop tracks an event with a schema when a customer does something once. */
interface Tracked {
  times: number;
  event: string;
  schema: { [property: string]: Type };
}

const BRAND = { name: 'string', founded: 'string' };

const PRODUCT = {
  id: 'string',
  price: 'float',
  sizes: ['int'],
  brand: BRAND,
  stock: { berlin: 'int', vienna: 'int' },
  replacement: 'null',
};

/** What android-sdk/samples/shop tracks, by what the customer does. */
const STEPS: Readonly<Record<string, readonly Tracked[]>> = {
  browse: [
    { times: 1, event: 'App Opened', schema: {} },
    {
      times: 3,
      event: 'Product Searched',
      schema: { query: 'string', results: 'int', filters: ['string', 'null'], sort: 'null', suggestions: [] },
    },
    {
      times: 2,
      event: 'Product List Viewed',
      schema: {
        list: {
          id: 'string',
          products: [
            { sku: 'string', price: 'float' },
            { sku: 'string', price: 'null', soldOut: 'boolean' },
          ],
        },
        page: 'int',
      },
    },
    { times: 4, event: 'Product Viewed', schema: { product: PRODUCT, position: 'int' } },
    { times: 1, event: 'Product Viewed', schema: { product: 'string', position: 'int' } },
    {
      times: 5,
      event: 'Product Set Viewed',
      schema: { set: { ...PRODUCT, stock: {}, parts: [BRAND, 'null'] } },
    },
    {
      times: 2,
      event: 'Product Rated',
      schema: {
        stars: 'float',
        isVerified: 'boolean',
        review: { text: 'string', reactions: { up: 'int', down: 'int' }, threads: [['string'], []] },
      },
    },
    {
      times: 3,
      event: 'Wishlist Changed',
      schema: { added: ['string'], ranks: ['int'], formerRanks: ['int', 'null'], prices: ['float'], owner: 'unknown' },
    },
    { times: 1, event: 'Size Guide Opened', schema: { widths: { 38: 'float', 40: 'float' }, parent: 'unknown' } },
  ],
  order: [
    { times: 2, event: 'Signed In', schema: { email: 'string', visits: 'int' } },
    {
      times: 3,
      event: 'Cart Viewed',
      schema: {
        items: [{ sku: 'string', quantity: 'int', isGift: 'boolean' }],
        coupon: 'null',
        customer: { points: 'int', isMember: 'boolean', lastOrder: 'null', name: 'string', street: 'string' },
      },
    },
    {
      times: 2,
      event: 'Checkout Started',
      schema: {
        id: 'string',
        startedAt: 'string',
        deadline: 'string',
        delivery: 'string',
        total: 'float',
        points: 'int',
        steps: ['string'],
        terms: 'string',
      },
    },
    {
      times: 1,
      event: 'Payment Failed',
      schema: { attempts: ['string', 'int', 'float', 'null', 'boolean'], thread: 'unknown', codes: 'unknown' },
    },
    {
      times: 4,
      event: 'Order Completed',
      schema: { points: 'int', isMember: 'boolean', lastOrder: 'null', name: 'string', total: 'float' },
    },
    { times: 1, event: 'Order Refunded', schema: { reasons: ['string', 'null'], clerk: { name: 'string' } } },
    { times: 1, event: 'Survey Skipped', schema: {} },
  ],
  'come back': [
    {
      times: 2,
      event: 'Notification Shown',
      schema: {
        campaign: 'string',
        badge: 'int',
        image: 'null',
        actions: ['string', { id: 'int' }],
        channel: { name: 'string', isSilent: 'boolean' },
      },
    },
    {
      times: 3,
      event: 'Deep Link Followed',
      schema: { url: 'string', clickedAt: 'int', query: { ref: 'string', none: 'null' }, weights: ['float', 'int'] },
    },
    { times: 1, event: 'Notification Dismissed', schema: {} },
    { times: 1, event: 'Screen Viewed', schema: { address: 'string', state: 'unknown', json: { scroll: 'float' } } },
  ],
};

/** What a customer does on a visit to the shop, in the middle of which the app is killed. */
export interface Plan {
  /** Tracked, sent and answered. */
  answered: string;
  /** Sent without an answer. */
  unanswered: string;
  /** Not sent when the app is killed. */
  unsent: string;
  /** After the app was started again. */
  later: readonly string[];
}

export const PLANS: Readonly<Record<PlatformName, Plan>> = {
  jvm: { answered: 'browse', unanswered: 'order', unsent: 'browse', later: ['order'] },
  android: { answered: 'browse', unanswered: 'order', unsent: 'come back', later: ['browse', 'order', 'come back'] },
};

/** All that a customer does, in its order. */
export function stepsOf(platform: PlatformName): string[] {
  const { answered, unanswered, unsent, later } = PLANS[platform];
  return [answered, unanswered, unsent, ...later];
}

/** A count for each shape of each event; two of these are equal when they say the same. */
export type Counts = Readonly<Record<string, number>>;

/** What the server must have observed after the customer did these things. */
export function countsOf(steps: readonly string[]): Counts {
  return counted(steps.flatMap((step) => STEPS[step] ?? []).map(({ event, schema, times }) => [event, schema, times]));
}

/** What the server says that it has observed. */
export function observedCounts(shapes: readonly { eventName: string; schema: EventSchema; count: number }[]): Counts {
  return counted(shapes.map(({ eventName, schema, count }) => [eventName, propertiesOf(schema), count]));
}

function counted(entries: readonly (readonly [event: string, schema: Type, times: number])[]): Counts {
  const counts: Record<string, number> = {};
  for (const [event, schema, times] of entries) {
    const shape = `${event} ${textOf(schema)}`;
    counts[shape] = (counts[shape] ?? 0) + times;
  }
  return counts;
}

/** The same for the same type, since no order means anything. */
function textOf(type: Type): string {
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) return `[${type.map(textOf).toSorted().join(', ')}]`;
  const properties = Object.entries(type).map(([name, of]) => `${name}: ${textOf(of)}`);
  return `{${properties.toSorted().join(', ')}}`;
}

function propertiesOf(schema: EventSchema): Type {
  return Object.fromEntries(schema.map((property) => [property.name, typeOf(property)]));
}

function typeOf({ type, items, properties }: ElementSchema): Type {
  if (items !== undefined) return items.map(typeOf);
  return properties === undefined ? type : propertiesOf(properties);
}
