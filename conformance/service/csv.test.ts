import { describe, expect, it } from 'vitest';
import { readCsvRecords } from './csv.ts';

describe('CSV', () => {
  it.each([
    {
      form: 'CRLF',
      text: 'a,b\r\nc,d\r\n',
      records: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    },
    {
      form: 'LF',
      text: 'a,b\nc,d\n',
      records: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    },
    {
      form: 'no last line end',
      text: 'a,b\r\nc,d',
      records: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    },
    {
      form: 'every cell quoted',
      text: '"a","b"\r\n"c","d"\r\n',
      records: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    },
    { form: 'a byte order mark', text: '\uFEFF"a",b\r\n', records: [['a', 'b']] },
    { form: 'a blank line at the end', text: 'a,b\r\n\r\n', records: [['a', 'b']] },
    { form: 'commas, quotes and line ends in a cell', text: '"a,""b""\r\nc",d\r\n', records: [['a,"b"\r\nc', 'd']] },
    {
      form: 'empty cells',
      text: ',\r\na,,\n,',
      records: [
        ['', ''],
        ['a', '', ''],
        ['', ''],
      ],
    },
    { form: 'an empty quoted cell', text: '"",a\n', records: [['', 'a']] },
    { form: 'quotes within a cell that does not begin with one', text: 'a,b "c"\n', records: [['a', 'b "c"']] },
    { form: 'nothing', text: '', records: [] },
  ])('is read with $form', ({ text, records }) => {
    expect([...readCsvRecords(text)]).toEqual(records);
  });

  it.each([
    { fault: 'quotes that are not doubled', text: 'a,b\r\n"say "yes"",c\r\n', place: 'line 2, character 1' },
    { fault: 'a quoted cell that does not end', text: 'a,"b\r\nc', place: 'line 1, character 3' },
    { fault: 'something after a quoted cell', text: 'a\r\n"b"c\r\n', place: 'line 2, character 1' },
    { fault: 'a row without an end', text: ','.repeat(5_000), place: 'line 1, character 1002' },
  ])('is refused with $fault', ({ text, place }) => {
    expect(() => [...readCsvRecords(text)]).toThrow(place);
  });

  it('reads a cell of 20 MB', () => {
    const cell = 'x""'.repeat(7_000_000);
    expect([...readCsvRecords(`"${cell}",b\n`)]).toEqual([[expect.any(String), 'b']]);
  });
});
