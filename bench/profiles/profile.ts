import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What Node writes with `--cpu-prof`: a tree of calls, and which of them each sample met (Chrome DevTools Protocol, `Profiler.Profile`). */
interface CpuProfile {
  nodes: { id: number; callFrame: CallFrame; children?: number[] }[];
  samples: number[];
  /** Microseconds before each sample. */
  timeDeltas: number[];
}

interface CallFrame {
  functionName: string;
  url: string;
  lineNumber: number;
  columnNumber: number;
}

/** Whose code a frame is. */
export type Owner = 'ours' | 'dependency' | 'node' | 'engine';

/** A function where it was called from, and the microseconds spent in it and in what it called. */
export interface Frame {
  name: string;
  owner: Owner;
  total: number;
  callees: Frame[];
}

/** A thread of a process, and all that it did. */
export interface Thread {
  name: string;
  root: Frame;
}

/** What is not worth a look, in microseconds. */
const LEAST = 10_000;

/** The profiles of a process that has ended, that of its main thread first; waiting is left out. */
export function readThreads(folder: string): Thread[] {
  const files = readdirSync(folder).flatMap((file) => {
    // CPU.<date>.<time>.<pid>.<thread>.<count>.cpuprofile
    const [, thread] = /\.(\d+)\.\d+\.cpuprofile$/.exec(file) ?? [];
    return thread === undefined ? [] : [{ file, thread: Number(thread) }];
  });
  return files
    .toSorted((one, other) => one.thread - other.thread)
    .map(({ file, thread }) => ({
      name: thread === 0 ? 'Main thread' : `Worker ${thread}`,
      root: readFrames(JSON.parse(readFileSync(join(folder, file), 'utf8'))),
    }))
    .filter(({ root }) => root.total >= LEAST);
}

function readFrames({ nodes, samples, timeDeltas }: CpuProfile): Frame {
  const times = new Map<number, number>();
  for (const [index, id] of samples.entries())
    times.set(id, (times.get(id) ?? 0) + Math.max(0, timeDeltas[index] ?? 0));
  const place = sourcePlaces();
  const byId = new Map(nodes.map((node) => [node.id, { ...node, callFrame: place(node.callFrame) }]));
  const read = (ids: readonly number[]): Frame[] => {
    const found = ids
      .flatMap((id) => byId.get(id) ?? [])
      .filter(({ callFrame }) => callFrame.functionName !== '(idle)');
    const groups = Map.groupBy(found, ({ callFrame }) => nameOf(callFrame));
    return [...groups].map(([name, alike]) => {
      const callees = read(alike.flatMap(({ children = [] }) => children));
      const own = alike.reduce((sum, { id }) => sum + (times.get(id) ?? 0), 0);
      const total = callees.reduce((sum, callee) => sum + callee.total, own);
      return {
        name,
        owner: ownerOf(alike[0]?.callFrame),
        total,
        callees: callees.toSorted((a, b) => b.total - a.total),
      };
    });
  };
  const [root] = nodes;
  const [whole] = root === undefined ? [] : read([root.id]);
  return whole ?? { name: '(root)', owner: 'engine', total: 0, callees: [] };
}

/** What gives calls in a bundle the place of their source. */
function sourcePlaces(): (frame: CallFrame) => CallFrame {
  const maps = new Map<string, SourceMap | undefined>();
  return (frame) => {
    const { url, lineNumber, columnNumber } = frame;
    if (!maps.has(url)) maps.set(url, readMap(url));
    const entry = maps.get(url)?.findEntry(lineNumber, columnNumber);
    if (entry === undefined || !('originalSource' in entry)) return frame;
    return { ...frame, url: new URL(entry.originalSource, url).href, lineNumber: entry.originalLine };
  };
}

function readMap(url: string): SourceMap | undefined {
  if (!url.startsWith('file:')) return undefined;
  const file = `${fileURLToPath(url)}.map`;
  return existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
}

function nameOf({ functionName, url, lineNumber }: CallFrame): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  return url === '' ? name : `${name} ${shorten(url)}:${lineNumber + 1}`;
}

/** `server/app.ts`, `fastify/lib/route.js`, `node:net` */
function shorten(url: string): string {
  const path = url.replace(/^file:\/\//, '');
  const inside = /.*\/node_modules\/(.*)$/.exec(path)?.[1];
  return inside ?? path.replace(/^.*\/(?=(?:bin|command-line|contract|runtime|server)\/)/, '');
}

function ownerOf(frame: CallFrame | undefined): Owner {
  const url = frame?.url ?? '';
  if (url === '') return 'engine';
  if (url.startsWith('node:')) return 'node';
  return url.includes('/node_modules/') ? 'dependency' : 'ours';
}
