/** Whether a body is a stream of server-sent events, which need not end. */
export function isEventStream(contentType: unknown): boolean {
  return typeof contentType === 'string' && /^\s*text\/event-stream\s*(;|$)/i.test(contentType);
}

/** The data of each whole event of a `text/event-stream` (HTML, Server-sent events); events without data are none. */
export function eventData(text: string): string[] {
  const blocks = text
    .replace(/^\ufeff/, '')
    .replaceAll(/\r\n?/g, '\n')
    .split('\n\n')
    .slice(0, -1);
  return blocks.flatMap((block) => {
    const lines = block.split('\n').filter((line) => /^data(:|$)/.test(line));
    return lines.length === 0 ? [] : [lines.map((line) => line.replace(/^data:? ?/, '')).join('\n')];
  });
}
