/** What stands between separators in a text in UTF-8, however it is cut into chunks; what follows the last of them comes last. */
export async function* piecesOf(
  body: ReadableStream<Uint8Array>,
  separator: string | RegExp,
): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      rest += decoder.decode(value, { stream: true });
      const pieces = rest.split(separator);
      rest = pieces.pop() ?? '';
      yield* pieces;
    }
    if (rest !== '') yield rest;
  } finally {
    await reader.cancel();
  }
}
