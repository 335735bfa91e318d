import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { findMissingJavaTool } from '../java-tools.ts';
import { describeUnless } from '../../../../test/support/describe-unless.ts';
import { plan } from '../../../generate.ts';
import { apply } from '../../../output.ts';
import { appWith, type AnyRequest } from '../../../../test/support/application.ts';
import { importWiring, temporaryFolder } from '../../../testing/generated-server.ts';
import { kotlinTarget } from '../kotlin-target.ts';
import { serverTarget } from '../../server/server-target.ts';

const run = promisify(execFile);
const trainTravel = createRequire(import.meta.url).resolve('@readme/oas-examples/3.1/json/train-travel.json');
const pom = fileURLToPath(new URL('testing/pom.xml', import.meta.url));

describeUnless(findMissingJavaTool(), 'a client in Kotlin', () => {
  test('a client of any contract compiles for all platforms, as ktlint likes it, and calls a server of the same contract', async () => {
    await using folder = await temporaryFolder();
    const { changes } = await plan({ spec: trainTravel, out: folder.path, targets: [serverTarget, kotlinTarget] });
    await apply(folder.path, changes);
    const calls: { operation: string; params: unknown; query: unknown; body: unknown }[] = [];
    const station = { id: TRIP, name: 'Berlin Hbf', address: 'Invalidenstraße', country_code: 'DE' };
    const answers = {
      getStations: { status: 200, body: { data: [station], newer: { than: 'the client' } } },
      getTrips: { status: 200, body: { data: [{ price: 50, bicycles_allowed: true }] } },
      createBooking: { status: 201, body: { id: TRIP, trip_id: TRIP } },
      getBooking: { status: 200, body: { id: TRIP, links: { self: 'https://example.com/1' } } },
      deleteBooking: { status: 204 },
      createBookingPayment: { status: 200, body: { status: 'succeeded' } },
      getBookings: { status: 200, body: {} },
    };
    const handlers = Object.fromEntries(
      Object.entries(answers).map(([operation, answer]) => [
        operation,
        ({ params, query, body }: AnyRequest) => {
          calls.push({ operation, params, query, body });
          return answer;
        },
      ]),
    );
    const securityHandlers = {
      OAuth2({ headers }: FastifyRequest): object {
        if (headers.authorization === 'Bearer a token') return {};
        throw Object.assign(new Error('Who are you?'), { statusCode: 401 });
      },
    };
    const app = await appWith((await importWiring(folder.path)).contract, { handlers, securityHandlers });
    const server = await app.listen({ port: 0, host: '127.0.0.1' });

    try {
      const client = join(folder.path, 'kotlin-client/src/commonMain/generated');
      const said = join(folder.path, 'said.txt');
      const where = { work: join(folder.path, 'work'), client, server, said };
      const options = Object.entries(where).map(([name, value]) => `-D${name}=${value}`);
      await run('mvn', ['--batch-mode', '--no-transfer-progress', '--file', pom, 'verify', ...options]).catch(
        (error: unknown) => {
          throw new Error(`Maven says: ${(error as { stdout: string }).stdout}`);
        },
      );
      expect((await readFile(said, 'utf8')).split('\n')).toEqual([
        `[Station(id=${TRIP}, name=Berlin Hbf, address=Invalidenstraße, countryCode=DE, timezone=null)]`,
        expect.stringMatching(/^\[Trip\(.*price=50\.0, bicyclesAllowed=true, dogsAllowed=null\)\]$/),
        expect.stringMatching(new RegExp(`^CreateBooking201Response\\(id=${TRIP}, tripId=${TRIP}, passengerName=null`)),
        'https://example.com/1',
        'kotlin.Unit',
        'SUCCEEDED',
        'The server answered 401: {"error":"Who are you?"}',
        '',
      ]);
    } finally {
      await app.close();
    }
    expect(calls).toEqual([
      { operation: 'getStations', params: {}, query: {}, body: undefined },
      {
        operation: 'getTrips',
        params: {},
        query: { origin: TRIP, destination: TRIP, date: '2026-01-02T03:04:05+02:00', bicycles: true, dogs: false },
        body: undefined,
      },
      {
        operation: 'createBooking',
        params: {},
        query: {},
        body: { trip_id: TRIP, passenger_name: 'Zoë "Z" 🚂', has_dog: false },
      },
      { operation: 'getBooking', params: { bookingId: TRIP }, query: {}, body: undefined },
      { operation: 'deleteBooking', params: { bookingId: TRIP }, query: {}, body: undefined },
      {
        operation: 'createBookingPayment',
        params: { bookingId: TRIP },
        query: {},
        body: {
          amount: 49.99,
          currency: 'gbp',
          source: {
            name: 'J. Doe',
            number: '4242',
            object: 'card',
            cvc: 123,
            exp_month: 12,
            exp_year: 2025,
            address_country: 'gb',
          },
        },
      },
    ]);
  }, 240_000);
});

const TRIP = 'efdbb9d1-02c2-4bc3-afb7-6788d8782b1e';
