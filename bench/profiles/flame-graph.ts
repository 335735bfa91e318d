import { decimals, whole } from '../numbers.ts';
import type { Frame, Owner, Thread } from './profile.ts';

const WIDTH = 1_200;
const ROW = 17;
const HEAD = 26;
/** Below it a frame can't be seen. */
const LEAST_WIDTH = 2;
/** Of a letter, in pixels, at 11 px. */
const LETTER = 6.3;

const COLOURS: Record<Owner, string> = { ours: '#f2a65a', dependency: '#8fb8de', node: '#b9c7a5', engine: '#cfcfcf' };
const OWNERS: Record<Owner, string> = {
  ours: 'Branchline',
  dependency: 'dependencies',
  node: 'Node',
  engine: 'the engine and native code',
};

/** Draws the calls of each thread as an SVG: each under what called it, as wide as the time that it took. */
export function drawFlameGraph(title: string, threads: readonly Thread[]): string {
  const parts: string[] = [];
  let top = HEAD * 2;
  for (const { name, root } of threads) {
    parts.push(heading(`${name}: ${whole(root.total / 1_000)} ms of processor time`, top));
    const { rects, rows } = drawFrames(root, top + 8);
    parts.push(...rects);
    top += 8 + rows * ROW + HEAD;
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top}" font-family="system-ui, sans-serif" font-size="11">`,
    `<title>${escape(title)}</title>`,
    `<rect width="${WIDTH}" height="${top}" fill="#fff"/>`,
    `<text x="4" y="18" font-size="15">${escape(title)}</text>`,
    ...drawLegend(),
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

function drawLegend(): string[] {
  return Object.entries(OWNERS).map(([owner, name], index) => {
    const x = WIDTH - 4 * 165 + index * 165;
    return (
      `<rect x="${x}" y="8" width="12" height="12" fill="${COLOURS[owner as Owner]}"/>` +
      `<text x="${x + 17}" y="18">${escape(name)}</text>`
    );
  });
}

function heading(text: string, y: number): string {
  return `<text x="4" y="${y}" font-size="12">${escape(text)}</text>`;
}

function drawFrames(root: Frame, top: number): { rects: string[]; rows: number } {
  const rects: string[] = [];
  let rows = 0;
  const scale = WIDTH / Math.max(1, root.total);
  const draw = (frames: readonly Frame[], from: number, depth: number): void => {
    let x = from;
    for (const frame of frames) {
      const width = frame.total * scale;
      if (width >= LEAST_WIDTH) {
        rows = Math.max(rows, depth + 1);
        rects.push(drawFrame(frame, { x, y: top + depth * ROW, width, share: frame.total / root.total }));
        draw(frame.callees, x, depth + 1);
      }
      x += width;
    }
  };
  draw(root.callees, 0, 0);
  return { rects, rows };
}

interface Place {
  x: number;
  y: number;
  width: number;
  /** Of the whole thread. */
  share: number;
}

function drawFrame({ name, owner, total }: Frame, { x, y, width, share }: Place): string {
  const letters = Math.floor((width - 4) / LETTER);
  const label = letters < 4 ? '' : name.length <= letters ? name : `${name.slice(0, letters - 1)}…`;
  const says = `${name}: ${decimals(total / 1_000, 1)} ms, ${decimals(share * 100, 1)} %`;
  const text = label === '' ? '' : `<text x="${decimals(x + 2, 1)}" y="${y + 12}">${escape(label)}</text>`;
  return (
    `<g><title>${escape(says)}</title>` +
    `<rect x="${decimals(x, 1)}" y="${y}" width="${decimals(width - 0.4, 1)}" height="${ROW - 1}" fill="${COLOURS[owner]}"/>${text}</g>`
  );
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
