const CLASS_DEFS_SIZE = 0x60;
const CLASS_DEFS_OFFSET = 0x64;
const CLASS_DEF_BYTES = 32;
const CLASS_DATA_OFFSET = 24;

/** How many methods the classes of a DEX file define, by its format ("Dalvik executable format", `class_data_item`). */
export function methodsInDex(dex: Buffer): number {
  const classes = dex.readUInt32LE(CLASS_DEFS_SIZE);
  const first = dex.readUInt32LE(CLASS_DEFS_OFFSET);
  let methods = 0;
  for (let index = 0; index < classes; index++) {
    const data = dex.readUInt32LE(first + index * CLASS_DEF_BYTES + CLASS_DATA_OFFSET);
    if (data === 0) continue;
    const [, , direct = 0, virtual = 0] = readNumbers(dex, data, 4);
    methods += direct + virtual;
  }
  return methods;
}

/** Unsigned LEB128. */
function readNumbers(bytes: Buffer, offset: number, count: number): number[] {
  const numbers: number[] = [];
  let [at, number, shift] = [offset, 0, 0];
  while (numbers.length < count) {
    const byte = bytes.readUInt8(at++);
    number |= (byte & 0x7f) << shift;
    shift += 7;
    if (byte & 0x80) continue;
    numbers.push(number);
    [number, shift] = [0, 0];
  }
  return numbers;
}
