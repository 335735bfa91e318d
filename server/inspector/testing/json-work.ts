/** What is parsed and written as JSON while something works. */
interface JsonWork {
  charactersParsed: number;
  /** Parsed between two turns of the event loop, or of the thread. */
  mostBetweenTurns: number;
  textsWritten: number;
}

export async function watchJson(act: () => Promise<unknown>): Promise<JsonWork> {
  const { parse, stringify } = JSON;
  const work: JsonWork = { charactersParsed: 0, mostBetweenTurns: 0, textsWritten: 0 };
  let betweenTurns = 0;
  Object.assign(JSON, {
    parse: (...given: Parameters<typeof parse>) => {
      const [{ length }] = given;
      work.charactersParsed += length;
      betweenTurns += length;
      work.mostBetweenTurns = Math.max(work.mostBetweenTurns, betweenTurns);
      return parse(...given);
    },
    stringify: (...given: Parameters<typeof stringify>) => {
      work.textsWritten += 1;
      return stringify(...given);
    },
  });
  // `takeTurn` asks for a microtask in each turn that it gives, of which there may be several in one of the event loop.
  const queue = globalThis.queueMicrotask;
  Object.assign(globalThis, {
    queueMicrotask: (task: () => void) => {
      betweenTurns = 0;
      queue(task);
    },
  });
  let ticking = setImmediate(function tick() {
    betweenTurns = 0;
    ticking = setImmediate(tick);
  });
  try {
    await act();
  } finally {
    clearImmediate(ticking);
    Object.assign(JSON, { parse, stringify });
    Object.assign(globalThis, { queueMicrotask: queue });
  }
  return work;
}
